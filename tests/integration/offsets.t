#!/bin/bash
# Offsets and directions are fio's own: what strace sees of the shipped binary
# is compared with the iolog of the fio that is installed.
#
# twice: strace on a busy machine leaves few I/Os to compare
. "$(dirname "$0")/lib.sh"
need jq strace fio

D=$T/disk
mkdir "$D"
version=$(fio --version | sed 's/^fio-3\.\([0-9]*\).*/\1/')
if ((version >= 35)); then
	sequence=fio3.35
else
	sequence=fio3.34
fi

# ours: lines "read OFFSET LENGTH" of the trace, in the order of submission.
ours()
{
	sed -nE -e 's/.*IOCB_CMD_PREAD,.*aio_nbytes=([0-9]+), aio_offset=([0-9]+).*/read \2 \1/p' \
		-e 's/.*IOCB_CMD_PWRITE,.*aio_nbytes=([0-9]+), aio_offset=([0-9]+).*/write \2 \1/p' \
		-e 's/.*pwrite64\([0-9]+, .*, (8192), ([0-9]+)\) += 8192$/write \2 \1/p' "$T"/trace.* >"$T/ours"
	rm -f "$T"/trace.*
}

# same NAME WORDS...: the first I/Os of both, at least 1100.
same()
{
	local name=$1 n
	shift
	rm -f "$T/iolog"
	fio --name=x --filename="$T/target" --direct=1 --time_based=1 --runtime=1 \
		--write_iolog="$T/iolog" --output="$T/fio" "${@/#/--}" >"$T/fio.err" 2>&1
	awk '/ (read|write) / { print $(NF-2), $(NF-1), $NF }' "$T/iolog" >"$T/theirs"
	WRAP=(strace -ff --seccomp-bpf -qq -s 8 -o "$T/trace" -e trace=io_submit,pwrite64)
	measure "$D" --sequence $sequence --job "name=x time_based=1 runtime=4 $*"
	WRAP=()
	is "$rc" 0 "$name: a run under strace" || tail -n 3 "$T/err" | sed 's/^/# /'
	ours
	n=$(($(wc -l <"$T/ours") < $(wc -l <"$T/theirs") ? $(wc -l <"$T/ours") : $(wc -l <"$T/theirs")))
	ok "$name: enough of them" test "$n" -ge 1100
	head -n "$n" "$T/ours" >"$T/a"
	head -n "$n" "$T/theirs" >"$T/b"
	ok "$name: $n I/Os are fio's ($sequence)" cmp "$T/a" "$T/b" || diff "$T/a" "$T/b" | head -n 6 | sed 's/^/# /'
}

# 1024 blocks: the random map is full once at least.
same randread rw=randread bs=4k size=4M iodepth=1 ioengine=libaio
same 'randread, deep' rw=randread bs=4k size=4M iodepth=32 ioengine=libaio
same 'mix 70/30' rw=randrw rwmixread=70 bs=4k size=4M iodepth=4 ioengine=libaio
same 'mix 50/50 without a map' rw=randrw rwmixread=50 bs=4k size=12M iodepth=2 norandommap=1 ioengine=libaio
same 'psync writes' rw=randwrite bs=8k size=8M iodepth=1 ioengine=psync
same 'another seed' rw=randread bs=4k size=4M iodepth=8 randseed=4711 ioengine=libaio
same sequential rw=read bs=4k size=4M iodepth=8 ioengine=libaio

# The newer generation by its first offsets (fio 3.39, 512 MiB, blocks of 4 KiB).
WRAP=(strace -ff --seccomp-bpf -qq -o "$T/trace" -e trace=io_submit)
measure "$D" --job 'rw=randread bs=4k size=512M number_ios=3'
WRAP=()
ours
is "$(awk '{ print $2 }' "$T/ours" | tr '\n' ' ')" '524533760 464891904 352600064 ' \
	'the default is the sequence of fio 3.35 and later'
done_testing
