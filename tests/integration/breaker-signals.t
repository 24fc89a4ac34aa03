#!/bin/bash
# Signals and children as a caller left them, and signals that nobody plans.
#
# twice: a signal has to come inside a short window
. "$(dirname "$0")/lib.sh"
need jq python3 setpriv prlimit
D=$T/d
mkdir "$D"
declare -A number=([USR1]=10 [USR2]=12 [ALRM]=14 [TERM]=15 [XCPU]=24 [PWR]=30)

# SIGCHLD ignored: then no child can be waited for.
WRAP=(env --ignore-signal=CHLD)
measure "$D" "${TINY[@]}"
is "$rc" 0 'SIGCHLD ignored by the caller: complete'
clean_dir "$D" 'and clean'

# sent NAME: a run that gets the signal in its window; sets rc.
sent()
{
	start "$D" "${ONE[@]}"
	wait_until 10 said 'window 1/1'
	kill "-$1" "$pid"
	finish 20
}

WRAP=(env --block-signal=TERM --block-signal=INT)
sent TERM
is "$rc" 143 'SIGTERM blocked by the caller: it ends the run all the same'
clean_dir "$D" 'and leaves nothing'
WRAP=(env --ignore-signal=TERM)
sent TERM
is "$rc" 0 'SIGTERM ignored by the caller: it stays so'
WRAP=()
for name in USR2 ALRM XCPU PWR; do
	sent $name
	is "$rc" $((128 + number[$name])) "SIG$name: ends the run"
	holds '.complete == false' "SIG$name: the receipt says so"
	clean_dir "$D" "SIG$name: leaves nothing"
done
sent USR1
is "$rc" 0 'SIGUSR1 does no harm'

# No second process: the clean-up and the receipt do not need one.
if ((EUID == 0)); then
	chmod 777 "$D" && mkdir -m 777 "$T/nobody" && chmod 711 "$T"
	R=$T/nobody/receipt.json
	WRAP=(setpriv --reuid=65534 --clear-groups prlimit --nproc=1)
	measure "$D" "${TINY[@]}"
	is "$rc" 3 'no process may be forked: exit code 3'
	holds '.complete == false and .cleanup.lab_removed' 'there is a receipt'
	clean_dir "$D" 'nothing is left'
	R=$T/receipt.json
	WRAP=()
fi

# A worker that stands still is given up when the limit says so, not later.
start "$D" "${ONE[@]}" --stall-limit 1s
wait_until 10 said 'window 1/1'
worker=$(pgrep -P "$pid" | head -n 1)
kill -STOP "$worker"
finish 5
is "$rc" 3 '--stall-limit 1s ends it within 5 s'
clean_dir "$D" 'nothing is left'

# The worker ends with its parent even where prctl is denied.
if command -v strace >/dev/null; then
	rm -f "$R"
	strace -f -qq -o /dev/null -e inject=prctl:error=EPERM \
		"$IORECEIPT" run --dir "$D" --out "$R" "${ONE[@]}" \
		>/dev/null 2>"$T/err" </dev/null &
	pid=$!
	undo "end_process $pid"
	wait_until 10 said 'window 1/1'
	parent=$(pgrep -P "$pid" | head -n 1)
	worker=$(pgrep -P "$parent" | head -n 1)
	kill -KILL "$parent"
	ok 'prctl denied: the worker ends after its window' wait_until 10 not alive "$worker"
	run "$IORECEIPT" clean --dir "$D"
	is "$rc" 0 'and its lab can be cleaned'
fi
done_testing
