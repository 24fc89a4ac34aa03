#!/bin/bash
# What is told without measuring: on real stacks, in an empty chroot, where the
# guard would refuse, under a limit, and where nothing may be written.
. "$(dirname "$0")/lib.sh"
need root jq losetup mkfs.ext4

# facts DIR [OPTION...]: the table in $T/out, the JSON in $R, valid; sets rc.
facts()
{
	run "${WRAP[@]}" "$IORECEIPT" facts --dir "$@" --json
	cp "$T/out" "$R"
	ok 'valid by its schema' /usr/bin/python3 -c 'import json, jsonschema, sys
jsonschema.Draft202012Validator(json.load(open(sys.argv[1]))).validate(json.load(open(sys.argv[2])))' \
		"$top/src/receipt/facts.schema.json" "$R"
	run "${WRAP[@]}" "$IORECEIPT" facts --dir "$@"
}
layers() { field '[.target.stack[].layer] | join(" ")'; }

facts "$T"
is "$rc" 0 'facts of a directory'
holds '.schema == "ioreceipt-facts/1" and .host.cpus > 0 and .host.memory_bytes > 0' 'the machine'
holds '.clock.read_cost_ns > 0 and (.clock.source | length > 0)' 'the clock and what it costs'
holds '.target.filesystem and .target.mount_options and .target.available_bytes > 0' 'the place'
holds '.watch.runqueue_wait' 'what can be watched'
unlike "$R" "\"$(hostname)\"|/var|/tmp" 'no name of this machine, no path'
unlike "$T/out" '.{81}' 'at most 80 columns'
unlike "$T/out" $'\e' 'no escapes on a pipe'
find "$T" -name '*lab*' >"$T/.left"
ok 'nothing was made' not test -s "$T/.left"

# nested three deep: ext4 on a loop device on ext4 on a loop device
LOSETUP=(--sector-size 4096)
disk outer 1G ext4
LOSETUP=()
outer=${loop#/dev/}
truncate -s 300M "$mnt/inner.img"
mkfs.ext4 -q -F -b 4096 "$mnt/inner.img"
attach "$mnt/inner.img" --direct-io=on
mount_at inner "$loop" -o noatime
inner=${loop#/dev/}
facts "$mnt"
is "$rc" 0 'a loop device in a loop device'
case $(layers) in
"ext4 loop ext4 loop "*) ok 'each layer of it' true ;;
*) ok "each layer of it: $(layers)" false ;;
esac
holds ".target.stack[1].name == \"$inner\" and .target.stack[3].name == \"$outer\"" 'by their names'
holds '.target.stack[3].logical_block_bytes == 4096' 'sectors of the outer one'
holds '.target.mount_options | test("noatime")' 'how it is mounted'
holds '.guard.fits == false and (.guard.why | test("available|free"))' 'too small for a run'
like "$T/out" '^guard  .*refused' 'and the table says so'
like "$T/out" "^layers     $inner: loop, 300 MiB" 'a line for each device'

mkdir "$T/ram"
mount_at ram none -t tmpfs -o size=16M
facts "$mnt"
is "$rc" 0 'of memory'
holds '.target.backing == "memory" and .guard.fits == false' 'memory is refused'
holds '.guard.why | test("DIR is in memory")' 'without the path'
truncate -s 12M "$mnt/x.img"
mkfs.ext4 -q -F "$mnt/x.img"
attach "$mnt/x.img"
mount_at loopram "$loop"
facts "$mnt"
is "$(layers)" 'ext4 loop tmpfs' 'a loop device in memory'
holds '.target.backing == "memory"' 'is memory'

# a control group's limits, on the device below and on another one
if [[ -d /sys/fs/cgroup/blkio ]]; then
	cgroup blkio
	dev=$(device_of "$T")
	echo "$dev 500" >"$cg/blkio.throttle.read_iops_device"
	echo "7:0 300" >"$cg/blkio.throttle.write_iops_device"
	WRAP=("${in_group[@]}" "$cg")
	facts "$T"
	holds '.target.limits | length == 1 and .[0].riops == 500 and .[0].wiops == null' 'the limit that applies'
	like "$T/out" '^limits  .*blkio.throttle on .*: 500 reads/s' 'with its device'
	WRAP=()
fi

run "$IORECEIPT" facts --dir "$T/missing"
is "$rc" 2 'no such directory'
like "$T/out" '^machine' 'the machine is told all the same'
like "$T/err" 'cannot be opened' 'and the reason'
mkdir -m 0755 "$T/others"
chmod 0711 "$T"
run setpriv --reuid 65534 --regid 65534 --clear-groups "$IORECEIPT" facts --dir "$T/others"
[[ -r $IORECEIPT && $rc != 126 && $rc != 127 ]] && {
	is "$rc" 0 'a directory that may only be read'
	like "$T/out" 'no right to make files' 'is told, and that no run may be there'
}

# nothing but the binary and a directory: facts are absent, not zero
mkdir "$T/empty"
cp "$IORECEIPT" "$T/empty/"
run chroot "$T/empty" /ioreceipt facts --dir / --json
cp "$T/out" "$R"
is "$rc" 0 'an empty chroot'
holds '.target.filesystem and (.host | has("os") | not) and (.clock | has("source") | not)' 'tells what it can'
holds '.watch.steal == false and .watch.device == false' 'and what it cannot watch'
run chroot "$T/empty" /ioreceipt facts --dir /
like "$T/out" '^unknown  .*CPU model' 'and the table names what is not known'
done_testing
