package migrate

import "strings"

// call is a shortcode in a text, of any tool.
type call struct {
	tag      *tag
	from, to int
	// partner is where its end is in the list, -1 for none.
	partner int
}

// callReader reads the call that begins at i; nil where there is none. A literal is
// what takes the place of one that is escaped.
type callReader func(text string, i int) (t *tag, end int, literal string)

// readCalls finds the shortcodes of a text and matches their ends.
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
			t = &tag{name: "literal", inner: literal, form: dropped}
		}
		t.at, t.raw = i, text[i:end]
		list = append(list, call{t, i, end, -1})
		i = end
	}
	var stack []int
	for i := range list {
		switch list[i].tag.form {
		case opening:
			if len(stack) < maxNesting {
				stack = append(stack, i)
			}
		case closing:
			for n := len(stack) - 1; n >= 0 && n >= len(stack)-100; n-- {
				if list[stack[n]].tag.name == list[i].tag.name || list[i].tag.name == "{" {
					list[stack[n]].partner = i
					stack = stack[:n]
					break
				}
			}
		}
	}
	return list
}

// writeCalls puts in the place of each call what write makes of it and of what stands
// in it.
func writeCalls(text string, list []call, from, to, first, last int, write func(one call, paired bool, inner string) string) string {
	var b strings.Builder
	at := from
	for i := first; i < last; i++ {
		one := list[i]
		b.WriteString(text[at:one.from])
		if one.partner > i && one.partner < last {
			inner := writeCalls(text, list, one.to, list[one.partner].from, i+1, one.partner, write)
			b.WriteString(write(one, true, inner))
			i = one.partner
			at = list[i].to
			continue
		}
		b.WriteString(write(one, false, ""))
		at = one.to
	}
	b.WriteString(text[at:to])
	return b.String()
}

// marked leaves a call to the step that reads tags.
func (c *conv) marked(t *tag, paired bool, inner string) string {
	one := *t
	if !paired {
		one.form = alone
		return c.leave(&one)
	}
	one.form = opening
	return c.leave(&one) + inner + c.leave(&tag{form: closing, name: t.name, raw: ""})
}

// arguments reads positional and named arguments as Hugo writes them, up to one of the
// ends; at is behind them.
func arguments(text string, i int, ends ...string) (attrs []attr, at int, end string) {
	const most = 64 << 10
	value := func() (string, bool) {
		switch q := text[i]; q {
		case '"', '\'', '`':
			var b strings.Builder
			for j := i + 1; j < len(text); j++ {
				if text[j] == '\\' && q == '"' && j+1 < len(text) {
					j++
					b.WriteByte(text[j])
					continue
				}
				if text[j] == q {
					i = j + 1
					return b.String(), true
				}
				b.WriteByte(text[j])
			}
			return "", false
		}
		from := i
		for i < len(text) && strings.IndexByte(" \t\n=,()", text[i]) < 0 {
			if startsWithAny(text[i:], ends) {
				break
			}
			i++
		}
		return text[from:i], i > from
	}
	for start := i; i < len(text) && i-start < most; {
		for _, e := range ends {
			if strings.HasPrefix(text[i:], e) {
				return attrs, i + len(e), e
			}
		}
		if strings.IndexByte(" \t\n,(", text[i]) >= 0 {
			i++
			continue
		}
		v, ok := value()
		if !ok {
			return nil, -1, ""
		}
		j := i
		for j < len(text) && (text[j] == ' ' || text[j] == '\t') {
			j++
		}
		if j < len(text) && text[j] == '=' {
			for i = j + 1; i < len(text) && (text[i] == ' ' || text[i] == '\t'); i++ {
			}
			if i >= len(text) {
				return nil, -1, ""
			}
			named, ok := value()
			if !ok {
				return nil, -1, ""
			}
			attrs = append(attrs, attr{name: v, value: named})
			continue
		}
		attrs = append(attrs, attr{value: v})
	}
	return nil, -1, ""
}

func startsWithAny(s string, list []string) bool {
	for _, e := range list {
		if strings.HasPrefix(s, e) {
			return true
		}
	}
	return false
}
