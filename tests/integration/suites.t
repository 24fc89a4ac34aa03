#!/bin/bash
# Every suite runs here and, by the job file that plan prints of it, in fio: the
# same windows under the same names. Job files are read again as they were
# written. What is asked for changes the digest. The probe of standard.
. "$(dirname "$0")/lib.sh"
need jq fio
D=$T/disk
mkdir "$D"
SHORT=(--size 16M --runtime 150ms --ramp 0)

digest()
{
	"$IORECEIPT" plan --dir "$D" "$@" | sed -n 's/^digest *//p'
}

# jobs FILE: what a job file says, without its remarks
jobs()
{
	grep -v '^;' "$1"
}

names()
{
	sed -n 's/^\[\(.*\)\]$/\1/p' "$1" | grep -v '^prepare$'
}

# ---- each suite, here and in fio ----------------------------------------------

cd "$T" || exit 1
for suite in baseline lowqd tuning standard sustained; do
	"$IORECEIPT" plan --suite "$suite" "${SHORT[@]}" --fio >"$suite.fio"
	run fio --output-format=json --output="$suite.json" "$suite.fio"
	is "$rc" 0 "$suite: fio runs its job file"
	is "$(jq -r '.jobs[1:][].jobname' "$suite.json")" "$(names "$suite.fio")" \
		"$suite: all of it"
	rm -f fio-target.bin
	"$IORECEIPT" plan --jobfile "$suite.fio" --fio >again.fio
	is "$(jobs again.fio)" "$(jobs "$suite.fio")" "$suite: the job file is read again"
	if [[ $suite != standard ]]; then
		is "$(digest --jobfile "$suite.fio")" "$(digest --suite "$suite" "${SHORT[@]}")" \
			"$suite: and is the same plan"
	fi
	measure "$D" --suite "$suite" "${SHORT[@]}"
	is "$rc" 0 "$suite: complete"
	holds '.complete and .plan.suite == "'$suite'"' "$suite: its receipt says so"
	is "$(jq -r '.plan as $p | .windows[] | if $p.jobs[.job].runs > 1
		then "\(.name)-run-\(.run)" else .name end' "$R")" "$(names "$suite.fio")" \
		"$suite: windows are fio's"
	cp "$R" "$suite.receipt"
	cp out "$suite.out"
	cp err "$suite.err"
done
clean_dir "$D" 'nothing is left'

# ---- lowqd ----------------------------------------------------------------------

like lowqd.out '^randrw_70read_4k_qd1_jobs1 \| +[0-9,]+ .* \| +[0-9,]+ ' 'lowqd: a row a window'
like lowqd.out '^key figures: 4k 70/30 at queue depth 1, jobs 1$' 'lowqd: key figures'
like lowqd.out 'VPS Disk Latency Bench' 'lowqd: whose thresholds'
like lowqd.err '^window 24/24: randrw_50read_8k_qd4_jobs2' 'lowqd: progress'
unlike lowqd.out $'\e' 'lowqd: no escapes in a file'
is "$(awk 'length > 80' lowqd.out)" '' 'lowqd: on 80 columns'
R=$T/lowqd.receipt
holds '.windows | all(.read, .write | .lat_ns.bucket_bits == 4)' 'lowqd: coarse buckets of lat'
holds '.windows | all(.read, .write | .clat_ns | has("bucket_bits") | not)' "lowqd: fio's of clat"
R=$T/baseline.receipt
holds '[.. | .bucket_bits? // empty] == []' "baseline: fio's of all"
ok 'lowqd: below 256 KiB' test "$(stat -c %s lowqd.receipt)" -lt 262144

# ---- standard and its probe -------------------------------------------------------

R=$T/standard.receipt
holds '.probe | .job.name == "neighbour" and (.samples | length) == 6' 'six samples'
holds '.probe.samples | all(.read.ios > 0 and .read.errors == 0)' 'which read'
holds '[.probe.samples[].at_ns] | . == sort' 'in their order'
holds '(.plan.jobs | length) == 11 and (.windows | length) == 11' 'beside 11 windows'
like standard.err '^window 11/11: fsync-4k-write' 'windows are counted without it'
like standard.err '^neighbour probe: 6 samples of ' 'it is announced'
like standard.out '^neighbour +read p99 of 6 of 6 samples' 'and shown'
"$IORECEIPT" show "$R" --as keys >keys
like keys '^metric neighbour\.p99_spread=' 'a metric'
R=$T/receipt.json
measure "$D" --suite standard --only neighbour --runtime 3s --size 16M
is "$rc" 0 'the probe alone'
holds '.probe.every_ns == 500000000 and .probe.p99_min_ns <= .probe.p99_max_ns' 'spread'
holds '.probe | (.p99_max_ns / .p99_min_ns - .p99_spread) | fabs < 0.01' 'is max / min'
holds '.probe.samples | to_entries | all((.value.at_ns / 1e6 - (.key * 500 + 400)) |
	fabs < 60)' 'a sample at the end of each interval'
