#!/bin/bash
# The lab: only an abandoned one that is ours is taken over or cleaned away.
. "$(dirname "$0")/lib.sh"
need root jq setpriv

D=$T/disk
mkdir "$D"
L=$D/ioreceipt-lab
marker=$L/.ioreceipt-lab
state() { find "$D" -printf '%P %y %m %u %s %l\n' | sort; }

# What a run that was killed leaves: taken from the product itself.
abandon()
{
	rm -rf --one-file-system "$L"
	start "$D" --job 'rw=randread bs=4k size=16M runtime=20 time_based=1'
	wait_until 10 test -f "$marker" && sleep 0.7
	local worker
	worker=$(pgrep -P "$pid")
	kill -KILL "$pid"
	wait "$pid" 2>/dev/null
	wait_until 5 not kill -0 "$worker"
}

abandon
ok 'after kill -9: an empty marked directory' test -f "$marker"
is "$(ls -A "$L")" .ioreceipt-lab 'and nothing but the marker in it'
ok 'the worker ended with its parent' not pgrep -f "^$IORECEIPT run --dir $D"
is "$(stat -c %a "$L")" 700 'mode 0700'
like "$marker" '^ioreceipt-lab-v1' 'the marker says what it is'
ok 'no space is held' test "$(du -s --block-size=1 "$L" | cut -f1)" -lt 65536
measure "$D" "${ONE[@]}"
is "$rc" 0 'the next run takes it over'
like "$T/err" 'abandoned|took over|taking over|taken over' 'and says so'
clean_dir "$D" 'and leaves nothing'

abandon
run "$IORECEIPT" clean --dir "$D"
is "$rc" 0 'clean removes an abandoned lab'
clean_dir "$D" 'it is gone'
run "$IORECEIPT" clean --dir "$D"
is "$rc" 0 'clean without one is no error'

# untouched NAME REGEX: neither run nor clean touches what is there.
untouched()
{
	local before
	before=$(state)
	measure "$D" "${ONE[@]}"
	is "$rc" 2 "$1: refused" || tail -n 3 "$T/err" | sed 's/^/# /'
	like "$T/err" "$2" "$1: the reason"
	is "$(state)" "$before" "$1: not touched by run"
	run "$IORECEIPT" clean --dir "$D"
	ok "$1: clean does not claim success" test "$rc" -ne 0
	is "$(state)" "$before" "$1: not touched by clean"
	rm -rf --one-file-system "$L"
}
abandon
echo mine >"$L/thesis.txt"
untouched 'a foreign file in the lab' 'thesis.txt|foreign'
abandon
echo 'ioreceipt-lab-v2' >"$marker"
untouched 'an edited marker' 'marker'
abandon
echo more >>"$marker"
untouched 'a marker with a line more' 'marker'
abandon
ln "$marker" "$D/second-name"
untouched 'a marker with two links' 'marker|link'
rm -f "$D/second-name"
abandon
mv "$marker" "$D/real" && ln -s ../real "$marker"
untouched 'a marker that is a symlink' 'marker|symlink|link'
rm -f "$D/real"
abandon
chmod 755 "$L"
untouched 'a lab of mode 0755' '0?755|mode|permission'
mkdir -p "$T/elsewhere"
chmod 700 "$T/elsewhere"
ln -s "$T/elsewhere" "$L"
untouched 'a symlink in the place of the lab' 'symlink|symbolic|not a directory'
is "$(ls -A "$T/elsewhere")" '' 'what it leads to is empty still'
: >"$L"
untouched 'a file in the place of the lab' 'not a directory|file'
mkdir -m 700 "$L"
echo x >"$L/y"
untouched 'a directory of that name without a marker' 'marker|y|foreign'
mkdir -m 700 "$L"
mkdir "$L/sub"
untouched 'a directory in it' 'sub|foreign|marker'

# An empty directory, ours, 0700: the plug was pulled between mkdir and marker.
mkdir -m 700 "$L"
measure "$D" "${ONE[@]}"
is "$rc" 0 'an empty directory of ours without a marker is taken over'
clean_dir "$D" 'and removed'

