#!/bin/bash
# The probes beside the windows (disk/diag.h): there where they belong, in the
# time that they may take, apart from the figures, and ended by a signal.
#
# twice: seconds are counted
. "$(dirname "$0")/lib.sh"
need jq
D=$T/disk
mkdir "$D"
GONE='(has("diagnostics") | not)'

began=${EPOCHREALTIME/./}
measure "$D" --only 'qd1*' --runs 2 --runtime 1200ms --size 16M
took=$((${EPOCHREALTIME/./} - began))
is "$rc" 0 'complete'
cat "$T/out" >"$T/table"
holds '.diagnostics | .before.gaps and .after.gaps and .before.oversleep_ns and .after.oversleep_ns' \
	'gaps and sleeps, before and after'
holds '.diagnostics.polled | .lat_ns.n > 0 and .elapsed_ns > 200e6 and .elapsed_ns < 1e9' 'polled'
holds '.plan.jobs[.diagnostics.polled.job].name == "qd1-randread"' 'polled: its job'
holds '[.windows[].read.lat_ns.p50] as $p | .diagnostics.polled.slept_p50_ns |
	. >= ($p | min) and . <= ($p | max)' 'polled: beside the median of the windows'
holds '.diagnostics | [.before, .after][].gaps | .lost_ns <= .elapsed_ns and
	.lost_ns >= .count * 20000 and .longest_ns <= .lost_ns' 'gaps fit together'
holds '[.windows[] | .read.ios * .read.lat_ns.mean / .elapsed_ns] | all(. <= 1.001)' \
	'no read of the probes is in a window'
like "$T/table" '^wake cost +qd1-randread: read p50 +[0-9.]+ ms polled, [0-9.]+' 'a line of the table'
like "$T/table" 'CPU lost' 'the gaps in the table'
diag "$((took / 1000)) ms; $(field '.diagnostics | "polled \(.polled.lat_ns.p50) ns, slept \(
	.polled.slept_p50_ns) ns, sleeps late \(.before.oversleep_ns.p50) \(
	.after.oversleep_ns.p50) ns, CPU lost \(.before.gaps.lost_pct) \(.after.gaps.lost_pct) %"')"

measure "$D" --only 'qd32*' --runtime 300ms --size 16M
holds "$GONE" 'none without a job at depth 1'
measure "$D" "${TINY[@]}"
holds "$GONE" 'none for a window that ends by size'
measure "$D" --only 'qd1*' --runs 1 --runtime 300ms --size 16M --reap=syscall
holds '.diagnostics | .before and .after and (has("polled") | not)' \
	'no polling where completions are not read from the ring'

# One window of 6 s: polled runs in the second after it.
start "$D" --only 'qd1*' --runs 1 --runtime 6s --size 16M
ok 'the window begins' wait_until 20 said 'window 1/1'
sleep 6.4
kill -TERM "$pid"
finish
is "$rc" 143 'a signal while they run ends the run'
holds '(.complete | not) and (.incomplete | length == 1) and .incomplete[0].what == "after the windows"' \
	'the receipt names the place'
holds '(.windows | length == 1) and (.diagnostics | has("after") | not)' \
	'what was measured stays, a probe that was cut gives nothing'
clean_dir "$D" 'nothing is left'
done_testing