if [[ $(field .probe.steal_pct) == null ]]; then
	holds '.probe | has("steal_worst_pct") | not' 'no steal is told'
else
	holds '(.probe.steal_pct | length) == 3 and .probe.steal_interval_ns == 1000000000' \
		'steal each second'
	holds '.probe | .steal_worst_pct >= .steal_mean_pct' 'worst and mean'
fi

for signal in INT TERM; do
	start "$D" --suite standard --only neighbour --runtime 6s --size 16M
	wait_until 10 said '^neighbour probe' || diag 'no probe'
	sleep 1.4
	kill -"$signal" "$pid"
	finish
	is "$rc" $((128 + $(kill -l $signal))) "SIG$signal in the probe"
	holds '(.complete | not) and (.probe.samples | length) == 1' 'what there was is kept'
	holds '.probe | has("p99_spread") or has("steal_worst_pct") | not' 'and no more than that'
	holds '.incomplete | any(.why | test("[1-5] of 6 samples"))' 'the rest is missing by name'
done
run -t 30 "$IORECEIPT" run --dir "$D" --suite standard --only neighbour --runtime 30s --size 16M \
	--deadline 1s --out "$R" --no-sign
is "$rc" 3 'a deadline in the probe'
valid_receipt "$R"
holds '(.complete | not) and (has("probe") | not)' 'before its first sample'
clean_dir "$D" 'nothing is left of it'

# ---- what is asked for is in the digest ---------------------------------------------

for suite in baseline standard; do
	for option in '--size 32M' '--runtime 3s' '--ramp 1s' '--runs 2'; do
		# shellcheck disable=SC2086
		ok "$suite $option: another digest" test \
			"$(digest --suite $suite $option)" != "$(digest --suite $suite)"
	done
done

# ---- job files ------------------------------------------------------------------------

printf '%s\n' '# two jobs' '[global]' 'ioengine=libaio' 'direct=1' 'bs=4k' 'size=16m' \
	'time_based' 'runtime=1' '[reads]' 'rw=randread ; of fio'"'"'s' 'iodepth=4' '[writes]' \
	'rw=randwrite' >mine.fio
measure "$D" --jobfile mine.fio --runtime 150ms
is "$rc" 0 'a job file of one'"'"'s own'
holds '[.windows[].name] == ["reads", "writes"] and .plan.suite == "custom"' 'is what runs'
like err 'without stonewall.* one after the other' 'which fio would have run together'
is "$("$IORECEIPT" plan --quiet --jobfile - <mine.fio | sed -n 's/^digest *//p')" \
	"$(digest --jobfile mine.fio 2>/dev/null)" 'from stdin'
printf '[a]\nrw=randread\n[b]\niodpeth=4\n' >bad.fio
run "$IORECEIPT" run --dir "$D" --jobfile bad.fio
is "$rc" 65 'a word that is none'
like err 'bad\.fio: line 4: "iodpeth" .* did you mean iodepth\?' 'by line, with the nearest one'
run "$IORECEIPT" run --dir "$D" --jobfile none.fio
is "$rc" 66 'no such file'
run "$IORECEIPT" run --dir "$D" --jobfile mine.fio --suite lowqd
is "$rc" 64 'a suite beside it'
run "$IORECEIPT" run --dir "$D" --jobfile mine.fio --job rw=read
is "$rc" 64 'jobs beside it'
head -c 300000 /dev/zero >zero.fio
run "$IORECEIPT" plan --jobfile zero.fio
is "$rc" 65 'zeroes'
head -c 100000 /dev/urandom >random.fio
run "$IORECEIPT" plan --jobfile random.fio
is "$rc" 65 'noise'
is "$(LC_ALL=C tr -d '\n\040-\176' <err | wc -c)" 0 'told in plain letters'
clean_dir "$D" 'nothing is left at the end'
done_testing
