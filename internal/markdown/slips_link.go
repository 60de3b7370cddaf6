package markdown

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"vitrine/internal/lazyregexp"
)

// wikiLink matches a wiki link, as in Obsidian. The page name in it starts with a letter and doesn't end with a space.
var wikiLink = lazyregexp.New(`^\[\[(\pL[^\[\]|#\n,]{0,99}[\pL\pN)])(?:#[^\[\]|\n]{1,99})?(?:\|([^\[\]\n]{1,99}))?\]\]`)

// imageSize matches a size such as "=300x200", which some programs allow after an image's address.
var imageSize = lazyregexp.New(`^=\d*x\d*$`)

// linkSlips returns the possible slips that are links without a bracket, wiki links, and images with a space after the
// exclamation mark.
func linkSlips(source []byte) (found []slip) {
	each := func(mark string, check func(s *slipScan, at int)) {
		for from := 0; ; {
			i := bytes.Index(source[from:], []byte(mark))
			if i < 0 {
				return
			}
			found = append(found, slip{from + i, check})
			from += i + len(mark)
		}
	}
	each("(/", (*slipScan).unclosedText)
	each("(http", (*slipScan).unclosedText)
	each("[[", (*slipScan).wiki)
	each("! [", (*slipScan).spacedImage)
	return found
}

// openAddress reports a link without the closing parenthesis, as in [text](address.
func (s *slipScan) openAddress(end int) {
	source := s.d.body
	rest := source[end+2 : min(len(source), end+2+maxSlip)]
	if paragraph := bytes.Index(rest, []byte("\n\n")); paragraph >= 0 {
		rest = rest[:paragraph]
	} else if len(rest) == maxSlip {
		return
	}
	if bytes.IndexByte(rest, ')') >= 0 {
		return
	}
	start, ok := s.bracketed(end, '[', ']')
	address, _, _ := bytes.Cut(rest, []byte(" "))
	address, _, _ = bytes.Cut(address, []byte("\n"))
	word := strings.TrimRight(string(address), ".,;:!?")
	if !ok || start > 0 && source[start-1] == '\\' || !isAddress(word) && !namesFile(word) {
		return
	}
	s.note(start, fmt.Sprintf("the address %q is not followed by ), so this is not a link; add )", word), "", "")
}

// slipOfAddress explains why the words in parentheses aren't an address, or returns "" if the reason is unknown.
func slipOfAddress(words []string) string {
	quote, _ := utf8.DecodeRuneInString(words[1])
	switch {
	case words[0] == "mailto:" && strings.Contains(words[1], "@"):
		return "a space follows mailto:, so this is not a link; remove the space"
	case len(words) == 2 && imageSize.MatchString(words[1]):
		return fmt.Sprintf("%q turns this image into text; remove it, because the build sets the size", words[1])
	case strings.ContainsRune("“”„«»‘’", quote) && (isAddress(words[0]) || namesFile(words[0])):
		return "this is not a link, because its title is in typographic quotes; put the title in straight quotes (\")"
	}
	return ""
}

// unclosedText reports a link without the closing bracket of its text, such as [text(/address), on one line.
func (s *slipScan) unclosedText(at int) {
	source := s.d.body
	before, _ := utf8.DecodeLastRune(source[:at])
	if !unicode.IsLetter(before) && !unicode.IsDigit(before) {
		return
	}
	address, ok := s.addressAt(at+1, ')')
	if !ok || len(address) < 2 {
		return
	}
	begin := max(0, at-maxSlip)
	begin += bytes.LastIndexByte(source[begin:at], '\n') + 1
	open := bytes.LastIndexByte(source[begin:at], '[')
	after := at + 2 + len(address)
	line, _, _ := bytes.Cut(source[after:min(len(source), after+maxSlip)], []byte("\n"))
	if open < 0 || bytes.IndexByte(source[begin+open:at], ']') >= 0 || bytes.IndexByte(line, ']') >= 0 {
		return
	}
	start := begin + open
	if start > 0 && source[start-1] == '\\' || s.inWord(start) {
		return
	}
	old := string(source[start:after])
	right := string(source[start:at]) + "](" + address + ")"
	s.note(start, fmt.Sprintf("this is not a link, because its text is not followed by ]; write %s", oneLine([]byte(right))), old, right)
}

// wiki reports [[name]] and [[name|text]].
func (s *slipScan) wiki(at int) {
	source := s.d.body
	m := wikiLink.FindSubmatch(source[at:min(len(source), at+2*maxSlip)])
	if m == nil || s.inWord(at) || at > 0 && source[at-1] == '[' || s.defined(m[1]) {
		return
	}
	if rest := source[at+len(m[0]):]; len(rest) > 0 && (rest[0] == '(' || rest[0] == '[') || strings.HasPrefix(strings.ToLower(string(m[1])), "toc") {
		return
	}
	text := m[1]
	if len(m[2]) > 0 {
		text = m[2]
	}
	s.note(at, fmt.Sprintf("double brackets are shown as text; write [%s](file.md) for a link, or \\[[ for literal brackets", text), "", "")
}

// spacedImage reports ! [text](image.png).
func (s *slipScan) spacedImage(at int) {
	source := s.d.body
	end := bytes.Index(source[at:min(len(source), at+maxSlip)], []byte("]("))
	if end < 0 || at > 0 && !unicode.IsSpace(rune(source[at-1])) {
		return
	}
	address, ok := s.addressAt(at+end+2, ')')
	if !ok || !namesFile(address) || strings.HasSuffix(address, ".md") || strings.HasSuffix(address, ".html") || strings.HasSuffix(address, ".pdf") || !lineBegins(source, at) {
		return
	}
	old := string(source[at : at+end+3+len(address)])
	s.note(at, "a space after the exclamation mark turns this image into a link; remove the space", old, "!"+old[2:])
}
