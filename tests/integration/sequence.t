#!/bin/bash
# Offsets and directions are fio's own, bit for bit, over passes of the random
# map: our sequence beside what the installed fio logs. The null engine does no
# I/O, so that 300,000 of them take less than a second.
. "$(dirname "$0")/lib.sh"
need fio awk cmp
dump=${BUILD:?where the objects are}/tests/tools/sequence_dump
[[ $dump == /* ]] || dump=$top/$dump
COUNT=300000

version=$(fio --version)
minor=${version#fio-3.}
minor=${minor%%[!0-9]*}
if ((minor >= 35)); then generation=fio3.35; else generation=fio3.34; fi
diag "$version: $generation"

# fio_log THREADS WORDS...: what thread k issued is in $T/fio.k, "read 4096" a
# line. Several threads would tear one iolog: their latency logs tell offsets.
fio_log()
{
	local threads=$1 runtime=300 k least
	shift
	while :; do
		rm -f "$T"/fio.* "$T"/log*
		if ((threads == 1)); then
			fio --name=x --ioengine=null --time_based=1 --runtime=${runtime}ms \
				--write_iolog="$T/log" "${@/#/--}" >"$T/out" 2>&1 || return 1
			awk '$(NF - 2) == "read" || $(NF - 2) == "write" {
				print $(NF - 2), $(NF - 1) }' "$T/log" |
				head -n $COUNT >"$T/fio.0"
		else
			fio --name=x --ioengine=null --time_based=1 --runtime=${runtime}ms \
				--write_lat_log="$T/log" --log_offset=1 --disable_clat=1 \
				--disable_slat=1 "${@/#/--}" >"$T/out" 2>&1 || return 1
			for ((k = 0; k < threads; k++)); do
				awk -F', *' '{ print $3 ? "write" : "read", $5 }' \
					"$T/log_lat.$((k + 1)).log" |
					head -n $COUNT >"$T/fio.$k"
			done
		fi
		least=$(wc -l "$T"/fio.* | awk '$2 != "total" { print $1 }' | sort -n | head -n 1)
		((least >= COUNT || runtime > 5000)) && break
		runtime=$((runtime * 2))
	done
	((least > 0))
}

# same WORDS...: both sequences are one
same()
{
	local threads=1 word k lines
	for word; do
		[[ $word == numjobs=* ]] && threads=${word#*=}
	done
	fio_log "$threads" "$@" || {
		tail -n 3 "$T/out"
		return 1
	}
	for ((k = 0; k < threads; k++)); do
		lines=$(wc -l <"$T/fio.$k")
		"$dump" "$generation" "$k" "$lines" time_based runtime=1 "$@" >"$T/ours" || return 1
		cmp "$T/fio.$k" "$T/ours" || {
			echo "thread $k of $threads, $lines lines"
			diff "$T/fio.$k" "$T/ours" | head -n 6
			return 1
		}
	done
	echo "$lines" >"$T/lines"
}

check()
{
	ok "$*" same "$@" && diag "$(cat "$T/lines") I/Os a thread"
}

check rw=randread bs=4k size=512M
check rw=randrw rwmixread=70 bs=4k size=512M
check rw=randwrite bs=8k size=512M
check rw=randread bs=4k size=2G norandommap=1
check rw=randread bs=4k size=517M
check rw=randrw rwmixread=97 bs=12k size=100000000
check rw=rw rwmixread=60 bs=4k size=1000001
check rw=randread bs=4k size=64M numjobs=2
check rw=randrw bs=4k size=8M numjobs=4 offset_increment=8M
check rw=read bs=64k size=16M numjobs=3 offset_increment=4M

# Drawn anew in each run: the name of a failed check is all that repeats it.
draw()
{
	echo $(($1 + (RANDOM * 32768 + RANDOM) % ($2 - $1 + 1)))
}
patterns=(read write rw randread randwrite randrw)
for _ in 1 2 3 4 5 6; do
	bs=$((512 * $(draw 1 64)))
	words=(rw="${patterns[$(draw 0 5)]}" bs=$bs size=$(($(draw 1 60000) * bs + $(draw 0 $((bs - 1)))))
		rwmixread="$(draw 0 100)")
	(($(draw 0 1))) && words+=(randseed="$(draw 1 1000000000)")
	(($(draw 0 3))) || words+=(norandommap=1)
	(($(draw 0 2))) || words+=(numjobs=2)
	check "${words[@]}"
done
done_testing
