package markdown

import (
	"bytes"

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

// guarded reports whether the '.', ':' or '@' at lit[at] is to be escaped, so that
// no bare address in lit becomes a link. open says that the text goes on behind
// lit, before what was written last before it.
func (w *inlineWriter) guarded(lit []byte, at int, open bool, before byte) bool {
	if w.inLabel {
		return false
	}
	linkify := w.t.d.parser.linkify
	switch lit[at] {
	case '.':
		start := at - len("www")
		return bytes.HasSuffix(lit[:at], []byte("www")) && canLink(lit, start) &&
			(linkify.www.Match(lit[start:]) || open && oneWord(lit[start:]))
	case ':':
		if !bytes.HasPrefix(lit[at:], []byte("://")) {
			return false
		}
		for _, scheme := range [...]string{"http", "https", "ftp"} {
			start := at - len(scheme)
			if bytes.HasSuffix(lit[:at], []byte(scheme)) && canLink(lit, start) &&
				(linkify.url.Match(lit[start:]) || open && oneWord(lit[start:])) {
				return true
			}
		}
		return false
	}
	return mayBeEmail(lit, at, before)
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
func mayBeEmail(lit []byte, at int, before byte) bool {
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
	return isLocal(before)
}

// isLocal reports whether goldmark takes c for part of an address's local part.
func isLocal(c byte) bool {
	return util.IsAlphaNumeric(c) || bytes.IndexByte([]byte("!#$%&'*+-./=?^_`{|}~"), c) >= 0
}
