#include <stddef.h>

#include "app/cmd.h"
#include "app/command.h"
#include "app/run_options.h"
#include "app/session.h"
#include "receipt/fields.h"

#define AT(member) offsetof(struct run_options, member)
#define AT_SEND(m) AT(send.m)
#define S	   UINT64_C(1000000000)
#define GIB	   (UINT64_C(1) << 30)

/* name letter kind offset argument words min max help; also of plan */
const struct option_row cmd_run_rows[] = {
	{ "dir", 'd', OPTION_TEXT, AT(dir), "DIR", NULL, 0, 0,
		"directory whose storage is measured (default /var/tmp)" },
	{ "suite", 's', OPTION_TEXT, AT(suite), "NAME", NULL, 0, 0,
		"workload to run (default baseline)" },
	{ "only", 0, OPTION_TEXT, AT(only), "GLOB", NULL, 0, 0,
		"only the suite's windows whose names match" },
	{ "job", 0, OPTION_TEXTS, AT(jobs), "'WORDS'", NULL, 0, 0,
		"a job in fio's words instead of a suite; may be repeated" },
	{ "jobfile", 0, OPTION_TEXT, AT(jobfile), "FILE", NULL, 0, 0,
		"the jobs of a job file of fio's (- is stdin) instead of a "
		"suite" },
	{ "size", 0, OPTION_BYTES, AT(size_bytes), "SIZE", NULL, 65536,
		16384 * GIB, "size of the target file, e.g. 512M" },
	{ "runtime", 't', OPTION_TIME, AT(runtime_ns), "TIME", NULL, S / 10,
		86400 * S, "length of each window, e.g. 12s" },
	{ "ramp", 0, OPTION_TIME, AT(ramp_ns), "TIME", NULL, 0, 3600 * S,
		"time before each window in which nothing counts" },
	{ "runs", 0, OPTION_COUNT, AT(runs), "N", NULL, 1, JOB_RUNS_MAX,
		"measure each job N times" },
	{ "sequence", 0, OPTION_WORD, AT(sequence), "fio3.35|fio3.34",
		"fio3.35|fio3.34", 0, 0,
		"which fio's order of offsets to follow (default fio3.35)" },
	{ "reap", 0, OPTION_WORD, AT(reap), "auto|syscall", "auto|syscall", 0,
		0, "syscall: never read completions from the ring" },
	{ "cpu", 0, OPTION_COUNT, AT(cpu), "N", NULL, 0, 4095,
		"keep the measuring process on this CPU" },
	{ "keep-cow", 0, OPTION_FLAG, AT(keep_cow), NULL, NULL, 0, 0,
		"btrfs: do not make the target NOCOW" },
	{ "stall-limit", 0, OPTION_TIME, AT(stall_limit_ns), "TIME", NULL, S,
		86400 * S,
		"give up when an I/O is older than this (default 60s)" },
	{ "deadline", 0, OPTION_TIME, AT(deadline_ns), "TIME", NULL, S,
		UINT64_C(604800) * S, "give up cleanly after this time" },
	{ "require", 0, OPTION_TEXTS, AT(require), "'EXPR'", NULL, 0, 0,
		"status 1 unless it holds, such as "
		"'qd1-randread.read.lat.p99_9 < 0.5ms', 'no warning' or 'no "
		"finding cap'; may be repeated" },
	{ "allow-memory-backed", 0, OPTION_FLAG, AT(allow_memory), NULL, NULL,
		0, 0,
		"measure even where the target lies in RAM; the receipt "
		"says so" },
	{ "out", 'o', OPTION_TEXT, AT(out), "FILE|DIR|-", NULL, 0, 0,
		"where the receipt goes (default "
		"./ioreceipt-<UTC time>-<pid>.json; - is stdout)" },
	{ "json", 0, OPTION_FLAG, AT(json), NULL, NULL, 0, 0,
		"print the receipt instead of the table" },
	{ "fio-dir", 0, OPTION_TEXT, AT(fio_dir), "DIR", NULL, 0, 0,
		"also write files in fio's JSON shape there" },
	{ "label", 0, OPTION_TEXT, AT(label), "TEXT", NULL, 0, FIELDS_LABEL_MAX,
		"your own word for this machine, kept in the receipt" },
	{ "note", 0, OPTION_TEXT, AT(note), "TEXT", NULL, 0, FIELDS_NOTE_MAX,
		"your own remark, kept in the receipt" },
	{ "nonce", 0, OPTION_TEXT, AT(nonce), "TEXT", NULL, 0, FIELDS_NONCE_MAX,
		"a word from who asked for the receipt, kept in it" },
	{ "aud", 0, OPTION_TEXT, AT(aud), "TEXT", NULL, 0, FIELDS_AUD_MAX,
		"for whom the receipt is, kept in it" },
	{ "key", 0, OPTION_TEXT, AT(key), "FILE", NULL, 0, 0,
		"sign with the private key in FILE, which is made where it is "
		"not there (default: a key for this run alone)" },
	{ "no-sign", 0, OPTION_FLAG, AT(no_sign), NULL, NULL, 0, 0,
		"leave no signature beside the receipt" },
	SEND_ROWS(AT_SEND, "upload"),
	{ "quiet", 'q', OPTION_FLAG, AT(quiet), NULL, NULL, 0, 0,
		"no progress on stderr" },
	{ "color", 0, OPTION_WORD, AT(color), "auto|always|never",
		"auto|always|never", 0, 0, "colours in the table" },
	{ "fio", 0, OPTION_FLAG, AT(fio), NULL, NULL, 0, 0,
		"plan: print a job file that fio runs" },
	{ NULL, 0, OPTION_FLAG, 0, NULL, NULL, 0, 0, NULL },
};

int
cmd_run(int argc, char **argv)
{
	struct run_options o;
	struct err e = { 0 };
	int operands = argc, status;

	run_options_default(&o);
	status = command_scan("run", argc, argv, &o, &operands);
	if (status >= 0)
		return status;
	if (operands < argc)
		err_set(&e, ERR_USAGE, 0,
			"run takes no operand (\"%s\"); the directory is "
			"given by --dir",
			argv[operands]);
	else if (o.fio)
		err_set(&e, ERR_USAGE, 0, "--fio belongs to `ioreceipt plan`");
	else if (o.no_sign && o.send.url)
		err_set(&e, ERR_USAGE, 0,
			"--upload sends the signed receipt: it does not go "
			"with --no-sign");
	if (e.code)
		return command_fail(&e);
	return session_run(&o);
}
