package markup

import "bytes"

// declarationEnd returns the end offset of the comment or other declaration whose "!" is at the given offset.
func declarationEnd(text []byte, at int) int {
	if !bytes.HasPrefix(text[at:], []byte("!--")) {
		return after(text, at, ">")
	}
	at += len("!--")
	for _, empty := range [...]string{">", "->"} {
		if bytes.HasPrefix(text[at:], []byte(empty)) {
			return at + len(empty)
		}
	}
	for {
		i := bytes.Index(text[at:], []byte("--"))
		if i < 0 {
			return len(text)
		}
		at += i
		for _, end := range [...]string{">", "!>"} {
			if bytes.HasPrefix(text[at+2:], []byte(end)) {
				return at + 2 + len(end)
			}
		}
		at++
	}
}

// rawEnd returns the end offset of the content of the element whose start tag ends at the given offset, if the content
// can't contain tags. Otherwise, it returns the given offset.
func (s *scanner) rawEnd(at int) int {
	switch tag := s.attr.Tag; string(tag) {
	case "script":
		return scriptEnd(s.text, at)
	case "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes":
		for ; ; at++ {
			i := bytes.Index(s.text[at:], []byte("</"))
			if i < 0 {
				return len(s.text)
			}
			if at += i; isTag(s.text[at+2:], tag) {
				return at
			}
		}
	case "plaintext":
		return len(s.text)
	}
	return at
}

// isTag reports whether text starts with name as a complete tag name, ignoring case.
func isTag(text, name []byte) bool {
	return len(text) > len(name) && class[text[len(name)]]&endsName != 0 && bytes.EqualFold(text[:len(name)], name)
}

var script = []byte("script")

// scriptEnd returns the offset of the end tag of the script whose content starts at offset at, or len(text) if there is
// no end tag.
func scriptEnd(text []byte, at int) int {
	for ; ; at++ {
		i := bytes.IndexByte(text[at:], '<')
		if i < 0 {
			return len(text)
		}
		at += i
		switch rest := text[at+1:]; {
		case len(rest) > 0 && rest[0] == '/' && isTag(rest[1:], script):
			return at
		case bytes.HasPrefix(rest, []byte("!--")):
			end, ended := escapedEnd(text, at+2)
			if ended {
				return end
			}
			at = end - 1
		}
	}
}

// escapedEnd returns the end offset of a comment in a script. at is the offset of the dashes that start the comment. If
// the script ends before the comment does, ended is true, and end is the offset of the script's end tag, or len(text)
// if there is no end tag. A script tag in the comment hides one end tag (HTML, "script data double escaped state").
func escapedEnd(text []byte, at int) (end int, ended bool) {
	for hidden := false; at < len(text); at++ {
		rest := text[at+1:]
		switch c := text[at]; {
		case c == '-' && bytes.HasPrefix(rest, []byte("->")):
			return at + 3, false
		case c != '<':
		case len(rest) > 0 && rest[0] == '/' && isTag(rest[1:], script):
			if !hidden {
				return at, true
			}
			hidden = false
		case isTag(rest, script):
			hidden = true
		}
	}
	return len(text), true
}
