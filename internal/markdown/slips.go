package markdown

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"

	"vitrine/internal/load/suggest"
	"vitrine/internal/rule"
)

// A slip is almost correct Markdown that is shown as text, such as a link with a space before its address, or a heading
// without a space after its mark. The functions here search the source, because goldmark's tree contains a slip only as
// text.

// slip is a possible mistake at an offset in the body. check examines the source at that offset, and reports the
// mistake if there is one. The caller must not call check for a slip in code.
type slip struct {
	at    int
	check func(s *slipScan, at int)
}

// slipScan checks the possible slips of a page.
type slipScan struct {
	d  *Document
	pc parser.Context
}

// maxSlip is the maximum length in bytes of the text in brackets, or of the address, that a check examines.
const maxSlip = 300

// slips returns the possible slips in the page's Markdown, grouped by kind. It searches the source once for each kind.
func (d *Document) slips() (found []slip) {
	source := d.body
	for from := 0; ; {
		i := bytes.IndexByte(source[from:], ']')
		if i < 0 {
			break
		}
		at := from + i
		from = at + 1
		rest := source[from:]
		switch {
		case bytes.HasPrefix(rest, []byte("[")):
			found = append(found, slip{at, (*slipScan).undefined})
		case bytes.HasPrefix(rest, []byte(" (")):
			found = append(found, slip{at, (*slipScan).spacedLink})
		case bytes.HasPrefix(rest, []byte("(")):
			found = append(found, slip{at, (*slipScan).openAddress})
			if line := rest[:min(len(rest), maxSlip)]; bytes.IndexByte(line, ' ') >= 0 {
				found = append(found, slip{at, (*slipScan).spacedAddress})
			}
		}
	}
	for from := 0; ; {
		i := bytes.Index(source[from:], []byte(")["))
		if i < 0 {
			break
		}
		found = append(found, slip{from + i, (*slipScan).reversed})
		from += i + 2
	}
	found = append(found, linkSlips(source)...)
	for from := 0; ; {
		i := bytes.Index(source[from:], []byte("##"))
		if i < 0 {
			break
		}
		at := from + i
		from = at + runOf(source[at:], '#')
		if lineBegins(source, at) {
			found = append(found, slip{at, (*slipScan).heading})
		}
	}
	if at := bytes.LastIndex(source, []byte("<!--")); at >= 0 && !bytes.Contains(source[at:], []byte("-->")) {
		found = append(found, slip{at, (*slipScan).openComment})
	}
	if start := len(source) - len(bytes.TrimLeft(source, " \n")); bytes.HasPrefix(source[start:], []byte("#")) {
		found = append(found, slip{start, (*slipScan).firstHeading})
	}
	return found
}

// lineBegins reports whether position at starts a line, with an indentation of at most three spaces.
func lineBegins(source []byte, at int) bool {
	for i := at; ; i-- {
		if i == 0 || source[i-1] == '\n' {
			return true
		}
		if at-i == 3 || source[i-1] != ' ' {
			return false
		}
	}
}

// findSlips checks the possible slips in found, except those in code.
func (s *foreignScan) findSlips(pc parser.Context, found []slip) {
	scan := slipScan{s.d, pc}
	for _, f := range found {
		if s.codeAround(f.at) == 0 {
			f.check(&scan, f.at)
		}
	}
}

func (s *slipScan) note(at int, text, old, right string) {
	s.d.noteForeign(text[:strings.IndexByte(text, ' ')]+" slip", warningSeverity, rule.LooseLink, at, text, old, right)
}

// bracketed returns the offset of the opening bracket that matches the closing bracket at offset end. ok is false if
// there is no such bracket in the same paragraph within maxSlip bytes.
func (s *slipScan) bracketed(end int, open, closing byte) (start int, ok bool) {
	source, depth := s.d.body, 0
	for i := end; i >= 0 && end-i < maxSlip; i-- {
		c := source[i]
		if i > 0 && source[i-1] == '\\' {
			continue
		}
		switch c {
		case closing:
			depth++
		case open:
			if depth--; depth == 0 {
				return i, true
			}
		case '\n':
			if i > 0 && source[i-1] == '\n' {
				return 0, false
			}
		}
	}
	return 0, false
}

