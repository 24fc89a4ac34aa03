/* A disk that fails to order: one regular file, served by FUSE, under a loop
 * device with direct I/O. Each request is answered in full, with an error,
 * late, or never, by rules that count the requests.
 *
 *   faultdisk BACKING MOUNTPOINT [wait] [iops=N] [ACTION:OP:WHEN ...]
 *
 * ACTION  eio, enospc, drop (never answered) or delay=MILLISECONDS
 * OP      read, write, sync or any
 * WHEN    N the N-th request only, N+ the N-th and all that follow
 *
 * MOUNTPOINT is an existing regular file. Rules after "wait" sleep until
 * SIGUSR1. SIGUSR2 forgets all rules and answers what was held back. It stays
 * in the foreground; when it is killed, the kernel fails all that is open.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fuse.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAX_RULES 8
#define MAX_HELD  256
#define MAX_DATA  (1u << 20)
#define NEVER	  INT64_MAX

enum op { OP_READ, OP_WRITE, OP_SYNC, OP_ANY };

struct rule {
	enum op op;
	int error;	  /* errno, 0 = none */
	int64_t delay_ns; /* NEVER = dropped */
	uint64_t first;
	int and_later;
	uint64_t seen;
	int asleep;
};

/* A request whose answer is held back. */
struct held {
	int used;
	int64_t due_ns;
	uint64_t unique, offset;
	uint32_t size;
	enum op op;
	int error;
};

struct disk {
	int fuse, file;
	uint64_t size_bytes;
	struct rule rules[MAX_RULES];
	int n_rules;
	struct held held[MAX_HELD];
	int64_t interval_ns, next_ns; /* pacing by iops=N */
	char *data;		      /* MAX_DATA bytes for answers */
};

static volatile sig_atomic_t armed, heal, stop;

static void
on_signal(int number)
{
	if (number == SIGUSR1)
		armed = 1;
	else if (number == SIGUSR2)
		heal = 1;
	else
		stop = 1;
}

