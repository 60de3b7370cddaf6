package artifact

import (
	"slices"
	"strconv"
	"strings"
)

// Class is a template shared by many variants: the name of their public file and their header fields, with holes for
// the parts that differ. Pages with the same layout share a class, so a server prepares their header section once.
type Class struct {
	// File is the name of the variant's public file. In the name, HolePath represents the stem of the resource's path
	// (the path without ".md"), without the leading slash.
	File string
	// Fields are the header fields. A value can contain any kind of hole. HolePath represents the stem, percent-encoded
	// (AppendEscaped). HoleRest represents the stem without its first segment, also percent-encoded. HoleArgument
	// represents the variant's argument, a decimal number.
	Fields []Field
}

// ClassIndex is the number of a class in a manifest, from 0.
type ClassIndex int

// Characters that represent holes in the strings of a class. Header fields and file names can't contain these
// characters.
const (
	HolePath     = '\x00'
	HoleArgument = '\x01'
	// HoleRest represents the part that the paths of a page and its translations share, such as "/pricing" in the links
	// from "/de/pricing" to "/pricing" and "/fr/pricing".
	HoleRest = '\x02'

	holes = "\x00\x01\x02"
)

// FieldMarkdownTokens is the header field with the estimated number of tokens in a page's Markdown; see Tokens.
const FieldMarkdownTokens = "X-Markdown-Tokens"

// stem returns the part of path that a page shares with its Markdown twin: path without ".md" at its end. In a class,
// holes replace the stem. stem returns "" for a path without a leading slash, and for "/", which is too short to find
// reliably in a string.
func stem(path string) string {
	if s := strings.TrimSuffix(path, ".md"); len(s) > 1 && s[0] == '/' {
		return s
	}
	return ""
}

// afterFirst returns stem without its first segment, such as "/pricing" for "/de/pricing". It returns "" for a stem of
// one segment.
func afterFirst(stem string) string {
	if len(stem) > 0 {
		if i := strings.IndexByte(stem[1:], '/'); i >= 0 && len(stem) > i+2 {
			return stem[i+1:]
		}
	}
	return ""
}

// classify replaces the page-specific parts of a variant's file and fields with holes. These parts are the stem of the
// variant's path, unescaped and escaped, the stem without its first segment, and the variant's argument. classify also
// returns the argument. Filling the holes restores the input exactly.
func classify(stem, escaped, file string, fields []Field) (c Class, argument uint32) {
	c = Class{File: file, Fields: fields}
	if stem == "" {
		return c, 0
	}
	c.File = strings.Replace(file, stem[1:], string(HolePath), 1)
	c.Fields = make([]Field, len(fields))
	rest := afterFirst(escaped)
	for i, f := range fields {
		f.Value = withHoles(f.Value, escaped, rest)
		if f.Name == FieldMarkdownTokens && argument == 0 {
			if n, ok := decimal(f.Value); ok {
				f.Value, argument = string(HoleArgument), n
			}
		}
		c.Fields[i] = f
	}
	return c, argument
}

// withHoles returns value with each occurrence of path and rest replaced by a hole.
func withHoles(value, path, rest string) string {
	at, hole, size := nextPart(value, path, rest)
	if at < 0 {
		return value
	}
	var b strings.Builder
	for at >= 0 {
		b.WriteString(value[:at])
		b.WriteByte(hole)
		value = value[at+size:]
		at, hole, size = nextPart(value, path, rest)
	}
	b.WriteString(value)
	return b.String()
}

// nextPart finds the first occurrence of path or rest in value. It returns the position and the length of the
// occurrence in bytes, and the hole that represents it. at is -1 if there is no occurrence. rest is a suffix of path,
// or "" to find only path.
func nextPart(value, path, rest string) (at int, hole byte, size int) {
	at, hole, size = strings.Index(value, path), HolePath, len(path)
	if rest == "" {
		return at, hole, size
	}
	if i := strings.Index(value, rest); i >= 0 && (at < 0 || i < at) {
		return i, HoleRest, len(rest)
	}
	return at, hole, size
}

