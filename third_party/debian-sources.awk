# debian-sources.awk: print the Debian archive named in apt's list files as
# one-line deb-src entries.  Reads both formats, *.sources (deb822) and *.list.
#   -v suite=NAME     put NAME in place of the machine's own suite
#   -v codename=NAME  the machine's release, as in /etc/os-release
#
# A machine may list other vendors too, some with Debian's code name as their
# suite.  An entry counts as Debian's when it has the component main, the plain
# suite of the release (not -security, -updates, -backports), and either
# Debian's own keyring or a path that ends in /debian, as all mirrors have.

function is_suite(s)
{
	return s == codename || s == "stable" || s == "oldstable" || s == "testing"
}

# opts: "name=value" words that decide whether apt trusts the archive
function entry(opts, uri, from, components)
{
	if (!is_suite(from) || (" " components " ") !~ /[ \t]main[ \t]/)
		return
	if (opts !~ /debian-archive-keyring/ && uri !~ /\/debian\/?$/)
		return
	sub(/^ +/, "", opts)
	print "deb-src " (opts == "" ? "" : "[" opts "] ") uri " " \
		(suite == "" ? from : suite) " main"
}

function stanza_end(    opts, u, s, nu, ns, i, j)
{
	if ((" " field["types"] " ") ~ /[ \t]deb[ \t]/ &&
		tolower(field["enabled"]) !~ /^no|^false/) {
		# a key block instead of a file name spans lines: left to apt
		if (field["signed-by"] ~ /^\//)
			opts = opts " signed-by=" field["signed-by"]
		if (field["trusted"] != "")
			opts = opts " trusted=" field["trusted"]
		if (field["check-valid-until"] != "")
			opts = opts " check-valid-until=" field["check-valid-until"]
		nu = split(field["uris"], u)
		ns = split(field["suites"], s)
		for (i = 1; i <= nu; i++)
			for (j = 1; j <= ns; j++)
				entry(opts, u[i], s[j], field["components"])
	}
	split("", field)
	name = ""
}

{ sub(/\r$/, "") }
/^[ \t]*#/ { next }

FILENAME ~ /\.sources$/ {
	if ($0 ~ /^[ \t]*$/) {
		stanza_end()
	} else if ($0 ~ /^[ \t]/) {
		field[name] = field[name] " " $0
	} else {
		colon = index($0, ":")
		name = tolower(substr($0, 1, colon - 1))
		value = substr($0, colon + 1)
		gsub(/^[ \t]+|[ \t]+$/, "", value)
		field[name] = value
	}
	next
}

$1 == "deb" {
	opts = ""
	line = $0
	sub(/[ \t]#.*/, "", line)
	sub(/^[ \t]*deb[ \t]+/, "", line)
	if (line ~ /^\[/) {
		n = split(substr(line, 2, index(line, "]") - 2), word)
		for (i = 1; i <= n; i++)
			if (word[i] ~ /^(signed-by|trusted|check-valid-until)=/)
				opts = opts " " word[i]
		line = substr(line, index(line, "]") + 1)
	}
	n = split(line, word)
	components = ""
	for (i = 3; i <= n; i++)
		components = components " " word[i]
	entry(opts, word[1], word[2], components)
}

END { if (FILENAME ~ /\.sources$/) stanza_end() }
