#!/bin/bash
# D9: a disk that is held to 200 or to 5000 I/Os per second is measured so, and
# a percentile that so few samples cannot carry is withheld.
#
# twice: a rate
. "$(dirname "$0")/lib.sh"
need root jq

# within EXPRESSION WANTED NAME: 2 % off at most
within() { holds "($1) as \$x | \$x > $2 * 0.98 and \$x < $2 * 1.02" "$3: $(field "$1")"; }

for cap in 200 5000; do
	fault_disk "paced$cap" 4G "iops=$cap"
	measure "$mnt" --job "name=a rw=randread bs=4k size=4M iodepth=32 time_based=1 runtime=4"
	is "$rc" 0 "paced to $cap: complete"
	within '.windows[0].read.iops' $cap "paced to $cap"
	((cap == 200)) || continue
	holds '.windows[0].read.lat_ns | has("p99_9") and .p99_9 == null' 'p99.9 of 800 samples is withheld'
	holds '.windows[0].read.lat_ns.p99 > 0' 'p99 is told'
	run "$IORECEIPT" show "$R"
	like "$T/out" '~[0-9]' 'marked in the table as carried by few samples'
done
done_testing
