#!/bin/bash
# Disks that hang: announced after 5 s, survived if they come back, given up at
# --stall-limit, with a partial receipt and the exit code delivered at once.
#
# twice: seconds are counted
. "$(dirname "$0")/lib.sh"
need root jq losetup fsfreeze

# Each case has a disk and a process of its own; they wait side by side.
job() { echo "name=w rw=$1 bs=4k size=16M iodepth=32 time_based=1 runtime=$2"; }


# case_begin NAME: a shell of its own for one case.
pids=()
case_begin()
{
	(
		trap at_exit EXIT
		undo_list=()
		S=$T/$1
		mkdir -p "$S"
		T=$S R=$S/receipt.json
		tests=0 failed=0
		"$1"
	) >"$T/$1.tap" 2>&1 &
	pids+=($!)
}

hang_of_8_s()
{
	fault_disk disk 4G
	start "$mnt" --job "$(job randread 4)"
	wait_until 20 said 'window 1[/ ]|\b1/1|\b1 of 1'
	sleep 0.5
	kill -STOP "$fault"
	sleep 8
	like "$T/err" 'stall|no answer|waiting|not answer|outstanding' 'a hang of 8 s is announced'
	kill -CONT "$fault"
	finish
	is "$rc" 0 'and survived: exit code 0'
	holds '.complete and .windows[0].read.lat_ns.max > 7e9' 'the worst latency is in the receipt'
	holds '.windows[0].longest_gap_ns > 7e9' 'the gap too'
	clean_dir "$mnt" 'nothing is left'
}

hang_in_prepare()
{
	fault_disk disk 4G delay=100:write:1+
	start "$mnt" --size 64M --job "$(job randread 1)"
	wait_until 20 said prepar
	sleep 0.5
	kill -STOP "$fault"
	sleep 7
	like "$T/err" 'stall|no answer|waiting|not answer|outstanding' 'a hang in prepare is announced'
	kill -CONT "$fault"
	kill -USR2 "$fault"
	finish
	is "$rc" 0 'a hang in prepare is survived'
}

# The default place of the receipt is on the very disk that hangs, and the
# caller reads our output until its end.
dead()
{
	local began ended
	fault_disk disk 4G "${@:2}"
	cd "$mnt" || exit 1
	(
		timeout -k 1 90 "$IORECEIPT" run --dir "$mnt" --no-sign --stall-limit 6s ${size:+--size "$size"} \
			--job "$1" </dev/null 2>"$T/err"
		echo $? >"$T/rc"
	) | cat >"$T/out" &
	local reader=$!
	wait_until 20 said "$phase"
	sleep 0.5
	kill -STOP "$fault"
	began=$(date +%s%N)
	wait "$reader"
	ended=$(date +%s%N)
	cd / || exit 1
	is "$(cat "$T/rc")" 3 "dead in $what: exit code 3"
	ok "dead in $what: given up in time, the caller sees the end of output at once" \
		test $(((ended - began) / 1000000000)) -le 19 # 6 + 5 clean-up + 5 output + 2
	diag "took $(((ended - began) / 1000000)) ms"
	ok "dead in $what: the device is dead still" grep -q 'T (stopped)' "/proc/$fault/status"
	cat "$T/out" "$T/err" | grep -a '^{"' >"$R" # a receipt is one line
	ok "dead in $what: the receipt is on stdout or stderr" test -s "$R" && valid_receipt "$R"
	holds '.complete == false and (.incomplete | length > 0)' "dead in $what: it is partial"
	local removed
	removed=$(field .cleanup.lab_removed)
	[[ $removed == true ]] || like "$T/err" 'ioreceipt-lab may be left' "dead in $what: the lab is named"
	# The device comes back: nothing but the marked directory is left.
	kill -CONT "$fault"
	kill -USR2 "$fault"
	wait_until 10 not pgrep -f "^$IORECEIPT run --dir $mnt"
	[[ $removed != true ]] || clean_dir "$mnt" "dead in $what: the lab is gone as the receipt says"
	run "$IORECEIPT" clean --dir "$mnt"
	is "$rc" 0 "dead in $what: clean removes the rest"
	clean_dir "$mnt" "dead in $what: nothing is left"
}
dead_in_window() { what='a window' phase='window 1[/ ]|\b1/1|\b1 of 1' dead "$(job randread 30)"; }
dead_in_prepare() { what=prepare phase=prepar size=64M dead "$(job randread 30)" delay=100:write:1+; }
dead_in_flush()
{
	what='a flush' phase='window 1[/ ]|\b1/1|\b1 of 1'
	dead 'name=s rw=randwrite bs=8k size=16M ioengine=psync fdatasync=1 time_based=1 runtime=30'
}

