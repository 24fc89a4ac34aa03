# Ground of the integration tests: TAP, runs of the binary, rigs of storage.
# shellcheck shell=bash
#
# A test sources this file, calls rigs and asserts, and ends with
# done_testing. Everything that a rig sets up is undone at exit, whatever
# happened, last things first. Globals that functions set are named with them.
#
#   IORECEIPT      absolute path of the binary under test (given by make)
#   TEST_DISK      a directory on a real disk, default /var/tmp
#   T              this test's own directory on TEST_DISK
set -u
: "${IORECEIPT:?the absolute path of the binary under test}"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
export LC_ALL=C
unset NO_COLOR COLUMNS TERM LANG LC_CTYPE

# ---- what is undone at exit ---------------------------------------------------

undo_list=()

# undo COMMAND: runs COMMAND when the test ends, before all that was named
# earlier.
undo()
{
	undo_list+=("$1")
}

at_exit()
{
	local i
	for ((i = ${#undo_list[@]} - 1; i >= 0; i--)); do
		eval "${undo_list[i]}" >/dev/null 2>&1
	done
	undo_list=()
}
trap at_exit EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

T=$(mktemp -d "${TEST_DISK:-/var/tmp}/ioreceipt-test.XXXXXX") || exit 1
undo 'rm -rf --one-file-system "$T"'

# ---- TAP ----------------------------------------------------------------------

tests=0 failed=0

diag()
{
	printf '%s\n' "$*" | sed 's/^/# /'
}

# ok NAME COMMAND...: holds if COMMAND succeeds.
ok()
{
	local name=$1
	shift
	tests=$((tests + 1))
	if "$@" >"$T/.why" 2>&1; then
		echo "ok $tests - $name"
		return 0
	fi
	failed=$((failed + 1))
	echo "not ok $tests - $name"
	diag "failed: $*"
	head -c 1500 "$T/.why" | sed 's/^/# /'
	return 1
}

# is GOT WANTED NAME
is()
{
	ok "$3" test "$1" = "$2" || diag "got: $1" || :
	[[ $1 == "$2" ]] || diag "wanted: $2"
}

# like FILE EXTENDED-REGEX NAME
like()
{
	ok "$3" grep -Eqi -- "$2" "$1" || {
		diag "no match for: $2"
		tail -n 12 "$1" | sed 's/^/#   /'
	}
}

# unlike FILE EXTENDED-REGEX NAME
unlike()
{
	ok "$3" not grep -Eqi -- "$2" "$1" || grep -Ei -- "$2" "$1" | head -n 5 | sed 's/^/#   /'
}

not()
{
	! "$@"
}

# skip_all REASON: ends the test, loudly; scripts/run-test makes it a failure
# where CI's machine could have run it.
skip_all()
{
	if ((tests == 0)); then
		echo "1..0 # SKIP $1"
		exit 0
	fi
	echo "ok $((tests + 1)) - the rest # SKIP $1"
	echo "1..$((tests + 1))"
	exit $((failed > 0))
}

# need TOOL...: skips unless each tool is here; "root" is a right.
need()
{
	local tool
	for tool; do
		if [[ $tool == root ]]; then
			((EUID == 0)) || skip_all 'needs root'
		else
			command -v "$tool" >/dev/null || skip_all "needs $tool"
		fi
	done
}

done_testing()
{
	echo "1..$tests"
	exit $((failed > 0))
}

# ---- runs ---------------------------------------------------------------------

# run [-t SECONDS] COMMAND...: sets rc (124 or 137 = took too long); the output
# is in $T/out and $T/err.
run()
{
	local limit=60
	if [[ $1 == -t ]]; then
		limit=$2
		shift 2
	fi
	timeout -k 5 "$limit" "$@" >"$T/out" 2>"$T/err" </dev/null
	rc=$?
}

# saved: the receipt that was printed because its file could not be written.
saved()
{
	cat "$T/out" "$T/err" | grep -a '^{"' >"$R" || rm -f "$R"
}

# measure DIR OPTIONS...: a run of the binary with its receipt in $R, which is
# checked wherever it was written. Sets rc. WRAP may hold a command that the
# binary is to run under, LIMIT another time limit.
R=$T/receipt.json
WRAP=()
measure()
{
	local dir=$1
	shift
	rm -f "$R"
	run -t "${LIMIT:-60}" "${WRAP[@]}" "$IORECEIPT" run --dir "$dir" --out "$R" \
		--no-sign "$@"
	[[ -e $R ]] || saved
	[[ ! -e $R ]] || valid_receipt "$R"
}

# A shell without job control has what it sends to the background ignore
# these two, and the binary respects that.
defaults=(env --default-signal=INT,QUIT)

# start DIR OPTIONS...: the same in the background; sets pid.
start()
{
	local dir=$1
	shift
	rm -f "$R"
	: >"$T/err"
	"${defaults[@]}" "${WRAP[@]}" "$IORECEIPT" run --dir "$dir" --out "$R" --no-sign "$@" \
		>"$T/out" 2>"$T/err" </dev/null &
	pid=$!
	undo "end_process $pid"
}

# end_process PID: kills it if it is (still) a child of this test.
end_process()
{
	[[ $(ps -o ppid= -p "$1") -eq $BASHPID ]] && kill -KILL "$1"
}

# finish [SECONDS]: waits for what start began; sets rc (timeout = killed).
finish()
{
	local n=$((${1:-60} * 50))
	while ((n-- > 0)) && alive "$pid"; do
		sleep 0.02
	done
	if alive "$pid"; then
		kill -KILL "$pid"
		rc=timeout
		return
	fi
	wait "$pid"
	rc=$?
	[[ ! -e $R ]] || valid_receipt "$R"
}

# alive PID: runs still; a zombie has ended.
alive()
{
	local stat
	stat=$(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null) || return 1
	[[ -n $stat && ${stat%% *} != [ZX] ]]
}

# wait_until SECONDS COMMAND...: polls; fails when the time is over.
wait_until()
{
	local n=$(($1 * 50))
	shift
	until "$@" >/dev/null 2>&1; do
		((n-- > 0)) || return 1
		sleep 0.02
	done
}

# said REGEX: what the run in the background has said on stderr by now.
said()
{
	grep -Eqi -- "$1" "$T/err"
}

# Options of a run that takes little time: six windows of the default suite, or
# one window that is a single pass of 16 I/Os (for runs by the hundred).
QUICK=(--size 16M --runtime 300ms)
ONE=(--job 'name=one rw=randread bs=4k size=16M iodepth=32 time_based=1 runtime=1')
TINY=(--job 'name=tiny rw=randrw bs=4k size=64k iodepth=4')

# ---- receipts -----------------------------------------------------------------

# valid_receipt FILE: an independent validator and the rules that no schema can
# say. A failure is a failed test; a success is silent, runs are many. With LATER set
# the receipts are kept for valid_later, which checks them all at once.
LATER=
valid_receipt()
{
	if [[ -n $LATER ]]; then
		LATER=$((LATER + 1))
		cp "$1" "$T/later.$LATER.json"
	elif ! check_receipts "$1" >"$T/.valid" 2>&1; then
		ok "receipt is valid: ${1##*/}" false
		sed 's/^/# /' "$T/.valid" | head -n 20
	fi
}

check_receipts()
{
	/usr/bin/python3 "$here/check-receipt.py" "$top/src/receipt/receipt.schema.json" "$@"
}

# valid_later NAME
valid_later()
{
	[[ $LATER == 0 ]] || ok "$1: $LATER receipts are valid" check_receipts "$T"/later.*.json
	rm -f "$T"/later.*.json
	LATER=
}

# field JQ-EXPRESSION [FILE]: prints what it finds in the receipt.
field()
{
	jq -r "$1" "${2:-$R}" 2>/dev/null
}

# holds JQ-EXPRESSION NAME: a test on the receipt.
holds()
{
	ok "$2" jq -e "$1" "$R"
}

# consistent DIR: does the outcome of a run fit together: rc, receipt and what
# is left in DIR? For faults that may hit anywhere, several at a time. Prints
# what does not fit.
consistent()
{
	local dir=$1 complete=absent left=none
	[[ ! -e $R ]] || complete=$(field .complete)
	[[ -z $(find "$dir" -xdev -name '*ioreceipt-lab*') ]] || left=lab
	[[ $left == none || $complete == absent ]] || left=$(field '.cleanup.lab_removed == false | if . then "told" else "hidden" end')
	case $rc,$complete,$left in
	0,true,none | 2,false,none | 3,false,none | 5,false,*) return ;;
	6,true,none | 6,false,none) return ;;
	2,false,told) return ;; # the refusal goes first
	# before the guard
	6,absent,none) ! grep -q 'cannot write' "$T/err" && ((${faults:-1} < 2)) || return 0 ;;
	# no memory for one; several faults at once, in the receipt's way, too
	2,absent,none | 3,absent,none) ! grep -q 'out of memory' "$T/err" && ((${faults:-1} < 2)) || return 0 ;;
	esac
	echo "exit code $rc, complete: $complete, lab: $left"
	tail -n 5 "$T/err"
	return 1
}

