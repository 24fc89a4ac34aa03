#!/bin/sh
# fetch.sh DIR: put one pinned archive of each library into DIR and print its
# name and version as make variables.
#
# The archives are the upstream tarballs of Debian source packages, and one
# binary package (whose source the archive does not always serve).  They come
# through apt's own client, from the machine's own Debian list with deb-src
# switched on, in a private apt state inside DIR: the machine's package lists
# and caches are neither used nor changed, and root is not needed.  The suite is
# set to trixie first, so that every Debian builds the same libraries; where
# trixie is not served, the machine's own suite must do.  No network is used
# when the archives are in DIR already.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd -P)
mkdir -p "$1"
dl=$(CDPATH= cd -- "$1" && pwd -P)
etc=${APT_ETC:-/etc/apt}
sources='bearssl libaio jansson musl lz4'
binaries='ca-certificates'
packages="$sources $binaries"

# have PACKAGE: name its archive in DIR, the first one that SHA256SUMS lists
have() {
	while read -r sum file; do
		case $file in "$1"_*) ;; *) continue ;; esac
		[ -f "$dl/$file" ] || continue
		echo "$sum  $dl/$file" | sha256sum --status -c - || continue
		echo "$file"
		return 0
	done <"$here/SHA256SUMS"
	return 1
}

missing() {
	for p in $packages; do
		have "$p" >/dev/null || printf '%s ' "$p"
	done
}

# list SUITE: the machine's Debian archive as deb-src; "" keeps its own suite
list() {
	for f in "$etc"/sources.list "$etc"/sources.list.d/*.list \
		"$etc"/sources.list.d/*.sources; do
		[ -f "$f" ] || continue
		awk -v suite="$1" -v codename="$codename" \
			-f "$here/debian-sources.awk" "$f"
	done | sort -u
}

# download SUITE source|binary PACKAGE...: what arrives is judged by its sum, not by apt
download() {
	apt=$dl/apt
	rm -rf "$apt"
	mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
	list "$1" >"$apt/sources.list"
	[ "$2" = source ] || sed -i 's/^deb-src/deb/' "$apt/sources.list"
	how=$2
	shift 2
	: >"$apt/status"
	cat >"$apt/apt.conf" <<-END
		Dir::Etc::SourceList "$apt/sources.list";
		Dir::Etc::SourceParts "/dev/null";
		Dir::State::Lists "$apt/lists";
		Dir::State::status "$apt/status";
		Dir::Cache "$apt/cache";
		APT::Sandbox::User "";
		Acquire::Languages "none";
	END
	{
		cat "$apt/sources.list"
		apt-get -q -c "$apt/apt.conf" update || :
		# one at a time: what the mirror lacks must not cost us the rest
		for p; do
			case $how in
			source) set -- source --download-only --tar-only "$p" ;;
			*) set -- download "$p" ;;
			esac
			(cd "$dl" && apt-get -q -c "$apt/apt.conf" "$@") || :
		done
	} >>"$dl/apt.log" 2>&1
	rm -rf "$apt"
}

# explain: say in plain words what is missing and what was found instead
explain() {
	{
		echo "third_party: no usable source archive for: $todo"
		if [ -z "$(list '')" ]; then
			echo "$etc names no Debian archive (this is ${release:-unknown})."
		fi
		for p in $todo; do
			for f in "$dl/${p}_"*.orig.tar.* "$dl/${p}_"*.deb; do
				case $f in *.asc | *'*'*) continue ;; esac
				echo "found ${f##*/} (${release:-unknown}), which" \
					"third_party/SHA256SUMS does not list."
			done
		done
		echo "Wanted, in $dl, one of each:"
		sed 's/^[0-9a-f]* */  /' "$here/SHA256SUMS"
		echo "What apt said is in $dl/apt.log."
	} >&2
	exit 1
}

codename= release=
if [ -r /etc/os-release ]; then
	codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
	release=$(. /etc/os-release && echo "${PRETTY_NAME:-}")
fi

rm -f "$dl/apt.log"
for suite in trixie ''; do
	for kind in source binary; do
		packages=$sources
		[ $kind = source ] || packages=$binaries
		todo=$(missing)
		[ -z "$todo" ] || download "$suite" $kind $todo
	done
done
packages="$sources $binaries"
todo=$(missing)
[ -z "$todo" ] || explain

rm -f "$dl/apt.log" "$dl"/*.asc

for p in $packages; do
	file=$(have "$p")
	version=${file#*_}
	version=${version%.orig.tar.*}
	version=${version%_all.deb}
	name=$(echo "$p" | tr a-z- A-Z_)
	echo "${name}_ARCHIVE := $file"
	echo "${name}_VERSION := ${version%+dfsg*}"
done