mkdir -m 700 "$L" && : >"$marker"
measure "$D" "${ONE[@]}"
is "$rc" 0 'so is one whose marker is still empty'
clean_dir "$D" 'and removed'

# Another user's lab: ours is ioreceipt-lab-<uid>.
chmod 755 "$T"; chmod 1777 "$D"
mkdir -m 700 "$L" && chown 65534 "$L"
before=$(stat -c '%u %a %i %Y' "$L")
start "$D" --job 'rw=randread bs=4k size=16M runtime=2 time_based=1'
ok "another user has the name: ours is ioreceipt-lab-$(id -u)" wait_until 5 test -d "$L-$(id -u)"
finish
is "$rc" 0 'and the run is complete'
is "$(stat -c '%u %a %i %Y' "$L")" "$before" "the other user's lab is not touched"
rmdir "$L"
clean_dir "$D" 'nothing of ours is left'

# A user without rights, in a sticky directory.
cp "$IORECEIPT" "$T/ioreceipt" && chmod 755 "$T/ioreceipt"
run setpriv --reuid 65534 --regid 65534 --clear-groups "$T/ioreceipt" run --dir "$D" "${ONE[@]}" \
	--no-sign --out - --json
is "$rc" 0 'runs without root' || tail -n 3 "$T/err" | sed 's/^/# /'
cp "$T/out" "$R"
valid_receipt "$R"
clean_dir "$D" 'and cleans up'

# Two at once.
start "$D" --job 'rw=randread bs=4k size=16M runtime=3 time_based=1'
wait_until 10 test -f "$marker"
first=$R
R=$T/second.json
timeout 60 "$IORECEIPT" run --dir "$D" --out "$R" --no-sign "${ONE[@]}" >"$T/out.2" 2>"$T/err.2"
is "$?" 2 'two runs at once: the second is refused'
valid_receipt "$R"
like "$T/err.2" 'in use|another run|running|locked' 'and told why'
ok 'clean refuses a lab in use' not timeout 60 "$IORECEIPT" clean --dir "$D"
ok 'the lab is still there' test -f "$marker"
R=$first
finish
is "$rc" 0 'the first is complete all the same'
clean_dir "$D" 'and leaves nothing'

# A foreign file that appears while we run stays, and is reported: exit code 5.
start "$D" --job 'rw=randread bs=4k size=16M runtime=2 time_based=1'
wait_until 10 test -f "$marker"
echo mine >"$L/thesis.txt"
finish
is "$rc" 5 'a file that appears during the run: exit code 5'
is "$(cat "$L/thesis.txt")" mine 'it stays'
like "$T/err" 'thesis.txt' 'it is named'
holds '.complete == false and .cleanup.lab_removed == false' 'the receipt says that the lab is left'
rm -rf --one-file-system "$L"

# A marker that is edited meanwhile is not ours any more.
start "$D" --job 'rw=randread bs=4k size=16M runtime=2 time_based=1'
wait_until 10 test -s "$marker" && sleep 0.3
echo edited >"$marker"
finish
is "$rc" 5 'the marker is edited during the run: exit code 5'
is "$(cat "$marker")" edited 'it stays'
rm -rf --one-file-system "$L"

# The lab is swapped for a symlink while we run: what it leads to is not touched.
mkdir -m 700 "$T/victim"
cp "$IORECEIPT" "$T/victim/.ioreceipt-lab"
start "$D" --job 'rw=randread bs=4k size=16M runtime=2 time_based=1'
wait_until 10 test -f "$marker" && sleep 0.3
mv "$L" "$D/moved" && ln -s "$T/victim" "$L"
finish
is "$rc" 5 'the lab swapped for a symlink: exit code 5'
ok 'what it leads to is not touched' cmp -s "$IORECEIPT" "$T/victim/.ioreceipt-lab"
rm -rf --one-file-system "$L" "$D/moved"
done_testing