one_lost_of_32()
{
	fault_disk disk 4G wait drop:read:100
	start "$mnt" --stall-limit 8s --job "$(job randread 30)"
	wait_until 20 said 'window 1[/ ]|\b1/1|\b1 of 1'
	sleep 0.5
	kill -USR1 "$fault"
	local began=$SECONDS
	wait_until 9 said 'stall|no answer|not answer|outstanding'
	ok 'one lost I/O among 32 is announced, though the others go on' test $((SECONDS - began)) -le 7
	finish 30
	is "$rc" 3 'and ends the run at the limit: exit code 3'
	ok 'in time' test $((SECONDS - began)) -le 16
	ok 'a receipt was delivered' test -s "$R"
	holds '.complete == false and ([.windows[]? | select(.read.iops)] | length == 0)' 'without a figure'
}

one_lost_comes_back()
{
	fault_disk disk 4G wait drop:read:100
	start "$mnt" --job "$(job randread 2)"
	wait_until 20 said 'window 1[/ ]|\b1/1|\b1 of 1'
	sleep 0.5
	kill -USR1 "$fault"
	sleep 7
	kill -USR2 "$fault"
	finish
	is "$rc" 0 'a lost I/O that comes back after 7 s: complete'
	holds '.windows[0].read | .lat_ns.max > 6.5e9 and .ios > 1000' 'its latency counts'
}

frozen()
{
	disk disk 4G ext4
	start "$mnt" --stall-limit 6s --job "$(job randwrite 30)"
	wait_until 20 said 'window 1[/ ]|\b1/1|\b1 of 1'
	sleep 0.5
	fsfreeze -f "$mnt"
	undo "fsfreeze -u '$mnt'"
	local began=$SECONDS
	finish 25
	is "$rc" 3 'a frozen filesystem: exit code 3'
	ok 'a frozen filesystem: in time' test $((SECONDS - began)) -le 16
	ok 'a frozen filesystem: a receipt' test -s "$R"
	fsfreeze -u "$mnt"
	wait_until 10 not pgrep -f "^$IORECEIPT run --dir $mnt"
	run "$IORECEIPT" clean --dir "$mnt"
	clean_dir "$mnt" 'a frozen filesystem: clean removes the rest after the thaw'
}

# Nothing may be waited for that never comes, not even before the run.
frozen_before()
{
	disk disk 4G ext4
	fsfreeze -f "$mnt"
	undo "fsfreeze -u '$mnt'"
	start "$mnt" --job "$(job randwrite 1)"
	local began=$SECONDS
	finish 25
	is "$rc" 2 'frozen before the run: refused'
	ok 'frozen before the run: in time' test $((SECONDS - began)) -le 16
	said 'does not answer' || ok 'frozen before the run: says so' false
	run -t 25 "$IORECEIPT" run --dir /var/tmp --out "$mnt/receipt.json"
	is "$rc" 6 'no place for the receipt that answers: exit code 6'
	run -t 25 "$IORECEIPT" clean --dir "$mnt"
	is "$rc" 2 'clean of a frozen filesystem: refused'
	fsfreeze -u "$mnt"
	wait_until 10 not pgrep -f "^$IORECEIPT [a-z]* --dir $mnt"
	clean_dir "$mnt" 'frozen before the run: nothing is left after the thaw'
}

stop_signal_while_dead()
{
	fault_disk disk 4G
	start "$mnt" --job "$(job randread 30)"
	wait_until 20 said 'window 1[/ ]|\b1/1|\b1 of 1'
	kill -STOP "$fault"
	sleep 1
	kill -TERM "$pid"
	local began=$SECONDS
	finish 75
	is "$rc" 143 'TERM while the disk is dead: exit code 143'
	ok 'TERM while the disk is dead: within 15 s' test $((SECONDS - began)) -le 15
	ok 'TERM while the disk is dead: a receipt' test -s "$R"
}

cases=(hang_of_8_s hang_in_prepare dead_in_window dead_in_prepare dead_in_flush one_lost_of_32
	one_lost_comes_back frozen frozen_before stop_signal_while_dead)
for c in "${cases[@]}"; do
	case_begin "$c"
done
wait "${pids[@]}"
# Numbered anew, in one list.
for c in "${cases[@]}"; do
	while IFS= read -r line; do
		case $line in
		'ok '*) tests=$((tests + 1)) && echo "ok $tests - ${line#* - }" ;;
		'not ok '*) tests=$((tests + 1)) failed=$((failed + 1)) && echo "not ok $tests - ${line#* - }" ;;
		*) echo "# $c: ${line#\# }" ;;
		esac
	done <"$T/$c.tap"
done
ok 'all cases ran' test "$tests" -ge 30
done_testing
