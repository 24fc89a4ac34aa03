#!/bin/bash
# The N-th system call of a kind fails, for N = 1, 2, 3, ... until a run passes:
# each time the right exit code, a valid receipt and nothing left.
. "$(dirname "$0")/lib.sh"
need root jq strace

D=$T/disk
mkdir "$D"
trace=$T/trace

# inject CALL WHAT WHEN [OPTION...]: one run in which CALL fails.
inject()
{
	local call=$1 what=$2 when=$3
	shift 3
	WRAP=(strace -f --seccomp-bpf -qq -o "$trace" -e "trace=$call" -e "inject=$call:$what:when=$when")
	measure "$D" "${@:-${TINY[@]}}"
	WRAP=()
}

# sweep CALL ERRNO CODES [OPTION...]: N = 1, 2, 3, ...; the exit code must be one
# of CODES, and the outcome must fit together. strace counts the calls of each
# process, so that a run, its worker and its helpers may each have a fault.
sweep()
{
	local call=$1 error=$2 codes=$3 n bad=0 seen= faults
	shift 3
	LATER=0
	for ((n = 1; n <= 600; n++)); do
		inject "$call" "error=$error" "$n" "$@"
		faults=$(grep -c INJECTED "$trace")
		((faults > 0)) || break
		seen+=" $rc"
		# what unpacks the program came no further
		[[ $rc != 2 ]] || ! grep -q 'not enough memory to unpack' "$T/err" || continue
		if ! consistent "$D" >"$T/.told" || [[ " $codes " != *" $rc "* ]]; then
			bad=$((bad + 1))
			((bad > 5)) || {
				diag "$call $error N=$n: exit code $rc: $(grep INJECTED "$trace" | head -n 2)"
				diag "$(cat "$T/.told")"
			}
		fi
		rm -rf --one-file-system "$D"/ioreceipt-lab
	done
	is "$bad" 0 "$call fails with $error, N = 1 to $((n - 1)): each outcome fits"
	ok "$call $error: it was called, and a run passes in the end" test "$n" -gt 1 -a "$n" -le 600 -a "$rc" = 0
	valid_later "$call $error"
	diag "exit codes:$(tr ' ' '\n' <<<"$seen" | sort -n | uniq -c | awk 'NF > 1 { printf " %s (%s times)", $2, $1 }')"
}

# No asynchronous I/O at all: refused, in words.
for error in EPERM ENOSYS EAGAIN; do
	inject io_setup "error=$error" 1+
	is "$rc" 2 "io_setup $error: exit code 2"
	holds '.complete == false' "io_setup $error: the receipt is a refusal"
	clean_dir "$D" "io_setup $error: nothing is left"
	cp "$T/err" "$T/io_setup.$error"
done
like "$T/io_setup.EAGAIN" 'fs.aio-max-nr' 'EAGAIN names the sysctl'
like "$T/io_setup.ENOSYS" 'sandbox|container|seccomp' 'ENOSYS names the sandbox'
like "$T/io_setup.EPERM" 'sandbox|container|seccomp' 'EPERM names the sandbox'

psync=(--job 'name=tiny rw=randwrite bs=8k size=64k ioengine=psync fdatasync=1')
sweep io_submit EIO '3'
sweep io_submit EAGAIN '0 3' # "try again later" may be met by trying again
sweep io_getevents EINTR '0 3' --reap syscall "${TINY[@]}"
sweep io_getevents EIO '3' --reap syscall "${TINY[@]}"
sweep fdatasync EIO '3' "${psync[@]}"
sweep fsync EIO '3 6'
sweep pwrite64 EIO '3' "${psync[@]}"
sweep pwrite64 ENOSPC '3' "${psync[@]}"
sweep write EIO '0 2 3 5 6'
sweep write ENOSPC '0 2 3 5 6'
sweep openat EIO '0 2 3 5 6'
sweep openat EMFILE '0 2 3 5 6'
sweep open EIO '0 2 3 5 6'
sweep open EMFILE '0 2 3 5 6'
sweep fstat EIO '0 2 3 5 6'
sweep newfstatat EIO '0 2 3 5 6'
sweep statx EIO '0 2 3 5 6'
sweep getdents64 EIO '0 2 3 5 6'
sweep ioctl EIO '0 2 3 5 6'
sweep mmap ENOMEM '0 2 3 5 6'
sweep linkat EIO '0 6'
sweep unlinkat EIO '5'
sweep mkdirat EACCES '2'
sweep flock EAGAIN '0 2' # tried again for a while
sweep fork EAGAIN '0 2 3 5 6'

# A short transfer is an error of the window, never a figure.
inject pwrite64 retval=512 5 "${psync[@]}"
is "$rc" 3 'a short pwrite: exit code 3'
inject io_getevents retval=0 3 --reap syscall "${TINY[@]}"
ok 'io_getevents that returns nothing' consistent "$D"
done_testing
