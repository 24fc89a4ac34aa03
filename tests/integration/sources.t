#!/bin/bash
# Where the archives come from: the machine's Debian list in either of apt's
# formats, and no other vendor's; what is missing is said in plain words.
. "$(dirname "$0")/lib.sh"
need awk sha256sum
cd "$top" || exit 1

# debian FILE-NAME SUITE: stdin is such a list of apt's; prints what we would ask
debian()
{
	cat >"$T/$1"
	awk -v codename=bookworm -v suite="$2" -f third_party/debian-sources.awk "$T/$1"
}

is "$(debian a.list trixie <<'END'
# deb http://mirror.invalid/debian bookworm main
deb http://mirror.invalid/debian bookworm main contrib # ours
deb-src http://mirror.invalid/debian bookworm main
deb http://mirror.invalid/debian bookworm-updates main
deb http://mirror.invalid/debian-security bookworm-security main
deb [arch=amd64 signed-by=/k.gpg] https://vendor.invalid/linux/debian bookworm stable
deb https://vendor.invalid/php bookworm main
END
)" 'deb-src http://mirror.invalid/debian trixie main' 'one-line list, suite changed'

is "$(debian b.list '' <<'END'
deb [ arch=amd64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg ] mirror+file:/m stable main
END
)" 'deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] mirror+file:/m stable main' \
	'options: the key is kept, the suite, too'

is "$(debian c.sources trixie <<'END'
Types: deb deb-src
# a comment
URIs: http://mirror.invalid/debian/
Suites: bookworm bookworm-updates
Components: contrib
 main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: http://mirror.invalid/debian-security
Suites: bookworm-security
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: https://vendor.invalid/node
Suites: nodistro
Components: main

Enabled: no
Types: deb
URIs: http://old.invalid/debian
Suites: bookworm
Components: main
END
)" 'deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://mirror.invalid/debian/ trixie main' \
	'deb822, several words and stanzas'

is "$(debian d.sources '' <<'END'
Types: deb
URIs: http://a.invalid/debian http://b.invalid/debian
Suites: bookworm
Components: main
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 -----END PGP PUBLIC KEY BLOCK-----
END
)" 'deb-src http://a.invalid/debian bookworm main
deb-src http://b.invalid/debian bookworm main' 'two archives, a key in the list'

# with every archive there, no source is asked
mkdir -p "$T/etc" "$T/dl"
cp build/dl/*.orig.tar.* build/dl/*.deb "$T/dl/"
run env APT_ETC="$T/etc" third_party/fetch.sh "$T/dl"
ok 'archives that are there are taken' test "$rc" = 0
like "$T/out" '^MUSL_VERSION := 1\.2\.' 'and their versions told'
like "$T/out" '^BEARSSL_VERSION := 0\.6$' 'without the packager'"'"'s suffix'

# a broken archive and one of another release
rm -f "$T"/dl/musl_* && echo x >"$T/dl/musl_9.9.orig.tar.gz"
echo x >>"$T/dl/jansson_2.14.orig.tar.gz"
run env APT_ETC="$T/etc" third_party/fetch.sh "$T/dl"
ok 'without them it fails' test "$rc" = 1
like "$T/err" 'no usable source archive for: jansson musl' 'and names the libraries'
like "$T/err" 'found musl_9\.9\.orig\.tar\.gz .*does not list' 'what was found instead'
like "$T/err" 'names no Debian archive' 'that no archive can be asked'
like "$T/err" ' musl_1\.2\.3\.orig\.tar\.gz' 'and what would do'
ok 'nothing of apt is left' not test -e "$T/dl/apt"
done_testing
