# strip-c.awk: C without comments and without the text of strings, line for
# line, so that a checker sees code only.  Include lines keep their name.
/^[ \t]*#[ \t]*include/ && !comment { print; next }
{
	out = ""
	for (i = 1; i <= length($0); i++) {
		c = substr($0, i, 1)
		two = substr($0, i, 2)
		if (comment) {
			if (two == "*/") { comment = 0; i++; out = out " " }
		} else if (two == "/*") {
			comment = 1
			i++
		} else if (two == "//") {
			break
		} else if (c == "\"" || c == "'") {
			out = out c
			for (i++; i <= length($0); i++) {
				d = substr($0, i, 1)
				if (d == "\\") { i++; continue }
				if (d == c) break
			}
			out = out c
		} else {
			out = out c
		}
	}
	print out
}
