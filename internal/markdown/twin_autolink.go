package markdown

import (
	"bytes"
	"slices"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// autoLink writes an autolink between "<" and ">" where it can be, else as a
// link.
func (w *inlineWriter) autoLink(n *ast.AutoLink) {
	label := n.Label(w.t.d.body)
	l := w.t.d.linkOf[n]
	address := w.t.address(l)
	if bytes.IndexByte(label, '|') < 0 || w.place != inCell {
		if util.FindEmailIndex(label) == len(label) {
			if string(address) == "mailto:"+string(label) {
				w.angle(label)
				return
			}
		} else if util.FindURLIndex(label) == len(label) && bytes.Equal(address, util.URLEscape(label, false)) {
			w.angle(label)
			return
		}
	}
	w.out = append(w.out, '[')
	w.openLabel()
	w.inLabel = true
	w.write(label, nil)
	w.inLabel = false
	w.closeLabel()
	w.out = append(w.out, ']')
	w.destination(l)
}

func (w *inlineWriter) angle(label []byte) {
	w.out = append(w.out, '<')
	w.out = append(w.out, label...)
	w.out = append(w.out, '>')
}

// guards returns the offsets in lit of the characters to escape so that no
// bare address in it becomes a link.
func (w *inlineWriter) guards(lit []byte, open bool) []int {
	if w.inLabel {
		return nil
	}
	var guards []int
	for from := 0; ; {
		i := bytes.Index(lit[from:], []byte("www."))
		if i < 0 {
			break
		}
		i += from
		if canLink(lit, i) && (w.t.d.parser.linkify.www.Match(lit[i:]) || open && oneWord(lit[i:])) {
			guards = append(guards, i+3)
		}
		from = i + 4
	}
	for from := 0; ; {
		i := bytes.Index(lit[from:], []byte("://"))
		if i < 0 {
			break
		}
		i += from
		for _, scheme := range [...]string{"http", "https", "ftp"} {
			start := i - len(scheme)
			if start >= 0 && string(lit[start:i]) == scheme && canLink(lit, start) &&
				(w.t.d.parser.linkify.url.Match(lit[start:]) || open && oneWord(lit[start:])) {
				guards = append(guards, i)
			}
		}
		from = i + 3
	}
	for from := 0; ; {
		i := bytes.IndexByte(lit[from:], '@')
		if i < 0 {
			break
		}
		i += from
		if w.mayBeEmail(lit, i) {
			guards = append(guards, i)
		}
		from = i + 1
	}
	slices.Sort(guards)
	return guards
}

// canLink reports whether goldmark looks for a bare address at lit[i].
func canLink(lit []byte, i int) bool {
	if i == 0 {
		return true
	}
	switch lit[i-1] {
	case ' ', '\t', '\n', '*', '_', '~', '(':
		return true
	}
	return false
}

// oneWord reports whether there is no space in text.
func oneWord(text []byte) bool {
	return !bytes.ContainsAny(text, " \t\n")
}

// mayBeEmail reports whether the "@" at lit[at] could be that of an address.
// An address could begin before lit, because markers can be in one.
func (w *inlineWriter) mayBeEmail(lit []byte, at int) bool {
	if at+1 == len(lit) || !util.IsAlphaNumeric(lit[at+1]) {
		return false
	}
	for i := at - 1; i >= 0; i-- {
		c := lit[i]
		if !isLocal(c) || at-i > 64 {
			return false
		}
		if canLink(lit, i) && !util.IsPunct(c) {
			return true
		}
	}
	return len(w.out) > 0 && isLocal(w.out[len(w.out)-1])
}

// isLocal reports whether goldmark takes c for part of an address's local part.
func isLocal(c byte) bool {
	return util.IsAlphaNumeric(c) || bytes.IndexByte([]byte("!#$%&'*+-./=?^_`{|}~"), c) >= 0
}