# clean_dir DIR NAME: nothing of ours is below DIR.
clean_dir()
{
	find "$1" -xdev -name '*ioreceipt-lab*' >"$T/.left" 2>&1
	ok "$2" not test -s "$T/.left" || sed 's/^/# /' "$T/.left"
}

# ---- rigs ---------------------------------------------------------------------

# settle COMMAND...: tries for 2 s; what was just closed may be busy still.
settle()
{
	wait_until 2 "$@"
}

# attach FILE [LOSETUP-OPTION...]: sets loop to the new loop device.
attach()
{
	local file=$1
	shift
	loop=$(losetup --show -f "$@" "$file") || return 1
	undo "settle losetup -d $loop"
}

# mount_at NAME SOURCE [MOUNT-OPTION...]: mounts at $T/NAME; sets mnt.
mount_at()
{
	local name=$1 source=$2
	shift 2
	mnt=$T/$name
	mkdir -p "$mnt"
	mount "$@" "$source" "$mnt" || return 1
	undo "settle umount '$mnt' || umount -l '$mnt'"
}

# image NAME SIZE TYPE [MKFS-OPTION...]: a sparse file with a filesystem; sets img.
image()
{
	local name=$1 size=$2 type=$3 quiet=-q
	shift 3
	img=$T/$name.img
	rm -f "$img"
	truncate -s "$size" "$img"
	if [[ $type == ext4 ]]; then
		set -- -F -E lazy_itable_init=0,lazy_journal_init=0,nodiscard "$@"
	fi
	"mkfs.$type" $quiet "$@" "$img"
}

