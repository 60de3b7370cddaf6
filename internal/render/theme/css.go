package theme

import "bytes"

// compactCSS returns a stylesheet without comments and unnecessary white space. It replaces each remaining run of white
// space with one space. It removes white space around braces, semicolons, and commas, white space after colons, and
// semicolons before a closing brace. Strings and unquoted URLs stay unchanged. A comment between two names becomes an
// empty comment, so that the names stay separate. A comment that begins with "/*!", such as a license, stays unchanged.
func compactCSS(css []byte) []byte {
	c := compacter{css: css, out: make([]byte, 0, len(css)), after: afterMark}
	for c.at < len(css) {
		c.next()
	}
	c.trim()
	return c.out
}

// A compacter compacts the stylesheet css in one pass and appends the result to out. at is the offset of the next byte
// to read in css, and after is the kind of text at the end of out.
type compacter struct {
	css, out []byte
	at       int
	after    place
}

// A place is a kind of text at the end of the output.
type place int

const (
	afterText  place = iota
	afterSpace       // a space that may be removed
	afterMark        // a character after which white space has no meaning, or the start of the output
)

func (c *compacter) next() {
	rest := c.css[c.at:]
	switch b := rest[0]; {
	case b == '"' || b == '\'':
		c.copy(stringEnd(rest), afterText)
	case b == '\\' && len(rest) > 1:
		c.copy(2, afterText)
	case isURL(rest):
		c.copy(addressEnd(rest), afterText)
	case bytes.HasPrefix(rest, []byte("/*!")):
		c.copy(commentEnd(rest), afterText)
	case bytes.HasPrefix(rest, []byte("/*")):
		c.at += commentEnd(rest)
		if c.between() {
			c.out = append(c.out, "/**/"...)
		}
	case isCSSSpace(b):
		c.at++
		if c.after == afterText {
			c.out, c.after = append(c.out, ' '), afterSpace
		}
	case isCSSMark(b):
		c.trim()
		if (b == '}' || b == ';') && c.after == afterMark {
			c.out = bytes.TrimSuffix(c.out, []byte(";"))
		}
		c.copy(1, afterMark)
	case b == ':':
		// Don't trim white space before a colon because it has a meaning in selectors: "a :hover" matches descendants.
		c.copy(1, afterMark)
	default:
		c.copy(1, afterText)
	}
}

// copy copies the next n bytes to the output unchanged. after is the kind of text in these bytes.
func (c *compacter) copy(n int, after place) {
	c.out = append(c.out, c.css[c.at:c.at+n]...)
	c.at, c.after = c.at+n, after
}

// trim removes the space at the end of the output, if there is one.
func (c *compacter) trim() {
	if c.after == afterSpace {
		c.out, c.after = c.out[:len(c.out)-1], afterText
	}
}

// between reports whether removing the comment just read would join the text before the comment with the text after it.
func (c *compacter) between() bool {
	return c.after == afterText && c.at < len(c.css) && !isCSSSpace(c.css[c.at]) && !isCSSMark(c.css[c.at])
}

// isCSSMark reports whether white space before and after b has no meaning.
func isCSSMark(b byte) bool { return b == '{' || b == '}' || b == ';' || b == ',' }

func isCSSSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' || b == '\f' }

// isURL reports whether css starts with url( and an unquoted URL.
func isURL(css []byte) bool {
	if len(css) < 5 || !bytes.EqualFold(css[:4], []byte("url(")) {
		return false
	}
	address := bytes.TrimLeft(css[4:], " \t\n\r\f")
	return len(address) > 0 && address[0] != '"' && address[0] != '\''
}

// addressEnd returns the length of the url() that css starts with.
func addressEnd(css []byte) int {
	if end := bytes.IndexByte(css, ')'); end >= 0 {
		return end + 1
	}
	return len(css)
}

// stringEnd returns the length of the string that css starts with.
func stringEnd(css []byte) int {
	for i := 1; i < len(css); i++ {
		switch css[i] {
		case '\\':
			i++
		case css[0], '\n':
			return i + 1
		}
	}
	return len(css)
}

// commentEnd returns the length of the comment that css starts with.
func commentEnd(css []byte) int {
	if end := bytes.Index(css[2:], []byte("*/")); end >= 0 {
		return end + 4
	}
	return len(css)
}
