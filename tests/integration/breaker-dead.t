#!/bin/bash
# stdout and stderr are files on the very disk that hangs: the exit code is
# delivered all the same, and nothing waits for that disk without a limit.
#
# twice: seconds are counted
. "$(dirname "$0")/lib.sh"
need root losetup
fault_disk disk 4G
"$IORECEIPT" run --dir "$mnt" --out "$mnt/receipt.json" --stall-limit 3s \
	--job 'name=w rw=randwrite bs=4k size=16M ioengine=psync fdatasync=1 time_based=1 runtime=30' \
	</dev/null >"$mnt/out" 2>"$mnt/err" &
pid=$!
undo "end_process $pid"
wait_until 20 grep -q 'window 1/1' "$mnt/err"
sleep 1
kill -STOP "$fault"
began=$(date +%s)
finish 60
is "$rc" 3 'exit code 3'
ok 'within 45 s' test $(($(date +%s) - began)) -lt 45
diag "after $(($(date +%s) - began)) s"
done_testing