# disk NAME SIZE TYPE [MKFS-OPTION...]: the same, as a loop device with direct
# I/O, mounted. LOSETUP and MOUNT may hold further options. Sets img loop mnt.
LOSETUP=()
MOUNT=()
disk()
{
	local name=$1
	image "$@" >"$T/.mkfs" 2>&1 || skip_all "mkfs: $(cat "$T/.mkfs")"
	attach "$img" --direct-io=on "${LOSETUP[@]}" || skip_all 'no loop device'
	mount_at "$name" "$loop" "${MOUNT[@]}" || skip_all "cannot mount $3"
}

# memory_disk NAME SIZE: ext4 on a zram device of its own; sets mnt.
memory_disk()
{
	local n
	[[ -e /sys/class/zram-control/hot_add ]] || skip_all 'needs zram'
	n=$(cat /sys/class/zram-control/hot_add)
	undo "echo $n >/sys/class/zram-control/hot_remove"
	undo "echo 1 >/sys/block/zram$n/reset"
	echo "$2" >"/sys/block/zram$n/disksize"
	mkfs.ext4 -q -F -E nodiscard "/dev/zram$n" 2>/dev/null
	mount_at "$1" "/dev/zram$n"
}

# fault_disk NAME SIZE [RULE...]: ext4 on a loop device on a file that faultdisk
# serves by its rules (see faultdisk.c). Sets mnt, loop, fault (its pid):
# kill -USR1 arms the rules after "wait", kill -USR2 heals,
# kill -STOP hangs the device.
fault_disk()
{
	local name=$1
	need root cc losetup
	[[ -c /dev/fuse ]] || skip_all 'needs /dev/fuse'
	image "$1" "$2" ext4 >/dev/null 2>&1
	shift 2
	[[ -x $T/faultdisk ]] || cc -O1 -o "$T/faultdisk" "$here/faultdisk.c" ||
		skip_all 'faultdisk.c does not compile'
	: >"$T/$name.fuse"
	"$T/faultdisk" "$img" "$T/$name.fuse" "$@" &
	fault=$!
	undo "umount -l '$T/$name.fuse'"
	fuse_disk "$name" "$fault" "$T/$name.fuse"
}