// fits reports whether classify would return c for a variant with this stem, file, and fields. If so, fits also returns
// the variant's argument.
func (c *Class) fits(stem, escaped, file string, fields []Field) (argument uint32, ok bool) {
	if stem == "" {
		return 0, c.File == file && slices.Equal(c.Fields, fields)
	}
	if len(c.Fields) != len(fields) || !holedFile(file, stem[1:], c.File) {
		return 0, false
	}
	rest := afterFirst(escaped)
	for i, f := range fields {
		own := c.Fields[i]
		if own.Name != f.Name {
			return 0, false
		}
		if f.Name == FieldMarkdownTokens && argument == 0 {
			// A number can't contain an escaped stem, which begins with a slash.
			if n, ok := decimal(f.Value); ok {
				f.Value, argument = string(HoleArgument), n
			}
		}
		if !holed(f.Value, escaped, rest, own.Value) {
			return 0, false
		}
	}
	return argument, true
}

// holedFile reports whether replacing the first occurrence of part in file with a hole yields other.
func holedFile(file, part, other string) bool {
	i := strings.Index(file, part)
	if i < 0 {
		return file == other
	}
	return len(other) > i && other[:i] == file[:i] && other[i] == HolePath && other[i+1:] == file[i+len(part):]
}

// holed reports whether withHoles(value, path, rest) equals other. It doesn't allocate.
func holed(value, path, rest, other string) bool {
	for {
		at, hole, size := nextPart(value, path, rest)
		if at < 0 {
			return value == other
		}
		if len(other) <= at || other[:at] != value[:at] || other[at] != hole {
			return false
		}
		value, other = value[at+size:], other[at+1:]
	}
}

// decimal parses a positive number without leading zeros. ok is false for other strings, and for numbers that don't fit
// in 32 bits.
func decimal(s string) (uint32, bool) {
	n, err := strconv.ParseUint(s, 10, 32)
	return uint32(n), err == nil && n > 0 && s[0] != '0'
}

// hasControl reports whether s contains a character that is invalid in header field values and file names (RFC 9110
// §5.5), such as a hole.
func hasControl(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' && s[i] != '\t' || s[i] == 0x7f {
			return true
		}
	}
	return false
}

// AppendEscaped appends path to dst, percent-encoded as in URLs.
func AppendEscaped(dst []byte, path string) []byte {
	const digits = "0123456789ABCDEF"
	begin := 0 // start of the bytes to copy unchanged
	for i := range len(path) {
		if c := path[i]; !plainInPath[c] {
			dst = append(dst, path[begin:i]...)
			dst = append(dst, '%', digits[c>>4], digits[c&15])
			begin = i + 1
		}
	}
	return append(dst, path[begin:]...)
}

// plainInPath is the set of characters that need no escaping in a URL's path, as in net/url.
var plainInPath = func() (plain [256]bool) {
	for _, c := range []byte("-_.~/$&+,:;=@") {
		plain[c] = true
	}
	for c := range plain {
		plain[c] = plain[c] || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
	}
	return plain
}()

// escapedPath returns path, percent-encoded as in URLs.
func escapedPath(path string) string {
	for i := range len(path) {
		if !plainInPath[path[i]] {
			return string(AppendEscaped(nil, path))
		}
	}
	return path
}

// IndexHole returns the position of the first hole in s, or -1 if there is none.
func IndexHole(s string) int { return strings.IndexAny(s, holes) }

// AppendHole appends the text that fills a hole to dst. The text is path, path without its first segment (both
// percent-encoded), or argument; see Manifest.ClassOf.
func AppendHole(dst []byte, hole byte, path string, argument uint32) []byte {
	switch hole {
	case HolePath:
		return AppendEscaped(dst, path)
	case HoleRest:
		return AppendEscaped(dst, afterFirst(path))
	case HoleArgument:
		return strconv.AppendUint(dst, uint64(argument), 10)
	}
	return dst
}

// AppendFilled appends value to dst and fills its holes with AppendHole.
func AppendFilled(dst []byte, value, path string, argument uint32) []byte {
	for {
		i := IndexHole(value)
		if i < 0 {
			return append(dst, value...)
		}
		dst = AppendHole(append(dst, value[:i]...), value[i], path, argument)
		value = value[i+1:]
	}
}

// Fill returns value with its holes filled by AppendHole.
func Fill(value, path string, argument uint32) string {
	if IndexHole(value) < 0 {
		return value
	}
	return string(AppendFilled(nil, value, path, argument))
}
