package source

import (
	"net/url"
	"path"
	"strings"
	"unicode"
)

// Extensions of pages, and of assets that pages show or offer for download.
const (
	pageFiles  = ".md .mdx .markdown .mkd .mkdn .mdown"
	assetFiles = ".png .apng .jpg .jpeg .gif .webp .avif .svg .ico .bmp .mp3 .m4a .aac .ogg .oga .opus .wav .flac .mp4 .m4v .webm .ogv .mov .vtt" +
		" .pdf .epub .zip .gz .tgz .tar .bz2 .xz .zst .7z .woff .woff2 .ttf .otf"
)

// IsPage reports whether a file is Markdown, judging by its extension.
func IsPage(name string) bool { return HasWord(pageFiles, strings.ToLower(path.Ext(name))) }

// IsAsset reports whether a file is an asset that pages show or offer for download, judging by its extension.
func IsAsset(name string) bool { return HasWord(assetFiles, strings.ToLower(path.Ext(name))) }

// Stem returns the last element of a path without its extension.
func Stem(name string) string {
	base := path.Base(name)
	return strings.TrimSuffix(base, path.Ext(base))
}

// CleanAddress normalizes the path of an address for comparison. The result starts with a slash and has no trailing
// slash unless it is "/". CleanAddress removes a trailing /index.html, /index.htm, .html, or .htm, and converts
// "/index" to "/".
func CleanAddress(s string) string {
	s = "/" + strings.Trim(s, "/")
	s = path.Clean(s)
	s, _ = CutSuffixes(s, "/index.html", "/index.htm", ".html", ".htm")
	if s == "" || s == "/index" {
		return "/"
	}
	return s
}

// Sluggish converts a string to a slug, as most generators do: "C++ and Go" becomes "c-and-go".
func Sluggish(s string) string {
	var b strings.Builder
	dash := false
	for _, r := range strings.ToLower(s) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r), r == '_', r == '.':
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			dash = false
			b.WriteRune(r)
		default:
			dash = true
		}
	}
	return b.String()
}

// Slug returns the anchor that Vitrine derives from a heading's text in the same way as GitHub.
func Slug(text string) string {
	var b strings.Builder
	for _, r := range strings.TrimSpace(text) {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-' || r == '_' || unicode.In(r, unicode.Letter, unicode.Mark, unicode.Nd, unicode.Nl, unicode.Pc):
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// TitleCase converts a path segment to a title: "getting-started" becomes "Getting started".
func TitleCase(s string) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '-' || r == '_' || r == ' ' }), " ")
	for i, r := range s {
		return string(unicode.ToTitle(r)) + s[i+len(string(r)):]
	}
	return s
}

// CutAny returns s without the first of the prefixes that s starts with, and reports whether s starts with any of them.
func CutAny(s string, prefixes ...string) (string, bool) {
	for _, prefix := range prefixes {
		if rest, ok := strings.CutPrefix(s, prefix); ok {
			return rest, true
		}
	}
	return s, false
}

// CutSuffixes returns s without the first of the suffixes that s ends with, and reports whether there is one.
func CutSuffixes(s string, ends ...string) (string, bool) {
	for _, end := range ends {
		if rest, ok := strings.CutSuffix(s, end); ok {
			return rest, true
		}
	}
	return s, false
}

// Unescape decodes percent-encoding. It returns s unchanged if the encoding is invalid.
func Unescape(s string) string {
	if decoded, err := url.PathUnescape(s); err == nil {
		return decoded
	}
	return s
}

// OneLine joins the words of s with single spaces. If the result has more than most characters, OneLine shortens it to
// that length and ends it with an ellipsis.
func OneLine(s string, most int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// HasWord reports whether word is one of the space-separated words in list.
func HasWord(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}

// Fallback returns s without surrounding space, or other if s is blank.
func Fallback(s, other string) string {
	if s = strings.TrimSpace(s); s != "" {
		return s
	}
	return other
}
