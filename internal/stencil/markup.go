package stencil

import (
	"html/template"
	"reflect"
)

// Markup is text that templates write as it is, templates of HTML too, and
// without a copy of it. The standard packages do not know of it: they are to be
// given a template.HTML or a string in its place. It stands in an interface.
type Markup []byte

// Standard is what the standard packages are to be given in the place of a
// Markup, and any other value as it is. html says that it is for html/template.
func Standard(value any, html bool) any {
	m, ok := value.(Markup)
	switch {
	case !ok:
		return value
	case html:
		return template.HTML(m)
	}
	return string(m)
}

var markupType = reflect.TypeFor[Markup]()

// markup is the value of an expression that is an interface, where it is text
// that is written as it is: a Markup, or a text of the type asIs. It gives up
// for anything else.
func markup(e *expr, asIs reflect.Type) func(*frame) reflect.Value {
	return func(f *frame) reflect.Value {
		v := e.value(f).Elem()
		if typ := v.Type(); typ != markupType && typ != asIs {
			unknown("a %s in an interface", typ)
		}
		return v
	}
}

// writeMarkup writes what markup returns.
func writeMarkup(of func(*frame) reflect.Value) func(*frame) {
	return func(f *frame) {
		if v := of(f); v.Type() == markupType {
			f.out.Write(v.Bytes())
		} else {
			f.out.WriteString(v.String())
		}
	}
}

// markupText is what markup returns, as a string.
func markupText(v reflect.Value) string {
	if v.Type() == markupType {
		return string(v.Bytes())
	}
	return v.String()
}
