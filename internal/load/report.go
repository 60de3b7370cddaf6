package load

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/load/shape"
	"vitrine/internal/load/suggest"
	"vitrine/internal/load/tree"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// report collects the problems in one file.
type report struct {
	path string
	// source is the file's content, from which fix derives edits.
	source   []byte
	problems []site.Problem
}

// add adds a problem and returns it, so that the caller can change its rule code.
func (r *report) add(at site.Pos, severity site.Severity, code site.Code, text string) *site.Problem {
	r.problems = append(r.problems, site.Problem{Path: r.path, Pos: at, Severity: severity, Code: code, Text: text})
	return &r.problems[len(r.problems)-1]
}

func (r *report) errorf(at site.Pos, format string, args ...any) *site.Problem {
	return r.add(at, site.Error, rule.WrongValue, fmt.Sprintf(format, args...))
}

func (r *report) warnf(at site.Pos, format string, args ...any) *site.Problem {
	return r.add(at, site.Warning, rule.Needless, fmt.Sprintf(format, args...))
}

// fix sets the fix of p to an edit that replaces old, with or without quotes, at the given position. If the source
// doesn't contain old at that position, p gets no fix.
func (r *report) fix(p *site.Problem, at site.Pos, old, replacement string) {
	p.Fix = site.EditValue(r.source, at, old, replacement)
}

// fixPlain is like fix, but writes replacement without quotes, because it isn't a string.
func (r *report) fixPlain(p *site.Problem, at site.Pos, old, replacement string) {
	for _, quote := range [...]string{"", `"`, "'"} {
		if p.Fix = site.EditAt(r.source, at, quote+old+quote, replacement); p.Fix != (site.Edit{}) {
			return
		}
	}
}

func (r *report) faults(faults []tree.Fault) {
	const mark = "\uFEFF"
	for _, f := range faults {
		p := r.add(f.Pos, site.Error, rule.Syntax, f.Text)
		if f.IsConflict() {
			p.Code = rule.Conflict
		}
		if bytes.HasPrefix(r.source, []byte(mark)) {
			// CheckText returns only one fault, so p is the problem with the byte order mark.
			p.Fix = site.Edit{Old: mark}
		}
	}
}

// value is a node in a file. name is the node's path for messages, such as pricing.plans[0].name.
type value struct {
	*tree.Node
	name string
	// key is the position of the node's key, or of the node itself if it has no key.
	key site.Pos
}

// reader reads a value in a file. It stores a valid value and reports an invalid one.
type reader struct {
	read func(r *report, v value)
	// draw returns a description of the values that read accepts, for tools that help write these values.
	draw func() shape.Shape
}

// field is a key that a map may have.
type field struct {
	name string
	// need describes the value to write if the key is missing, or is "" if the key is optional.
	need string
	// about describes the key, for tools that help write files.
	about string
	reader
}

// others specifies how to read the map members for which there is no field.
type others struct {
	read func(r *report, parent value, m tree.Member, known []string)
	// pass reports whether other members are allowed.
	pass bool
	// elsewhere maps other tools' names for the same keys to the names of the fields.
	elsewhere map[string]string
	// unlike reports whether m differs in meaning from the field to which elsewhere maps its key. unlike may be nil.
	unlike func(m *tree.Member) bool
	// instead returns a suggestion for a string that should be a map, or "" if there is none. instead may be nil.
	instead func(text string) string
}

// closed returns a reader for a map that may contain only the given fields.
func closed(fields ...field) reader { return object(others{read: refuse}, fields...) }

// open returns a reader for a map that may also contain other members, which are published unchanged.
func open(fields ...field) reader { return object(others{read: additive, pass: true}, fields...) }

// object returns a reader for a map. It reads the known members in the order of fields, and then the other members as
// rest specifies.
func object(rest others, fields ...field) reader {
	known := make([]string, len(fields))
	for i, f := range fields {
		known[i] = f.name
	}
	read := func(r *report, v value) {
		if v.Kind != tree.Map {
			p := r.errorf(v.Pos, "%swant a map of keys and values, found %s", prefix(v), v.Describe())
			if rest.instead != nil && v.Kind == tree.Text {
				p.Text += rest.instead(v.Text)
			}
			return
		}
		taken := make(map[string]bool, len(v.Members))
		for _, f := range fields {
			m := v.Get(f.name)
			if m == nil {
				if m = rest.meant(v, f, known); m != nil {
					taken[f.name] = true
					misnamed(r, v, m, f)
				} else if f.need != "" {
					r.errorf(v.key, "%s is missing; write %s", child(v, f.name), f.need).Code = rule.MissingKey
					if taken[f.name] = true; rest.pass {
						// Add the missing key, so that pages that use the key don't cause another problem.
						v.Members = append(v.Members, tree.Member{Key: f.name, Missing: true, Value: &tree.Node{Kind: tree.Null, Pos: v.Pos}})
					}
				}
				continue
			}
			taken[f.name] = true
			f.read(r, value{m.Value, child(v, f.name), m.Pos})
		}
		for i, m := range v.Members {
			if !taken[m.Key] && !oddKey(r, v, i) {
				rest.read(r, v, m, known)
			}
		}
	}
	return reader{read, func() shape.Shape { return drawObject(rest, fields) }}
}

