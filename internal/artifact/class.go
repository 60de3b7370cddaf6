package artifact

import (
	"strconv"
	"strings"
)

// Class is what many variants have in common: the name of the public file and
// the header fields, with holes where variants differ. Pages of one layout
// share one class, so that a server makes their header ready once.
type Class struct {
	// File is the variant's public file; HolePath stands for the path's stem
	// without its first slash.
	File string
	// Fields are header fields. In a value, HolePath stands for the path's stem,
	// percent-encoded (AppendEscaped), and HoleArgument for the variant's
	// argument, a decimal number.
	Fields []Field
}

// ClassIndex numbers the classes of a manifest from 0.
type ClassIndex int

// Holes in the texts of a class. No header field and no name of a file has
// these characters.
const (
	HolePath     = '\x00'
	HoleArgument = '\x01'
)

// FieldMarkdownTokens is the field with the estimate of a text's length, which
// differs from page to page.
const FieldMarkdownTokens = "X-Markdown-Tokens"

// stem is the part of a path that the texts of its variants have holes for: a
// page and its Markdown twin share it. It is "" for a path that is too short to
// tell where it stands.
func stem(path string) string {
	if s := strings.TrimSuffix(path, ".md"); len(s) > 1 && s[0] == '/' {
		return s
	}
	return ""
}

// classify takes out of a variant's file and fields what differs from page to
// page. Filling the holes gives back exactly what was given.
func classify(path, file string, fields []Field) (c Class, argument uint32) {
	c = Class{File: file, Fields: fields}
	s := stem(path)
	if s == "" {
		return c, 0
	}
	c.File = strings.Replace(file, s[1:], string(HolePath), 1)
	c.Fields = make([]Field, len(fields))
	escaped := string(AppendEscaped(nil, s))
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

// decimal reads a number above 0 that is written as strconv writes it.
func decimal(s string) (uint32, bool) {
	n, err := strconv.ParseUint(s, 10, 32)
	return uint32(n), err == nil && n > 0 && s[0] != '0'
}

// holdsControl reports whether a text has a character that no header field
// value and no name of a file may have (RFC 9110 §5.5); holes are among them.
func holdsControl(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' && s[i] != '\t' || s[i] == 0x7f {
			return true
		}
	}
	return false
}

// AppendEscaped appends a path with percent-encoding, as it stands in URLs.
func AppendEscaped(dst []byte, path string) []byte {
	const digits = "0123456789ABCDEF"
	begin := 0 // of what is to be copied as it is, at once
	for i := range len(path) {
		if c := path[i]; !plainInPath[c] {
			dst = append(dst, path[begin:i]...)
			dst = append(dst, '%', digits[c>>4], digits[c&15])
			begin = i + 1
		}
	}
	return append(dst, path[begin:]...)
}

// plainInPath has the characters of a path that stand in a URL as they are: the
// same that net/url leaves alone.
var plainInPath = func() (plain [256]bool) {
	for _, c := range []byte("-_.~/$&+,:;=@") {
		plain[c] = true
	}
	for c := range plain {
		plain[c] = plain[c] || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
	}
	return plain
}()

// Fill puts into the holes of a field's value what a variant has there; see
// Manifest.ClassOf.
func Fill(value, path string, argument uint32) string {
	if strings.IndexByte(value, HolePath) >= 0 {
		value = strings.ReplaceAll(value, string(HolePath), string(AppendEscaped(nil, path)))
	}
	if strings.IndexByte(value, HoleArgument) >= 0 {
		value = strings.ReplaceAll(value, string(HoleArgument), strconv.FormatUint(uint64(argument), 10))
	}
	return value
}
