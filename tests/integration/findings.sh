# Ground of the tests of findings, beside lib.sh.
# shellcheck shell=bash

# found CODE JQ-CONDITION NAME: the receipt has it, and its row is so.
found()
{
	holds ".findings | any(.code == \"$1\" and ($2))" "$3" ||
		diag "$(field '.findings[] | "\(.level) \(.code): \(.text)"')"
	diag "$(field ".findings[] | select(.code == \"$1\") | \"\\(.level) \\(.code): \\(.text)\"")"
}

# absent CODE NAME
absent()
{
	holds ".findings | all(.code != \"$1\")" "$2" ||
		diag "$(field ".findings[] | select(.code == \"$1\") | .text")"
}

# disturbed: did something on this machine take part, as the receipt tells?
disturbed()
{
	jq -e '.findings | any(.code | IN("cpu-bound", "steal", "competing-io"))' "$R" >/dev/null
}

# found_unless_disturbed CODE JQ-CONDITION NAME: a rule that wants a quiet
# machine holds, or the receipt says what was not quiet.
found_unless_disturbed()
{
	if disturbed && ! jq -e ".findings | any(.code == \"$1\")" "$R" >/dev/null; then
		ok "$3 (or what explains it: this machine is busy)" true
	else
		found "$@"
	fi
}

# absent_unless_disturbed CODE NAME: the same for a rule that must not hold.
absent_unless_disturbed()
{
	if disturbed; then
		ok "$2 (not told: this machine is busy)" true
	else
		absent "$@"
	fi
}

# rate WANTED: the first window did so many reads a second, within 2 %. Where
# others held up the same disk, it may have been fewer.
rate()
{
	if disturbed && holds_quietly ".windows[0].read.iops < $1 * 0.98"; then
		ok "$1 a second (or fewer: others held up the disk)" true
	else
		holds ".windows[0].read.iops | . > $1 * 0.98 and . < $1 * 1.02" "$1 a second within 2 %"
	fi
}

holds_quietly()
{
	jq -e "$1" "$R" >/dev/null
}

# rechecked NAME: what is judged again is the same.
rechecked()
{
	run "$IORECEIPT" show --recheck "$R"
	is "$rc" 0 "$1: judged again, it says the same"
}

# limited READS: a control group that allows so many reads a second; sets WRAP.
limited()
{
	cgroup blkio
	echo "$device $1" >"$cg/blkio.throttle.read_iops_device" || skip_all 'cannot set a cap'
	WRAP=("${in_group[@]}" "$cg")
}