static int64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void
die(const char *what)
{
	fprintf(stderr, "faultdisk: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void
reply(struct disk *d, uint64_t unique, int error, const void *body, size_t size)
{
	struct fuse_out_header head = { 0 };
	char *message = malloc(sizeof(head) + size);

	if (!message)
		die("memory");
	head.unique = unique;
	head.error = -error;
	head.len = (uint32_t)(sizeof(head) + (error ? 0 : size));
	memcpy(message, &head, sizeof(head));
	if (!error && size)
		memcpy(message + sizeof(head), body, size);
	/* ENOENT: the request was interrupted meanwhile; nobody waits. */
	if (write(d->fuse, message, head.len) < 0 && errno != ENOENT)
		die("reply");
	free(message);
}

static void
answer(struct disk *d, const struct held *h)
{
	struct fuse_write_out out = { .size = h->size };
	ssize_t got;

	if (h->error || h->op == OP_SYNC) {
		reply(d, h->unique, h->error, NULL, 0);
	} else if (h->op == OP_WRITE) {
		reply(d, h->unique, 0, &out, sizeof(out));
	} else {
		got = pread(d->file, d->data, h->size, (off_t)h->offset);
		if (got < 0)
			die("pread");
		reply(d, h->unique, 0, d->data, (size_t)got);
	}
}

/* Applies the rules and the pace to h: sets its error and when it is due. */
static void
judge(struct disk *d, struct held *h)
{
	int64_t now = now_ns();
	int i;

	h->due_ns = now;
	if (d->interval_ns && h->op != OP_SYNC) {
		if (d->next_ns < now)
			d->next_ns = now;
		h->due_ns = d->next_ns;
		d->next_ns += d->interval_ns;
	}
	for (i = 0; i < d->n_rules; i++) {
		struct rule *r = &d->rules[i];

		if ((r->asleep && !armed) ||
			(r->op != OP_ANY && r->op != h->op))
			continue;
		r->seen++;
		if (r->seen < r->first || (r->seen > r->first && !r->and_later))
			continue;
		h->error = r->error;
		if (r->delay_ns == NEVER)
			h->due_ns = NEVER;
		else
			h->due_ns += r->delay_ns;
	}
}

static void
take(struct disk *d, struct held *h)
{
	int i;

	judge(d, h);
	if (h->due_ns <= now_ns()) {
		answer(d, h);
		return;
	}
	for (i = 0; i < MAX_HELD && d->held[i].used; i++)
		;
	if (i == MAX_HELD) {
		errno = ENOBUFS;
		die("too many held");
	}
	d->held[i] = *h;
	d->held[i].used = 1;
}

/* Answers what is due (everything with all set); returns the next due time. */
static int64_t
release(struct disk *d, int all)
{
	int64_t now = now_ns(), next = NEVER;
	int i;

	for (i = 0; i < MAX_HELD; i++) {
		struct held *h = &d->held[i];

		if (!h->used)
			continue;
		if (all || h->due_ns <= now) {
			h->used = 0;
			answer(d, h);
		} else if (h->due_ns < next) {
			next = h->due_ns;
		}
	}
	return next;
}

static void
fill_attr(const struct disk *d, struct fuse_attr *a)
{
	memset(a, 0, sizeof(*a));
	a->ino = 1;
	a->size = d->size_bytes;
	a->blocks = d->size_bytes / 512;
	a->mode = S_IFREG | 0600;
	a->nlink = 1;
	a->blksize = 4096;
}

static void
greet(struct disk *d, uint64_t unique, const struct fuse_init_in *in)
{
	struct fuse_init_out out = { 0 };

	out.major = FUSE_KERNEL_VERSION;
	out.minor = in->minor < FUSE_KERNEL_MINOR_VERSION
			    ? in->minor
			    : FUSE_KERNEL_MINOR_VERSION;
	out.max_readahead = in->max_readahead;
	out.flags = FUSE_ASYNC_READ | FUSE_BIG_WRITES | FUSE_ASYNC_DIO |
		    FUSE_MAX_PAGES;
	out.max_background = 128; /* the queue depths of the tests fit in */
	out.congestion_threshold = 96;
	out.max_write = MAX_DATA;
	out.time_gran = 1;
	out.max_pages = MAX_DATA / 4096;
	reply(d, unique, 0, &out, sizeof(out));
}

static void
serve_io(struct disk *d, const struct fuse_in_header *in, const void *arg)
{
	struct held h = { .unique = in->unique };

	if (in->opcode == FUSE_READ) {
		const struct fuse_read_in *r = arg;

		h.op = OP_READ;
		h.offset = r->offset;
		h.size = r->size < MAX_DATA ? r->size : MAX_DATA;
	} else if (in->opcode == FUSE_WRITE) {
		const struct fuse_write_in *w = arg;

		h.op = OP_WRITE;
		h.size = w->size;
		if (pwrite(d->file, w + 1, w->size, (off_t)w->offset) !=
			(ssize_t)w->size)
			die("pwrite");
	} else {
		h.op = OP_SYNC;
	}
	take(d, &h);
}

static void
serve(struct disk *d, const struct fuse_in_header *in, const void *arg)
{
	struct fuse_attr_out attr = { .attr_valid = 3600 };
	struct fuse_open_out open_out = { .fh = 1,
		.open_flags = FOPEN_DIRECT_IO };
	struct fuse_statfs_out fs = {
		.st = { .bsize = 4096, .namelen = 255, .frsize = 4096 }
	};

	switch (in->opcode) {
	case FUSE_INIT:
		greet(d, in->unique, arg);
		return;
	case FUSE_GETATTR:
	case FUSE_SETATTR:
		fill_attr(d, &attr.attr);
		reply(d, in->unique, 0, &attr, sizeof(attr));
		return;
	case FUSE_OPEN:
		reply(d, in->unique, 0, &open_out, sizeof(open_out));
		return;
	case FUSE_STATFS:
		reply(d, in->unique, 0, &fs, sizeof(fs));
		return;
	case FUSE_READ:
	case FUSE_WRITE:
	case FUSE_FSYNC:
		serve_io(d, in, arg);
		return;
	case FUSE_FLUSH:
	case FUSE_RELEASE:
	case FUSE_DESTROY:
		reply(d, in->unique, 0, NULL, 0);
		return;
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT: /* a dropped request stays dropped */
		return;
	default:
		reply(d, in->unique, ENOSYS, NULL, 0);
	}
}

static void
parse_rule(struct disk *d, char *text, int asleep)
{
	static const char *const ops[] = { "read", "write", "sync", "any" };
	char *action = strtok(text, ":"), *op = strtok(NULL, ":"),
	     *when = strtok(NULL, ":");
	struct rule *r = &d->rules[d->n_rules];
	int i;

	errno = EINVAL;
	if (!action || !op || !when || d->n_rules == MAX_RULES)
		die("rule");
	for (i = 0; i < 4 && strcmp(op, ops[i]); i++)
		;
	if (i == 4)
		die(op);
	r->op = (enum op)i;
	r->asleep = asleep;
	if (!strcmp(action, "eio"))
		r->error = EIO;
	else if (!strcmp(action, "enospc"))
		r->error = ENOSPC;
	else if (!strcmp(action, "drop"))
		r->delay_ns = NEVER;
	else if (!strncmp(action, "delay=", 6))
		r->delay_ns = strtoll(action + 6, NULL, 10) * 1000000;
	else
		die(action);
	r->first = strtoull(when, &when, 10);
	r->and_later = *when == '+';
	d->n_rules++;
}

static void
start(struct disk *d, int argc, char **argv)
{
	struct sigaction act = { .sa_handler = on_signal };
	char options[128];
	struct stat st;
	int i, asleep = 0;

	for (i = 3; i < argc; i++) {
		if (!strcmp(argv[i], "wait"))
			asleep = 1;
		else if (!strncmp(argv[i], "iops=", 5))
			d->interval_ns =
				1000000000 / strtoll(argv[i] + 5, NULL, 10);
		else
			parse_rule(d, argv[i], asleep);
	}
	sigaction(SIGUSR1, &act, NULL);
	sigaction(SIGUSR2, &act, NULL);
	sigaction(SIGTERM, &act, NULL);
	d->data = malloc(MAX_DATA);
	d->file = open(argv[1], O_RDWR | O_CLOEXEC);
	if (!d->data || d->file < 0 || fstat(d->file, &st))
		die(argv[1]);
	d->size_bytes = (uint64_t)st.st_size;
	d->fuse = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	if (d->fuse < 0)
		die("/dev/fuse");
	snprintf(options, sizeof(options),
		"fd=%d,rootmode=100000,user_id=0,group_id=0,allow_other",
		d->fuse);
	if (mount("faultdisk", argv[2], "fuse", MS_NOSUID | MS_NODEV, options))
		die(argv[2]);
}

static void
wait_for(const struct disk *d, int64_t next)
{
	struct pollfd p = { .fd = d->fuse, .events = POLLIN };
	int64_t left = next - now_ns();
	struct timespec t = { .tv_sec = 1 };

	if (left < 0)
		left = 0;
	if (left < 1000000000)
		t = (struct timespec){ .tv_nsec = (long)left };
	ppoll(&p, 1, &t, NULL);
}

int
main(int argc, char **argv)
{
	static struct disk d;
	size_t room = MAX_DATA + 65536;
	char *buffer = malloc(room);
	ssize_t got;

	if (argc < 3 || !buffer) {
		fprintf(stderr, "usage: faultdisk BACKING MOUNTPOINT [wait] "
				"[iops=N] [RULE...]\n");
		return 64;
	}
	start(&d, argc, argv);
	fcntl(d.fuse, F_SETFL, O_NONBLOCK);
	while (!stop) {
		if (heal) {
			d.n_rules = 0;
			d.interval_ns = 0;
			heal = 0;
			release(&d, 1);
		}
		wait_for(&d, release(&d, 0));
		got = read(d.fuse, buffer, room);
		if (got < 0 && errno == ENODEV)
			break; /* unmounted */
		if (got < 0 && errno != EINTR && errno != EAGAIN &&
			errno != ENOENT)
			die("read");
		if (got >= (ssize_t)sizeof(struct fuse_in_header))
			serve(&d, (void *)buffer,
				buffer + sizeof(struct fuse_in_header));
	}
	umount2(argv[2], MNT_DETACH);
	free(buffer);
	free(d.data);
	return 0;
}
