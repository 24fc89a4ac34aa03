#!/bin/sh
# deps.sh [build|test]: install the Debian packages that are missing.
#
# The one list of what this project needs on a machine.  `test` includes
# `build`.  Asks for nothing and touches nothing when all is there.
set -eu
export LC_ALL=C

# group | package | what for
list() {
	cat <<-END
		build gcc              compiles what ships
		build make
		build linux-libc-dev   kernel headers
		build xz-utils         unpacks BearSSL
		test  clang            compiles the sanitizer build
		test  libc6-dev        its libc
		test  $clang_rt        the sanitizers
		test  clang-format     layout
		test  binutils         readelf, nm
		test  perl             prove
		test  fio              agreement of figures and of sequences
		test  strace           fails system calls, counts them
		test  jq               reads receipts
		test  python3
		test  python3-jsonschema  an independent validator
		test  e2fsprogs        filesystems to measure on
		test  xfsprogs
		test  btrfs-progs
		test  mount            losetup
		test  squashfs-tools   a filesystem that is refused
		test  clickhouse-server  a database of receipts
		test  util-linux       unshare, findmnt
		test  procps           ps
		test  chromium         shows pages as a reader would
		test  nodejs           other people's judges of signatures and pages
		test  npm
		test  openssl          certificates, and another judge
		test  curl             fetches as a user would
		test  wget             the same
		test  busybox          the smallest shell that users have
		test  kmod             modprobe, depmod
		test  cpio             an initramfs
		test  qemu-system-x86  a guest whose disk has a known latency
		test  qemu-utils       qemu-storage-daemon (Debian 13), faulty disks
		test  qemu-system-common  qemu-storage-daemon (Debian 12)
	END
}

# The runtime of clang's sanitizers carries clang's version in its name.
clang_runtime() {
	v=
	if clang=$(command -v clang); then
		v=$(readlink -f "$clang" | sed -n 's|.*/llvm-\([0-9]*\)/.*|\1|p')
	fi
	if [ -z "$v" ]; then
		v=$(apt-cache depends clang 2>/dev/null |
			sed -n 's/.*Depends: clang-\([0-9]*\)$/\1/p')
	fi
	echo "libclang-rt-${v:-14}-dev"
}

# missing GROUP: names of packages of the group that are not installed
missing() {
	clang_rt=
	[ "$1" = build ] || clang_rt=$(clang_runtime)
	want=$(list | while read -r group package _; do
		[ "$group" = build ] || [ "$1" = test ] || continue
		echo "$package"
	done | sort -u)
	have=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' $want 2>/dev/null |
		sed -n 's/^installed //p' | sort -u)
	for p in $want; do
		# some vendors' nodejs brings its own npm, beside which Debian's cannot be
		[ "$p" != npm ] || ! command -v npm >/dev/null || continue
		case "
$have
" in *"
$p
"*) ;; *) printf '%s ' "$p" ;; esac
	done
}

group=${1:-build}
case $group in build | test) ;; *) echo "usage: deps.sh [build|test]" >&2; exit 64 ;; esac
if ! command -v apt-get >/dev/null; then
	echo "deps.sh: this is no Debian; needed are what these packages hold:" >&2
	missing "$group" >&2
	exit 1
fi
todo=$(missing "$group")
[ -n "$todo" ] || exit 0

if [ "$(id -u)" = 0 ]; then
	as_root=
elif command -v sudo >/dev/null; then
	as_root=sudo
else
	echo "Missing packages.  As root: apt-get install $todo" >&2
	exit 1
fi
echo "  APT   $todo"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
	$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y "$@" >"$log" 2>&1 </dev/null
}
# Lists may be absent or old: without them the first try fails.  The version of
# clang may be known only afterwards.
apt update || cat "$log" >&2
todo=$(missing "$group")
apt install --no-install-recommends $todo || {
	cat "$log" >&2
	echo "deps.sh: could not install $todo" >&2
	exit 1
}
