package convert

import (
	"fmt"
	"strings"
)

// call is the start or the end of a shortcode, in the syntax of any generator.
type call struct {
	tag      *Tag
	from, to int
	// partner is the index of the matching end call in the list of calls, or -1 if there is none.
	partner int
}

// callReader reads the call that starts at i. end is the position after the call, or i or less if there is no call. For
// an escaped call, t is nil and literal is the text that the call shows.
type callReader func(text string, i int) (t *Tag, end int, literal string)

// callWriter returns the text that replaces a call and true, or false if it doesn't support the call. inner is the
// content of the call, paired reports whether the call has an end, and code reports whether the call is in code.
type callWriter func(t *Tag, inner string, paired, code bool) (string, bool)

// readCalls returns the shortcodes in text, with each start paired with its end. begin is the text that every shortcode
// starts with.
func readCalls(text, begin string, read callReader) (list []call) {
	for i := 0; ; {
		n := strings.Index(text[i:], begin)
		if n < 0 {
			break
		}
		i += n
		t, end, literal := read(text, i)
		switch {
		case end <= i:
			i += len(begin)
			continue
		case t == nil:
			t = &Tag{inner: literal, Form: dropped}
		}
		t.at, t.Raw = i, text[i:end]
		list = append(list, call{t, i, end, -1})
		i = end
	}
	var stack []int
	for i := range list {
		switch list[i].tag.Form {
		case opening:
			if len(stack) < maxNesting {
				stack = append(stack, i)
			}
		case Closing:
			for n := len(stack) - 1; n >= 0 && n >= len(stack)-100; n-- {
				if list[stack[n]].tag.Name == list[i].tag.Name || list[i].tag.Name == "{" {
					list[stack[n]].partner = i
					stack = stack[:n]
					break
				}
			}
		}
	}
	return list
}

// Calls replaces the shortcodes in text with the results of known. If known doesn't support a shortcode, Calls replaces
// it with a placeholder, which is converted when tags are read. If such a shortcode is in code, Calls keeps it verbatim
// and adds a note instead.
func (c *Converter) Calls(text, begin string, read callReader, known callWriter) string {
	list := readCalls(text, begin, read)
	if len(list) == 0 {
		return text
	}
	mask := CodeMask(text)
	var write func(first, last, from, to int) string
	write = func(first, last, from, to int) string {
		var b strings.Builder
		for i := first; i < last; i++ {
			one := list[i]
			b.WriteString(text[from:one.from])
			from = one.to
			inner, end, code := "", "", mask[one.from]
			paired := one.partner > i && one.partner < last
			if paired {
				inner = write(i+1, one.partner, one.to, list[one.partner].from)
				i = one.partner
				end, from = list[i].tag.Raw, list[i].to
			}
			if one.tag.Form == dropped {
				b.WriteString(one.tag.inner)
			} else if one.tag.Form == Closing {
				continue
			} else if s, ok := known(one.tag, inner, paired, code); ok {
				b.WriteString(s)
			} else if code {
				c.Note(one.tag.Raw, fmt.Sprintf("the shortcode %q in code", one.tag.Name[1:]), "it is specific to this site", "write its output")
				b.WriteString(one.tag.Raw + inner + end)
			} else {
				b.WriteString(c.Marked(one.tag, paired, inner))
			}
		}
		b.WriteString(text[from:to])
		return b.String()
	}
	return write(0, len(list), 0, len(text))
}

// Marked returns a placeholder for the call t, to be converted when tags are read. If paired is true, the placeholder
// is followed by inner and a placeholder for the end of the call.
func (c *Converter) Marked(t *Tag, paired bool, inner string) string {
	one := *t
	if !paired {
		one.Form = Alone
		return c.Leave(&one)
	}
	one.Form = opening
	return c.Leave(&one) + inner + c.Leave(&Tag{Form: Closing, Name: t.Name})
}

// Arguments reads positional and named arguments in the syntax of Hugo and Zola, from position i to the first
// occurrence of any of ends. end is the string from ends that was found, and at is the position after that string. at
// is -1 if there is no end or an argument is invalid.
func Arguments(text string, i int, ends ...string) (attrs []Attr, at int, end string) {
	text = text[:min(len(text), i+64<<10)]
	ended := func() string {
		for _, e := range ends {
			if strings.HasPrefix(text[i:], e) {
				return e
			}
		}
		return ""
	}
	value := func() (string, bool) {
		if q := text[i]; q == '"' || q == '\'' || q == '`' {
			var b strings.Builder
			for j := i + 1; j < len(text); j++ {
				if text[j] == q {
					i = j + 1
					return b.String(), true
				}
				if text[j] == '\\' && q == '"' && j+1 < len(text) {
					j++
				}
				b.WriteByte(text[j])
			}
			return "", false
		}
		from := i
		for i < len(text) && strings.IndexByte(" \t\n=,()", text[i]) < 0 && ended() == "" {
			i++
		}
		return text[from:i], i > from
	}
	for i < len(text) {
		if e := ended(); e != "" {
			return attrs, i + len(e), e
		}
		if strings.IndexByte(" \t\n,(", text[i]) >= 0 {
			i++
			continue
		}
		a, ok := Attr{}, false
		if a.Value, ok = value(); !ok {
			break
		}
		if rest := strings.TrimLeft(text[i:], " \t"); strings.HasPrefix(rest, "=") {
			i = len(text) - len(strings.TrimLeft(rest[1:], " \t"))
			a.Name = a.Value
			if i >= len(text) {
				break
			}
			if a.Value, ok = value(); !ok {
				break
			}
		}
		attrs = append(attrs, a)
	}
	return nil, -1, ""
}
