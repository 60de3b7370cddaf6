package convert

import "strings"

// dollars returns text with dollar signs escaped if Vitrine reads them as math but the old site doesn't, for example in
// shell variables. If the old site has math, dollars escapes only dollar signs with a link between them.
func (c *Converter) dollars(text string) string {
	if strings.Count(text, "$") < 2 {
		return text
	}
	mask := CodeMask(text)
	var b strings.Builder
	at, skip := 0, 0
	for line := range strings.Lines(text) {
		for i := 0; i < len(line); i++ {
			if at+i < skip || line[i] != '$' || mask[at+i] || i > 0 && line[i-1] == '\\' {
				b.WriteByte(line[i])
				continue
			}
			width, length := mathAt(line[i:], strings.TrimLeft(line[:i], " \t>") == "")
			switch math := c.Site.Math || width == 2 && c.syntax.MathBlocks; {
			case length == 0:
				b.WriteString(line[i : i+width])
				i += width - 1
			case math && !strings.Contains(line[i:i+length], "]("):
				b.WriteByte('$')
				skip = at + i + length
			default:
				b.WriteString(strings.Repeat(`\$`, width))
				i += width - 1
			}
		}
		at += len(line)
	}
	return b.String()
}

// mathAt returns the number of dollar signs at the start of line, and the length of the math that these signs begin, or
// 0 if they don't begin math. line may be the rest of a line. first reports whether only white space and quote markers
// precede the dollar signs, so that two of them begin a block.
func mathAt(line string, first bool) (width, length int) {
	width = runOf(line, '$')
	switch {
	case width > 2:
		return width, 0
	case first && width == 2:
		return width, len(line)
	}
	if width == len(line) || strings.IndexByte(" \t\n", line[width]) >= 0 {
		return width, 0
	}
	end := strings.Index(line[width:], strings.Repeat("$", width))
	if end < 0 {
		return width, 0
	}
	end += width
	after := end + width
	if width == 1 && (strings.IndexByte(" \t", line[end-1]) >= 0 || after < len(line) && line[after] >= '0' && line[after] <= '9') {
		return width, 0
	}
	return width, after
}
