package artifact

import (
	"slices"
	"strconv"
	"strings"
)

// Class is a template shared by many variants: the name of their public file and their header fields, with holes for
// the differences between them. Pages with the same layout share a class, so a server prepares their header section
// once.
type Class struct {
	// File is the name of the variant's public file, in which HolePath represents the path's stem without its first
	// slash.
	File string
	// Fields are header fields. In a value, HolePath represents the path's stem, percent-encoded (AppendEscaped), and
	// HoleArgument represents the variant's argument, a decimal number.
	Fields []Field
}

// ClassIndex numbers the classes of a manifest from 0.
type ClassIndex int

// Characters that represent holes in the strings of a class. Header fields and file names can't contain these
// characters.
const (
	HolePath     = '\x00'
	HoleArgument = '\x01'
)

// FieldMarkdownTokens is the field with the estimated number of tokens in a page's Markdown.
const FieldMarkdownTokens = "X-Markdown-Tokens"

// stem returns the part of path shared by a page and its Markdown twin. Holes replace it in the strings of their
// variants. stem returns "" for a path without a leading slash, and for "/", which is too short to find reliably in a
// string.
func stem(path string) string {
	if s := strings.TrimSuffix(path, ".md"); len(s) > 1 && s[0] == '/' {
		return s
	}
	return ""
}

// classify replaces the page-specific parts of a variant's file and fields with holes. These parts are the stem of the
// variant's path, unescaped and escaped, and the variant's argument, which classify returns. Filling the holes restores
// the input exactly.
func classify(stem, escaped, file string, fields []Field) (c Class, argument uint32) {
	c = Class{File: file, Fields: fields}
	if stem == "" {
		return c, 0
	}
	c.File = strings.Replace(file, stem[1:], string(HolePath), 1)
	c.Fields = make([]Field, len(fields))
	for i, f := range fields {
		f.Value = strings.ReplaceAll(f.Value, escaped, string(HolePath))
		if f.Name == FieldMarkdownTokens && argument == 0 {
			if n, ok := decimal(f.Value); ok {
				f.Value, argument = string(HoleArgument), n
			}
		}
		c.Fields[i] = f
	}
	return c, argument
}

// fits reports whether classify would return c for a variant with this stem, file, and fields. If so, fits also returns
// the variant's argument.
func (c *Class) fits(stem, escaped, file string, fields []Field) (argument uint32, ok bool) {
	if stem == "" {
		return 0, c.File == file && slices.Equal(c.Fields, fields)
	}
	if len(c.Fields) != len(fields) || !holed(file, stem[1:], c.File, 1) {
		return 0, false
	}
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
		if !holed(f.Value, escaped, own.Value, -1) {
			return 0, false
		}
	}
	return argument, true
}

// holed reports whether replacing the first n occurrences of part in text (or all, if n is -1) with holes yields other.
func holed(text, part, other string, n int) bool {
	for ; n != 0; n-- {
		i := strings.Index(text, part)
		if i < 0 {
			break
		}
		if len(other) <= i || other[:i] != text[:i] || other[i] != HolePath {
			return false
		}
		text, other = text[i+len(part):], other[i+1:]
	}
	return text == other
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

// Fill replaces the holes in value with path, percent-encoded, and argument; see Manifest.ClassOf.
func Fill(value, path string, argument uint32) string {
	if strings.IndexByte(value, HolePath) >= 0 {
		value = strings.ReplaceAll(value, string(HolePath), string(AppendEscaped(nil, path)))
	}
	if strings.IndexByte(value, HoleArgument) >= 0 {
		value = strings.ReplaceAll(value, string(HoleArgument), strconv.FormatUint(uint64(argument), 10))
	}
	return value
}