# qemu_disk NAME SIZE [BLKDEBUG-LINE...]: the same by qemu-storage-daemon. It
# serves one request after the other: its FUSE export mixes up the data of
# writes that overlap (seen in 7.2).
qemu_disk()
{
	local name=$1 node=fuse dev=
	need root qemu-storage-daemon losetup
	image "$1" "$2" ext4 >/dev/null 2>&1
	shift 2
	printf '%s\n' "$@" >"$T/$name.blkdebug"
	: >"$T/$name.fuse"
	qemu-storage-daemon \
		--blockdev "driver=file,node-name=file,filename=$img" \
		--blockdev "driver=blkdebug,node-name=debug,image=file,config=$T/$name.blkdebug" \
		--blockdev driver=raw,node-name=fuse,file=debug \
		--export "type=fuse,id=e,node-name=$node,mountpoint=$T/$name.fuse,writable=on" \
		>"$T/.qemu" 2>&1 &
	fault=$!
	undo "umount -l '$T/$name.fuse'"
	wait_until 5 mountpoint -q "$T/$name.fuse" || skip_all "qemu-storage-daemon: $(cat "$T/.qemu")"
	mountpoint -q /sys/fs/fuse/connections || mount -t fusectl none /sys/fs/fuse/connections
	dev=$(($(stat -c %d "$T/$name.fuse")))
	echo 1 >"/sys/fs/fuse/connections/$dev/max_background"
	fuse_disk "$name" "$fault" "$T/$name.fuse"
}

# fuse_disk NAME PID FILE: the common end of both. A dead server must go first:
# then the kernel fails what hangs, and the rest can be taken down.
fuse_disk()
{
	undo "wait $2"
	wait_until 5 mountpoint -q "$3" || skip_all 'the FUSE export did not come up'
	attach "$3" --direct-io=on || skip_all 'no loop device'
	mount_at "$1" "$loop" || skip_all 'cannot mount the faulty disk'
	undo "kill -CONT $2; kill -KILL $2; sleep 0.2"
}

# cgroup CONTROLLER: a version 1 group of our own; sets cg.
cgroup()
{
	local root=/sys/fs/cgroup/$1
	need root
	[[ -d $root && -e $root/cgroup.procs ]] || skip_all "needs cgroup v1 $1"
	cg=$root/ioreceipt-test-$$
	mkdir -p "$cg"
	undo "settle rmdir $cg"
}

# in_group CGROUP COMMAND...: to be used as WRAP.
in_group=(sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"')

# device_of PATH: major:minor of the disk below PATH, for blkio.
device_of()
{
	local source
	source=$(findmnt -n -o SOURCE -T "$1")
	source=$(lsblk -n -o PKNAME "$source" 2>/dev/null | head -n 1 | sed 's,^.,/dev/&,')
	[[ -n $source ]] || source=$(findmnt -n -o SOURCE -T "$1")
	lsblk -d -n -o MAJ:MIN "$source" | tr -d ' '
}
