#!/bin/bash
# Every kind of layer for real, nested three deep and more: LVM on LUKS on a
# partition, a loop device and an overlay on that, a mirror, thin volumes,
# device-mapper by hand, memory under encryption. In a guest under emulation, by
# the tools that people use; they and the kernel are unpacked, not installed.
. "$(dirname "$0")/lib.sh"
PATH=$PATH:/usr/sbin:/sbin
need qemu-system-x86_64 cpio modprobe readelf jq
TOOLS=(busybox-static dmsetup lvm2 mdadm cryptsetup-bin e2fsprogs)
PROGRAMS=(dmsetup lvm mdadm cryptsetup mkfs.ext4)
MODULES=(virtio_pci virtio_blk nvme virtio_scsi sd_mod dm_mod dm_crypt dm_thin_pool raid1 loop
	overlay ext4 brd algif_skcipher xts aes_generic)

kernel=$("$top/scripts/kernel-deb" "$top/build/dl" 2>"$T/.fetch") &&
	tools=$("$top/scripts/deb-tree" "$top/build/dl" stack-tools "${TOOLS[@]}" 2>"$T/.fetch") ||
	skip_all "needs packages: $(tail -n 1 "$T/.fetch")"
version=$(ls "$kernel/lib/modules")

# libraries FILE: what it is linked with, and what that is; into $root
libraries()
{
	local so file
	for so in $(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
		[[ -e $root/lib/x86_64-linux-gnu/$so ]] && continue
		file=$(find "$tools"/lib/x86_64-linux-gnu/ "$tools"/usr/lib/x86_64-linux-gnu/ -name "$so" | head -n 1)
		[[ -n $file ]] || return 1
		cp -L "$file" "$root/lib/x86_64-linux-gnu/" && libraries "$file" || return 1
	done
}

pack()
{
	local name file n=100
	root=$T/root
	mkdir -p "$root"/{bin,sbin,dev,proc,sys,tmp,etc,modules,lib/x86_64-linux-gnu,lib64} || return 1
	cp -L "$tools/bin/busybox" "$root/bin/" && cp "$IORECEIPT" "$root/ioreceipt" &&
		cp "$here/data/stack-guest.init" "$root/init" && chmod +x "$root/init" || return 1
	for name in "${PROGRAMS[@]}"; do
		file=$(find "$tools"/{,usr/}{s,}bin/ -name "$name" 2>/dev/null | head -n 1)
		cp -L "$file" "$root/sbin/" && libraries "$file" || return 1
	done
	file=$(find "$tools"/lib64/ "$tools"/usr/lib64/ -name 'ld-linux-x86-64.so.2' 2>/dev/null | head -n 1)
	cp -L "$file" "$root/lib64/" || return 1
	for name in "${MODULES[@]}"; do
		modprobe -d "$kernel" -S "$version" --show-depends "$name" || return 1
	done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' >"$T/modules"
	while read -r file; do
		name=$root/modules/$((n++))-$(basename "$file")
		case $file in
		*.xz) xz -dc "$file" >"${name%.xz}" ;;
		*) cp "$file" "$name" ;;
		esac || return 1
	done <"$T/modules"
	(cd "$root" && find . | cpio --quiet -o -H newc -R 0:0) >"$T/initrd"
}

# drive NAME SIZE DEVICE: a disk of the guest
drives=()
drive()
{
	truncate -s "$2" "$T/$1.img"
	drives+=(-drive "if=none,format=raw,cache=unsafe,id=$1,file=$T/$1.img" -device "$3,drive=$1")
}

# Two partitions: 64 MiB from sector 2048 on, the rest. Numbers little-endian.
partitions()
{
	{
		printf '\0\0\0\0\203\0\0\0\0\010\0\0\0\0\002\0'
		printf '\0\0\0\0\203\0\0\0\0\010\002\0\0\0\107\0'
	} | dd of="$T/a.img" bs=1 seek=446 conv=notrunc status=none
	printf '\125\252' | dd of="$T/a.img" bs=1 seek=510 conv=notrunc status=none
}

