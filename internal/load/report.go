package load

import (
	"fmt"

	"vitrine/internal/load/shape"
	"vitrine/internal/load/suggest"
	"vitrine/internal/load/tree"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// report collects what is wrong with one file.
type report struct {
	path     string
	problems []site.Problem
}

// add notes a problem and returns it, so that it can be given another code.
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

func (r *report) faults(faults []tree.Fault) {
	for _, f := range faults {
		r.add(f.Pos, site.Error, rule.Syntax, f.Text)
	}
}

// value is a node on its way into the site, with its dotted name in the file.
type value struct {
	*tree.Node
	name string
	// key is the place of the node's key; the node's own where it has none.
	key site.Pos
}

// reader takes a value to where it belongs, or reports why it cannot.
type reader struct {
	read func(r *report, v value)
	// draw says which values read takes, for the tools that help to write them.
	draw func() shape.Shape
}

// field is a key that a map may have.
type field struct {
	name string
	// need says what to write where the key is missing; "" where it may be.
	need string
	// about says what the key is for, in the tools that help to write it.
	about string
	reader
}

// others is given every member that no field has.
type others struct {
	read func(r *report, parent value, m tree.Member, known []string)
	// pass says that such members may be there.
	pass bool
}

// closed reads a map that has no members but these.
func closed(fields ...field) reader { return object(others{refuse, false}, fields...) }

// open reads a map whose further members go out as they are.
func open(fields ...field) reader { return object(others{additive, true}, fields...) }

// object reads a map: every field that it has, in the order of fields, then
// the members that no field has.
func object(rest others, fields ...field) reader {
	known := make([]string, len(fields))
	for i, f := range fields {
		known[i] = f.name
	}
	read := func(r *report, v value) {
		if v.Kind != tree.Map {
			r.errorf(v.Pos, "%swant a map of keys and values, found %s", prefix(v), v.Describe())
			return
		}
		taken := make(map[string]bool, len(v.Members))
		for _, f := range fields {
			m := v.Get(f.name)
			if m == nil {
				if f.need != "" {
					r.errorf(v.key, "%s is missing; write %s", child(v, f.name), f.need).Code = rule.MissingKey
				}
				continue
			}
			taken[f.name] = true
			f.read(r, value{m.Value, child(v, f.name), m.Pos})
		}
		for _, m := range v.Members {
			if !taken[m.Key] {
				rest.read(r, v, m, known)
			}
		}
	}
	return reader{read, func() shape.Shape { return drawObject(rest, fields) }}
}

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

// refuse reports a member that no field has as an error.
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

// prefix is how messages about a value begin.
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