// inWord reports whether a letter, a digit, or one of _ ) ] \ $ precedes position at. A bracket after such a character
// starts an index or is text.
func (s *slipScan) inWord(at int) bool {
	r, _ := utf8.DecodeLastRune(s.d.body[:at])
	return at > 0 && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_)]\\$", r))
}

// defined reports whether the page contains a link reference definition with the given label.
func (s *slipScan) defined(label []byte) bool {
	_, ok := s.pc.Reference(util.ToLinkReference(label))
	return ok
}

// undefined records a mistake for a link [text][label] whose label isn't defined.
func (s *slipScan) undefined(end int) {
	source := s.d.body
	start, ok := s.bracketed(end, '[', ']')
	if !ok || s.inWord(start) {
		return
	}
	from := end + 2
	length := bytes.IndexAny(source[from:min(len(source), from+maxSlip)], "[]\n")
	if length < 0 || source[from+length] != ']' {
		return
	}
	text, label := source[start+1:end], bytes.TrimSpace(source[from:from+length])
	rest := source[from+length+1:]
	if len(label) == 0 {
		label = text
		if r, _ := utf8.DecodeRune(rest); unicode.IsLetter(r) || unicode.IsDigit(r) {
			return // a type, such as []byte
		}
	}
	isShort := utf8.RuneCount(text) <= 2 && utf8.RuneCount(label) <= 2
	if isShort || len(bytes.TrimSpace(text)) == 0 || text[0] == '^' || label[0] == '^' || s.defined(label) || len(rest) > 0 && strings.IndexByte("[(:", rest[0]) >= 0 {
		return
	}
	message := fmt.Sprintf("the reference %q is not defined, so it is shown unchanged; ", label)
	var labels []string
	for _, r := range s.pc.References() {
		labels = append(labels, string(r.Label()))
	}
	slices.Sort(labels)
	if near := suggest.Nearest(string(label), labels); near != "" {
		message += fmt.Sprintf("did you mean %q?", near)
	} else {
		message += fmt.Sprintf("write \"[%s]: /address\" on its own line, or the address in parentheses", label)
	}
	s.note(start, message, "", "")
}

// spacedLink reports [text] (address).
func (s *slipScan) spacedLink(end int) {
	source := s.d.body
	start, ok := s.bracketed(end, '[', ']')
	if !ok || s.inWord(start) {
		return
	}
	text := source[start+1 : end]
	address, ok := s.addressAt(end+3, ')')
	if !ok || len(bytes.TrimSpace(text)) < 2 || text[0] == '^' || s.defined(text) {
		return
	}
	old := string(source[start : end+4+len(address)])
	right := fmt.Sprintf("[%s](%s)", text, address)
	s.note(start, fmt.Sprintf("this is not a link, because a space precedes the address; write %s", oneLine([]byte(right))), old, right)
}

// reversed reports (text)[address].
func (s *slipScan) reversed(end int) {
	source := s.d.body
	start, ok := s.bracketed(end, '(', ')')
	if !ok || start > 0 && (source[start-1] == ']' || source[start-1] == '\\') {
		return
	}
	address, ok := s.addressAt(end+2, ']')
	text := source[start+1 : end]
	if !ok || len(bytes.TrimSpace(text)) == 0 || s.defined([]byte(address)) {
		return
	}
	if rest := source[end+3+len(address):]; len(rest) > 0 && (rest[0] == '(' || rest[0] == '[') {
		return
	}
	right := fmt.Sprintf("[%s](%s)", text, address)
	s.note(start, fmt.Sprintf("a link's text goes in brackets, and its address in parentheses; write %s", oneLine([]byte(right))), string(source[start:end+3+len(address)]), right)
}

// spacedAddress reports [text](an address with spaces).
func (s *slipScan) spacedAddress(end int) {
	source := s.d.body
	start, ok := s.bracketed(end, '[', ']')
	if !ok || start > 0 && source[start-1] == '\\' {
		return
	}
	rest := source[end+2 : min(len(source), end+2+maxSlip)]
	length := bytes.IndexAny(rest, ")(\n\"'<>")
	if length < 0 || rest[length] != ')' {
		return
	}
	address := strings.TrimSpace(string(rest[:length]))
	words := strings.Fields(address)
	if len(words) < 2 || strings.Contains(address, "{{") {
		return
	}
	if text := slipOfAddress(words); text != "" {
		s.note(start, text, "", "")
		return
	}
	if !isAddress(words[0]) && !namesFile(words[len(words)-1]) {
		return
	}
	s.note(start, fmt.Sprintf("the address %q contains a space, so this is not a link; write %%20 for the space, as in %q", address, strings.Join(words, "%20")), "", "")
}