boot()
{
	drive a 2400M virtio-blk-pci
	drive b 80M virtio-blk-pci
	drive c 80M virtio-blk-pci
	drive n 100M nvme,serial=SECRETSERIAL
	drives+=(-device virtio-scsi-pci,id=scsi)
	drive s 100M scsi-hd,bus=scsi.0
	partitions
	run -t 150 qemu-system-x86_64 -accel tcg -cpu max -smp 1 -m 512 -nodefaults -display none \
		-no-reboot -serial "file:$T/serial" -kernel "$kernel/boot/vmlinuz-$version" \
		-initrd "$T/initrd" "${drives[@]}" \
		-append 'console=ttyS0 quiet loglevel=0 panic=-1 random.trust_cpu=on'
	tr -d '\r' <"$T/serial" >"$T/said"
	grep -qx '== done' "$T/said"
}

# got NAME: what the program printed there, in $R and $T/out; sets rc
got()
{
	sed -n "/^== begin $1\$/,/^== end $1 /p" "$T/said" | sed '1d;$d' | sed '/^$/d' >"$R"
	cp "$R" "$T/out"
	rc=$(sed -n "s/^== end $1 //p" "$T/said")
}

# stack NAME LAYERS BACKING
stack()
{
	got "$1"
	is "$rc" 0 "$1: facts"
	is "$(field '[.target.stack[].layer] | join(" ")')" "$2" "$1: each layer"
	holds ".target.backing == \"$3\"" "$1: backing"
	ok "$1: valid" /usr/bin/python3 -c 'import json, jsonschema, sys
jsonschema.Draft202012Validator(json.load(open(sys.argv[1]))).validate(json.load(open(sys.argv[2])))' \
		"$top/src/receipt/facts.schema.json" "$R"
	got "$1.table"
	unlike "$T/out" '.{81}' "$1: at most 80 columns"
	diag "$(sed -n '/^storage/,/^limits/p' "$T/out")"
	got "$1"
}

ok 'an initramfs is packed' pack || done_testing
SECONDS=0
ok 'the guest boots, builds its stacks and ends' boot || {
	diag "qemu: $rc"
	tail -n 20 "$T/said" | cut -c 1-200 | sed 's/^/#   /'
	done_testing
}
diag "$SECONDS seconds"

stack lvm-luks 'ext4 dm-linear dm-crypt partition disk' disk
holds '.target.stack[3].name == "vda2" and .target.stack[4].name == "vda"' 'lvm-luks: names'
holds '.target.stack[4] | .transport == "virtio" and .write_cache and .scheduler and .nr_requests > 0' \
	'lvm-luks: the disk'
holds '.watch.device and .watch.name == "vda"' 'lvm-luks: one disk, whose counters tell'
holds '.host.virtualisation == "qemu" and .watch.steal == false' 'lvm-luks: no steal known to be told'
stack loop 'ext4 loop ext4 dm-linear dm-crypt partition disk' unknown
holds '.target.backing_why | test("page cache")' 'loop: since it goes through the page cache'
stack overlay 'overlay ext4 dm-linear dm-crypt partition disk' disk
stack md 'ext4 dm-linear md-raid1 disk disk' disk
holds '.watch.device == false' 'md: no single disk'
stack thin 'ext4 dm-thin dm-thin-pool dm-linear disk dm-linear' disk
holds '[.target.stack[] | select(.layer == "disk")][0] | .transport == "nvme" and .model == "QEMU NVMe Ctrl"' \
	'thin: the disk below'
stack dm-loop 'ext4 dm-linear loop ext4 disk' unknown
stack crypt-ram 'ext4 dm-crypt brd' memory
holds '.guard.fits == false and (.guard.why | test("memory"))' 'crypt-ram: refused'
unlike "$T/said" 'customer"|secret"|SECRETSERIAL' 'no names that people gave, no serial'

got lvm-luks.run
grep '^{' "$T/out" >"$R"
is "$rc" 0 'a run on LVM on LUKS'
valid_receipt "$R"
holds '.complete and (.windows | length) == 1' 'is complete'
holds '.windows[0].device | .missing_read_bytes == 0 and .read_bytes >= 4096' 'its reads reached the disk'
holds '.windows[0] | .device.read_wait_ns / .device.read_ios <= .read.lat_ns.mean * 1.1 + 1e6' \
	'the disk itself needs no longer than who waits for it'
done_testing
