#!/bin/bash
# Known latency: a guest under emulation whose disk answers after exactly 0.5, 2
# and 10 ms (null_blk's timer). What an application waits (lat) is never shorter
# than that, at any depth; fio's clat, which starts when io_submit returns, may
# be. Emulation and a busy machine only add to it: what they add is bounded
# where it is small beside the delay, with a second try.
#
# twice: a guest without KVM on a busy machine
. "$(dirname "$0")/lib.sh"
PATH=$PATH:/usr/sbin:/sbin
need qemu-system-x86_64 cpio depmod modprobe mkfs.ext4 jq
guest=${BUILD:?where the objects are}/tests/tools/guest
[[ $guest == /* ]] || guest=$top/$guest
DELAYS=(500000 2000000 10000000)
SECONDS_EACH=3
((EUID == 0)) && nice=(nice -n -10) || nice=()

kernel=$("$top/scripts/kernel-deb" "$top/build/dl" 2>"$T/.kernel") ||
	skip_all "needs Debian's cloud kernel: $(tail -n 1 "$T/.kernel")"
version=$(ls "$kernel/lib/modules")

# modules: the files that null_blk and ext4 need, in the order to load
modules()
{
	local name
	for name in null_blk ext4; do
		modprobe -d "$kernel" -S "$version" --show-depends "$name" || return 1
	done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }'
}

# pack: the initramfs
pack()
{
	local root=$T/root file name n=10
	mkdir -p "$root"/{dev,proc,sys,target,tmp,modules} || return 1
	cp "$guest" "$root/init" && cp "$IORECEIPT" "$root/ioreceipt" || return 1
	modules >"$T/modules" && [[ -s $T/modules ]] || return 1
	while read -r file; do
		name=$root/modules/$((n++))-$(basename "$file")
		case $file in
		*.xz) xz -dc "$file" >"${name%.xz}" ;;
		*) cp "$file" "$name" ;;
		esac || return 1
	done <"$T/modules"
	truncate -s 4G "$T/image" && mkfs.ext4 -q -F -O ^has_journal -N 64 "$T/image" || return 1
	"$guest" pieces "$T/image" >"$root/pieces" || return 1
	printf '%s\n' /ioreceipt run --dir /target --out /tmp/receipt --no-sign --quiet --color never \
		--allow-memory-backed --only \
		'qd*randread' --runs 1 --runtime ${SECONDS_EACH}s --size 16M >"$root/words"
	(cd "$root" && find . | cpio --quiet -o -H newc -R 0:0) >"$T/initrd"
}

# boot DELAY...: sets the receipts $T/DELAY.json; the machine restarts at its
# end, which -no-reboot makes the end of qemu.
boot()
{
	local delay
	run -t 80 "${nice[@]}" qemu-system-x86_64 -accel tcg -cpu max -smp 1 -m 256 -nodefaults -display none \
		-no-reboot -serial "file:$T/serial" -kernel "$kernel/boot/vmlinuz-$version" \
		-initrd "$T/initrd" \
		-append "console=ttyS0 quiet loglevel=0 panic=-1 random.trust_cpu=on -- $*"
	tr -d '\r' <"$T/serial" >"$T/said"
	for delay; do
		sed -n "/^== begin $delay 0\$/,/^== end $delay\$/p" "$T/said" |
			grep '^{' >"$T/$delay.json" || return 1
	done
}

# latency DELAY: what the receipt has of it, figures in ms
latency()
{
	jq -r --argjson d "$1" '.windows[] | .read as $r | "\($d / 1e6) ms, depth \(
		if .name == "qd1-randread" then 1 else 32 end): lat min \($r.lat_ns.min / 1e6) p50 \(
		$r.lat_ns.p50 / 1e6), clat min \($r.clat_ns.min / 1e6), \($r.iops) IOPS"' "$T/$1.json"
	jq -r '.diagnostics.polled | "polled: lat min \(.lat_ns.min / 1e6) p50 \(.lat_ns.p50 / 1e6)"' \
		"$T/$1.json"
}

ok 'an initramfs is packed' pack || done_testing
ok 'the guest boots, measures and ends' boot "${DELAYS[@]}" || {
	diag "qemu: $rc"
	tail -n 20 "$T/said" | cut -c 1-200 | sed 's/^/#   /'
	done_testing
}

for delay in "${DELAYS[@]}"; do
	R=$T/$delay.json
	valid_receipt "$R"
	diag "$(latency "$delay")"
	holds '.complete and (.windows | map(.name) == ["qd1-randread", "qd32-randread"])' \
		"$delay ns: complete"
	holds "[.windows[].read.lat_ns.min] | all(. >= $delay)" \
		"$delay ns: lat is never shorter than the disk takes"
	holds ".diagnostics.polled.lat_ns.min >= $delay" "$delay ns: nor is it when polled"
	holds '.windows | all(.read.clat_ns.min <= .read.lat_ns.min)' \
		"$delay ns: clat is shorter than lat"
	holds ".windows | all(.read.iops * $delay / 1e9 <= (if .name == \"qd1-randread\" then 1 else 32 end))" \
		"$delay ns: no more I/Os than fit into the time"
	holds '.windows[0] | .read.ios * .read.lat_ns.mean / .elapsed_ns | . > 0.9 and . <= 1.001' \
		"$delay ns: at depth 1 the waits fill the window"
done

# The best of two tries: how far above 10 ms p50 is, how much of the 3200 IOPS
# that 32 reads of 10 ms make there are. A machine with a CPU to spare has p50
# within 6 % and 92 % of the IOPS; what is asserted also holds on a busy one.
near()
{
	jq -e -s "(map(.windows[0].read.lat_ns.p50) | min) <= 10e6 * $1 and
		(map(.windows[1].read.iops) | max) >= 3200 * $2" "$T"/near.*.json
}
cp "$T/10000000.json" "$T/near.1.json"
if ! near 1.06 0.92 >/dev/null && boot 10000000; then
	diag 'once more:' "$(latency 10000000)"
	cp "$T/10000000.json" "$T/near.2.json"
fi
near 1.06 0.92 >/dev/null && goal=reached || goal='not reached, is the machine busy?'
diag "10 ms: p50 within 6 % and 92 % of the IOPS at depth 32: $goal"
ok '10000000 ns: p50 within 20 %, 65 % of the IOPS at depth 32' near 1.2 0.65
done_testing