// addressAt returns the text from offset from to the next closing bracket. ok is false if there is none or the text
// doesn't look like an address.
func (s *slipScan) addressAt(from int, closing byte) (address string, ok bool) {
	rest := s.d.body[from:min(len(s.d.body), from+maxSlip)]
	length := bytes.IndexAny(rest, " \n()[]<>")
	if length < 1 || rest[length] != closing {
		return "", false
	}
	address = string(rest[:length])
	return address, isAddress(address) || namesFile(address)
}

// isAddress reports whether word starts like the address of a link.
func isAddress(word string) bool {
	for _, start := range [...]string{"/", "./", "../", "https://", "http://", "mailto:"} {
		if rest, ok := strings.CutPrefix(word, start); ok {
			return rest != "" || start == "/"
		}
	}
	return len(word) > 1 && word[0] == '#' && unicode.IsLetter(rune(word[1]))
}

// namesFile reports whether word ends like the name of a linked file.
func namesFile(word string) bool {
	word, _, _ = strings.Cut(word, "#")
	for _, end := range [...]string{".md", ".html", ".png", ".jpg", ".jpeg", ".svg", ".gif", ".webp", ".pdf"} {
		if stem, ok := strings.CutSuffix(strings.ToLower(word), end); ok && stem != "" {
			return true
		}
	}
	return false
}

// openComment reports an unclosed comment. At the start of a line, such a comment hides the rest of the page. Inline,
// it is shown as text.
func (s *slipScan) openComment(at int) {
	if at > 0 && s.d.body[at-1] == '\\' {
		return
	}
	s.d.problem(at, warningSeverity, rule.LostHTML, "this comment is not closed; write --> after it, or \\<!-- for a literal <!--")
}

// openBlock reports the comment at the start of the HTML block at offset at if the comment isn't closed.
func (s *foreignScan) openBlock(at int) {
	if !bytes.Contains(s.d.body[at:], []byte("-->")) {
		(&slipScan{d: s.d}).openComment(at + bytes.IndexByte(s.d.body[at:], '<'))
	}
}

// heading reports a heading such as ##Title; see looseHeading.
func (s *slipScan) heading(at int) {
	source := s.d.body
	level := runOf(source[at:], '#')
	s.looseHeading(at, level)
}

// firstHeading reports #Title at the start of a page if it is a separate paragraph. Elsewhere, #Title may be a hashtag.
func (s *slipScan) firstHeading(at int) {
	line, rest, _ := bytes.Cut(s.d.body[at:], []byte("\n"))
	next, _, _ := bytes.Cut(rest, []byte("\n"))
	if runOf(line, '#') == 1 && bytes.Count(line, []byte("#")) == 1 && len(bytes.TrimSpace(next)) == 0 && s.looseHeading(at, 1) {
		s.d.looseTitle = string(bytes.TrimSpace(line[1:]))
	}
}

// looseHeading reports a heading without a space after its marks or with more than six marks, and returns true if it
// reported the heading.
func (s *slipScan) looseHeading(at, level int) bool {
	line, _, _ := bytes.Cut(s.d.body[at:], []byte("\n"))
	title := bytes.TrimSpace(line[level:])
	first, _ := utf8.DecodeRune(line[min(level, len(line)):])
	if level > 6 && len(title) > 0 && unicode.IsSpace(first) {
		s.d.noteForeign("deep heading", warningSeverity, rule.LooseHeading, at, "a heading can have at most six #, so this line is shown as text; remove some of them", "", "")
		return true
	}
	if level > 6 || !unicode.IsLetter(first) && !unicode.IsDigit(first) {
		return false
	}
	marks := strings.Repeat("#", level)
	s.d.noteForeign("heading slip", warningSeverity, rule.LooseHeading, at,
		fmt.Sprintf("a heading needs a space after its %s, so this line is shown as text; write %q", marks, marks+" "+excerpt(string(title))), marks, marks+" ")
	return true
}