// meant returns the member that the author almost certainly intended as the missing field f, or nil if there is none.
// Such a member has another tool's name for f. In a closed map, it may also have a name that differs from f only in
// case, in separators, or by one typo. If f is required, it may also have any name whose nearest match is f.
func (o others) meant(v value, f field, known []string) *tree.Member {
	for i := range v.Members {
		m := &v.Members[i]
		switch {
		case m.Bare || slices.Contains(known, m.Key) || o.unlike != nil && o.unlike(m):
		case o.elsewhere[m.Key] == f.name, suggest.Same(m.Key, f.name) && (f.need != "" || !o.pass), !o.pass && suggest.Slip(m.Key, f.name), f.need != "" && suggest.Nearest(m.Key, known) == f.name:
			return m
		}
	}
	return nil
}

// misnamed reports that m has a wrong name for f. It also reads the value, so that later checks don't report f as
// missing. If the value is valid and the correct name is certain, the problem gets a fix.
func misnamed(r *report, v value, m *tree.Member, f field) {
	name, written := child(v, m.Key), m.Key
	m.Key = f.name
	at := len(r.problems)
	format := "unknown key %q; did you mean %q?"
	guessed := suggest.Nearest(written, []string{f.name}) != ""
	if !guessed {
		format = "unknown key %q; use %q instead"
	}
	r.errorf(m.Pos, format, name, f.name).Code = rule.UnknownKey
	f.read(r, value{m.Value, name, m.Pos})
	found := r.problems[at+1:]
	if slices.ContainsFunc(found, func(p site.Problem) bool { return p.Severity == site.Error && p.Fix == site.Edit{} }) {
		// Report only the name: the value may have another meaning in the other tool.
		r.problems = r.problems[:at+1]
		return
	}
	if !guessed || suggest.Same(written, f.name) || suggest.Slip(written, f.name) {
		r.fix(&r.problems[at], m.Pos, written, f.name)
	}
}

// oddKey reports member i of parent if the member's key isn't a string or has no value, and suggests the intended
// content. It returns false if there is no such mistake. In {price: 49,50}, for example, the comma ends the number, so
// 50 is a key without a value.
func oddKey(r *report, parent value, i int) bool {
	m := parent.Members[i]
	switch {
	case !m.Bare && !m.Odd:
		return false
	case !m.Bare:
		r.errorf(m.Pos, "the key %s is %s, not a string; put the key in quotes, or correct it", m.Key, oddKind(m)).Code = rule.UnknownKey
		return true
	case i > 0 && parent.Members[i-1].Bare:
		// The comma before the previous key has already been reported.
		return true
	}
	var before tree.Member
	if i > 0 {
		before = parent.Members[i-1]
	}
	if before.Value == nil || before.Value.Kind != tree.Text && (before.Value.Kind != tree.Number || !isDigits(m.Key)) {
		r.errorf(m.Pos, "%s has no value; write a colon and a value after it, or remove it", child(parent, m.Key))
		return true
	}
	// Remove other problems with this value, because they are consequences of the comma.
	r.problems = slices.DeleteFunc(r.problems, func(p site.Problem) bool { return p.Pos == before.Value.Pos })
	name := child(parent, before.Key)
	switch {
	case before.Value.Kind == tree.Number:
		meant := before.Value.Text + "." + m.Key
		p := r.errorf(before.Value.Pos, "%s: a comma ends a number, and %s is read as a key without a value; write %s", name, m.Key, meant)
		if len(m.Key) <= 2 {
			r.fix(p, before.Value.Pos, before.Value.Text+","+m.Key, meant)
			break
		}
		p.Text += fmt.Sprintf(", or %s%s", before.Value.Text, m.Key)
	default:
		r.errorf(before.Value.Pos, "%s: a comma ends a value in {…}, and %q is read as a key without a value; quote the whole value", name, m.Key)
	}
	return true
}

func oddKind(m tree.Member) string {
	switch m.Key {
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return "a Boolean"
	case "~", "null", "Null", "NULL":
		return "null"
	}
	return "a number"
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func drawObject(rest others, fields []field) shape.Shape {
	s := shape.Shape{Kinds: []shape.Kind{shape.Map}}
	for _, f := range fields {
		s.Fields = append(s.Fields, shape.Field{Name: f.name, About: f.about, Required: f.need != "", Shape: f.draw()})
	}
	if rest.pass {
		s.Others = new(shape.Shape)
	}
	return s
}

// refuse reports m, a member without a field, as an error. The message suggests the nearest known key, or lists the
// known keys if no key is similar.
func refuse(r *report, parent value, m tree.Member, known []string) {
	name := child(parent, m.Key)
	if near := suggest.Nearest(m.Key, known); near != "" {
		r.errorf(m.Pos, "unknown key %q; did you mean %q?", name, near).Code = rule.UnknownKey
		return
	}
	r.errorf(m.Pos, "unknown key %q; the keys here are %s", name, enumerate(known)).Code = rule.UnknownKey
}

func child(parent value, key string) string {
	if parent.name == "" {
		return key
	}
	return parent.name + "." + key
}

// prefix returns the start of messages about a value: its name with a colon, or "" for the root of a file.
func prefix(v value) string {
	if v.name == "" {
		return ""
	}
	return v.name + ": "
}

func element(parent value, i int) value {
	item := parent.Items[i]
	return value{item, fmt.Sprintf("%s[%d]", parent.name, i), item.Pos}
}
