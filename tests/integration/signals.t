#!/bin/bash
# D4: INT, TERM, HUP and QUIT in each phase: 128+n, a valid partial receipt,
# the lab gone.
#
# twice: a signal has to come inside a short window
. "$(dirname "$0")/lib.sh"
need root jq strace

D=$T/disk
mkdir "$D"
declare -A number=([HUP]=1 [INT]=2 [QUIT]=3 [TERM]=15)

# ended SIGNAL NAME WINDOWS: the outcome; WINDOWS were measured before.
ended()
{
	is "$rc" $((128 + number[$1])) "$1 $2: exit code" || tail -n 3 "$T/err" | sed 's/^/# /'
	if [[ -e $R ]]; then
		holds '.complete == false and (.incomplete | length > 0)' "$1 $2: the receipt is partial"
		is "$(field '[.windows[]? | select(.read.iops or .write.iops)] | length')" "$3" \
			"$1 $2: figures of the $3 windows that were measured, no other"
	else
		ok "$1 $2: there is a receipt" false
	fi
	clean_dir "$mnt" "$1 $2: the lab is gone"
}

# at_call CALL SIGNAL: a run that is sent SIGNAL while it is held, by strace, at
# its first CALL.
declare -A number_of=([mkdirat]=258 [unlinkat]=263) # x86_64
in_call()
{
	local p
	for p in $(pgrep -P "$pid") $(pgrep -P "$pid" | xargs -r -n 1 pgrep -P); do
		grep -q "^${number_of[$1]} " "/proc/$p/syscall" && return
	done
	return 1
}
at_call()
{
	WRAP=(strace -f --seccomp-bpf -qq -o "$T/trace" -e "trace=$1" -e "inject=$1:delay_enter=1500ms:when=1")
	start "$D" --job 'rw=randread bs=4k size=1M runtime=100ms time_based=1'
	WRAP=()
	wait_until 5 in_call "$1" || diag "$1 was not seen"
	kill -$2 "$(pgrep -P "$pid")"
	finish 10
}

mnt=$D
for signal in INT TERM HUP QUIT; do
	at_call mkdirat $signal
	ended $signal 'in the guard' 0
	at_call unlinkat $signal
	ended $signal 'in clean-up' 1
done
for signal in INT TERM HUP QUIT; do
	for n in 1 2 3 4 5 6; do
		start "$D" --size 4M --runtime 400ms
		wait_until 20 said "window ${n}[/ ]|\b${n}/6|\b${n} of 6" || diag "window $n was not seen"
		sleep 0.08
		kill -$signal "$pid"
		finish 5
		ended $signal "in window $n" $((n - 1))
	done
done

# Prepare, on a disk that needs 40 ms for each write.
fault_disk slow 4G delay=40:write:1+
for signal in INT TERM HUP QUIT; do
	start "$mnt" --size 64M --runtime 200ms
	wait_until 10 said 'prepar' || diag 'prepare was not seen'
	sleep 0.5
	kill -$signal "$pid"
	finish 10
	ended $signal 'in prepare' 0
done
mnt=$D

# As a terminal does it: to all processes of the group, and twice.
for signal in INT QUIT; do
	rm -f "$R"
	: >"$T/err"
	setsid "${defaults[@]}" "$IORECEIPT" run --dir "$D" --out "$R" --no-sign "${QUICK[@]}" >"$T/out" 2>"$T/err" </dev/null &
	pid=$!
	undo "end_process $pid"
	wait_until 20 said 'window 2[/ ]|\b2/6|\b2 of 6'
	kill -$signal -- "-$pid"
	kill -$signal -- "-$pid" 2>/dev/null
	finish 5
	ended $signal 'to the whole group, twice' 1
done

# Ctrl-Z inside a window: the time that passed belongs to no measurement.
rm -f "$R"
: >"$T/err"
setsid "${defaults[@]}" "$IORECEIPT" run --dir "$D" --out "$R" --no-sign --job \
	'name=z rw=randread bs=4k size=16M runtime=2 time_based=1' >"$T/out" 2>"$T/err" </dev/null &
pid=$!
undo "end_process $pid"
wait_until 20 said 'window 1[/ ]|\b1/1|\b1 of 1'
sleep 0.3
kill -TSTP -- "-$pid"
sleep 0.5
kill -CONT -- "-$pid"
finish 10
is "$rc" 3 'SIGTSTP inside a window: exit code 3'
holds '.complete == false' 'SIGTSTP: not complete'
clean_dir "$D" 'SIGTSTP: the lab is gone'

# The worker dies of itself (the kernel's OOM killer takes it).
start "$D" --job 'name=k rw=randread bs=4k size=16M runtime=5 time_based=1'
wait_until 20 said 'window 1[/ ]|\b1/1|\b1 of 1'
sleep 0.3
kill -KILL "$(pgrep -P "$pid")"
finish 5
is "$rc" 3 'the worker is killed: exit code 3'
holds '.complete == false and ([.windows[]? | select(.read.iops)] | length == 0)' 'no figure of its window'
clean_dir "$D" 'the lab is gone'
done_testing
