# Ground of the benchmarks: measurements side by side, and tables of ratios.
# shellcheck shell=bash
#
# A benchmark measures the same thing by several sides (fio, ours, fio again,
# a bare loop) in rounds whose order turns, so that no side is always the one
# behind a write. Kept are ratios of one round; printed are the median of all
# rounds, the least and the greatest. fio against itself shows how much of a
# ratio is the machine's own unrest.
#
# The script that sources this defines take PROFILE SIDE, which prints lines of
# "figure value". Figures are named with their unit after a dot.
set -euo pipefail
export LC_ALL=C

# tool NAME...: which are needed
tools()
{
	local tool
	for tool; do
		command -v "$tool" >/dev/null && continue
		echo "bench needs $tool (scripts/deps.sh test)" >&2
		exit 2
	done
}

# which of fio's generations draws this fio's offsets
fio_sequence()
{
	case $(fio --version) in
	fio-3.[0-9] | fio-3.[12][0-9]* | fio-3.3[0-4]*) echo fio3.34 ;;
	*) echo fio3.35 ;;
	esac
}

# fio_take WORDS...: runs fio, prints its figures
fio_take()
{
	"${wrap[@]}" fio --name=x --direct=1 --time_based=1 --runtime="$runtime" --randrepeat=1 \
		--percentile_list=50:99 --group_reporting=1 --output-format=json \
		--output="$work/fio.json" "$@" >/dev/null
	jq -r '.jobs[0] as $j | ($j.read.total_ios + $j.write.total_ios) as $n
		| (["read", "write"][] as $d | $j[$d] | select(.total_ios > 0)
			| "\($d).iops \(.iops)",
			  (["clat", "lat"][] as $l | .[$l + "_ns"]
				| select(.percentile) | ["50", "99"][] as $p
				| "\($d).\($l).p\($p).us \(.percentile[$p + ".000000"] / 1e3)")),
		  ($j.sync | select((.lat_ns.N // 0) > 0)
			| "sync.p50.us \(.lat_ns.percentile["50.000000"] / 1e3)"),
		  "cpu.us \(($j.usr_cpu + $j.sys_cpu) / 1e2 * $j.job_runtime * 1e3 / $n)"' \
		"$work/fio.json"
}

# grid_values PROFILE: of 4 KiB random reads by depth and jobs, qdDEPTH-xJOBS or
# qdDEPTH-xJOBS-SIZE; prints the three values.
grid_values()
{
	local depth jobs size
	IFS=- read -r depth jobs size <<<"$1"
	echo "${depth#qd} ${jobs#x} ${size:-512M}"
}

# grid_take PROFILE SIDE DIR WORDS...: one of the grid; the words are ours alone.
# fio's jobs are threads here, as ours are: as processes each is a session of its
# own, to which the kernel's autogroups give a larger share of a busy CPU.
grid_take()
{
	local depth jobs size words side=$2 dir=$3
	read -r depth jobs size <<<"$(grid_values "$1")"
	words="--rw=randread --bs=4k --ioengine=libaio --iodepth=$depth --numjobs=$jobs --size=$size"
	shift 3
	if [[ $side == ours ]]; then
		our_take "$dir" "$@" --job "name=grid time_based=1 runtime=$runtime ${words//--/}"
	else
		# shellcheck disable=SC2086
		fio_take --filename="$dir/target" --lat_percentiles=1 --thread=1 $words
	fi
}

# our_take DIR WORDS...: the same of our only window
our_take()
{
	local dir=$1
	shift
	"${wrap[@]}" "$bin" run --quiet --no-sign --dir "$dir" --sequence "$sequence" \
		--out "$work/ours.json" "$@" >/dev/null
	jq -r '.windows[0] as $w | (($w.read.ios // 0) + ($w.write.ios // 0)) as $n
		| (["read", "write"][] as $d | $w[$d] | select(.ios > 0)
			| "\($d).iops \(.iops)",
			  (["clat", "lat"][] as $l | .[$l + "_ns"] | ["50", "99"][] as $p
				| "\($d).\($l).p\($p).us \(.["p" + $p] / 1e3)")),
		  ($w.sync | select(.ios > 0) | "sync.p50.us \(.lat_ns.p50 / 1e3)"),
		  "cpu.us \(($w.cpu.user_ns + $w.cpu.system_ns) / 1e3 / $n)"' "$work/ours.json"
}

progress()
{
	[[ ! -t 2 ]] || printf '\r%-40s\r%s' '' "$1" >&2
}

# measure ROUNDS PROFILE SIDE...: adds to $work/values lines of
# "profile figure side round value"
measure()
{
	local rounds=$1 profile=$2 round i n side
	shift 2
	n=$#
	for ((round = 1; round <= rounds; round++)); do
		progress "$profile $round/$rounds"
		for ((i = 0; i < n; i++)); do
			side=$((1 + (round + i) % n))
			side=${!side}
			take "$profile" "$side" </dev/null |
				awk -v p="$profile" -v s="$side" -v r="$round" \
					'{ print p, $1, s, r, $2 }' >>"$work/values"
		done
	done
	progress ''
}

# table SHOWN RATIOS [FIGURES]: of all measured so far. SHOWN are sides whose
# medians are printed, RATIOS are "ours/fio again/fio", FIGURES an expression
# that a figure's name matches.
table()
{
	awk -v shown="$1" -v ratios="$2" -v figures="${3:-.}" '
	function sort(n,  i, j, t) {
		for (i = 2; i <= n; i++)
			for (j = i; j > 1 && v[j] < v[j - 1]; j--) {
				t = v[j]; v[j] = v[j - 1]; v[j - 1] = t
			}
	}
	function middle(n) { return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2 }
	function absolute(key, side,  n, r) {
		for (r = n = 0; r <= rounds; r++)
			if ((key, side, r) in value) v[++n] = value[key, side, r]
		if (!n) return "-"
		sort(n)
		r = middle(n)
		return sprintf(r < 1000 ? "%.2f" : "%.0f", r)
	}
	function ratio(key, of, to,  n, r) {
		for (r = n = 0; r <= rounds; r++)
			if ((key, of, r) in value && value[key, to, r] > 0)
				v[++n] = value[key, of, r] / value[key, to, r]
		if (!n) return "-"
		sort(n)
		return sprintf("%.3f (%.2f-%.2f)", middle(n), v[1], v[n])
	}
	{
		key = $1 " " $2
		if ($2 !~ figures) next
		if (!(key in seen)) { seen[key] = 1; order[++keys] = key }
		value[key, $3, $4] = $5
		if ($4 > rounds) rounds = $4
	}
	END {
		sides = split(shown, show, " ")
		pairs = split(ratios, pair, " ")
		line = sprintf("%-18s", "")
		for (i = 1; i <= sides; i++) line = line sprintf(" %9s", show[i])
		for (i = 1; i <= pairs; i++) line = line sprintf("  %-17s", pair[i])
		sub(/ +$/, "", line)
		print line
		for (k = 1; k <= keys; k++) {
			split(order[k], name, " ")
			line = sprintf("  %-16s", name[2])
			for (i = 1; i <= sides; i++)
				line = line sprintf(" %9s", absolute(order[k], show[i]))
			some = 0
			for (i = 1; i <= pairs; i++) {
				split(pair[i], p, "/")
				cell = ratio(order[k], p[1], p[2])
				line = line sprintf("  %-17s", cell)
				if (cell != "-") some = 1
			}
			if (!some) continue
			sub(/ +$/, "", line)
			if (name[1] != last) print name[1]
			last = name[1]
			print line
		}
	}' "$work/values"
}
