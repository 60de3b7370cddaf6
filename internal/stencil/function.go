package stencil

import (
	"fmt"
	"html/template"
	"reflect"
	"slices"
	"text/template/parse"
	"time"
)

// function compiles a call of an escaper, a built-in function of package template, or one of the caller's functions.
func (c *compiler) function(name string, args []expr) expr {
	if c.HTML {
		if escape, ok := escapers[name]; ok && len(args) == 1 {
			return c.escaped(name, escape, args[0])
		}
	}
	if own, ok := c.Functions[name]; ok {
		return c.given(reflect.ValueOf(own), args)
	}
	switch name {
	case "printf":
		return c.printf(args)
	case "len":
		return c.length(args)
	case "eq", "ne", "lt", "le", "gt", "ge", "not", "and", "or":
		holds := c.predicate(name, args)
		return c.settle(expr{typ: boolType, get: func(f *frame) reflect.Value { return reflect.ValueOf(holds.get(f)) }}, args...)
	}
	unknown("the function %s", name)
	return expr{}
}

// given compiles a call of a function from Options.Functions. Functions of the types in the switch below, and functions
// that words compiles, accept varying arguments. Any other function requires constant arguments and is called during
// compilation.
func (c *compiler) given(function reflect.Value, args []expr) expr {
	typ := function.Type()
	constant := true
	for _, a := range args {
		constant = constant && a.fixed
	}
	switch call := function.Interface().(type) {
	case func(string) string:
		if len(args) == 1 && args[0].typ == stringType {
			arg := args[0]
			return c.settle(expr{typ: stringType, str: func(f *frame) string { return call(arg.text(f)) }}, arg)
		}
	case func(any) string:
		if len(args) == 1 && isText(args[0].typ) {
			arg := args[0]
			return c.settle(expr{typ: stringType, str: func(f *frame) string { return call(arg.value(f).Interface()) }}, arg)
		}
	case func(string) (string, error):
		if len(args) == 1 && args[0].typ == stringType {
			arg := args[0]
			return c.settle(expr{typ: stringType, str: func(f *frame) string { return known(call(arg.text(f))) }}, arg)
		}
	case func(any) (string, error):
		if len(args) == 1 && isText(args[0].typ) {
			arg := args[0]
			return c.settle(expr{typ: stringType, str: func(f *frame) string {
				return known(call(arg.value(f).Interface()))
			}}, arg)
		}
	case func(string) template.HTML:
		if len(args) == 1 && args[0].typ == stringType {
			arg := args[0]
			return c.settle(expr{typ: htmlType, get: func(f *frame) reflect.Value { return reflect.ValueOf(call(arg.text(f))) }}, arg)
		}
	case func(string) (template.HTML, error):
		if len(args) == 1 && args[0].typ == stringType {
			arg := args[0]
			return c.settle(expr{typ: htmlType, get: func(f *frame) reflect.Value {
				text, err := call(arg.text(f))
				if err != nil {
					unknown("%v", err)
				}
				return reflect.ValueOf(text)
			}}, arg)
		}
	case func(int64) string:
		if len(args) == 1 && args[0].typ == int64Type {
			arg := args[0]
			return c.settle(expr{typ: stringType, str: func(f *frame) string { return call(arg.value(f).Int()) }}, arg)
		}
	case func(time.Time) string:
		if len(args) == 1 && args[0].typ == timeType {
			arg := args[0]
			return c.settle(expr{typ: stringType, str: func(f *frame) string { return call(timeOf(arg.value(f))) }}, arg)
		}
	}
	if call, ok := function.Interface().(func(string, ...any) (string, error)); ok {
		return c.words(call, args)
	}
	if !constant || typ.IsVariadic() || typ.NumIn() != len(args) || typ.NumOut() == 0 {
		unknown("a call of a function %s", typ)
	}
	values := make([]reflect.Value, len(args))
	for i, a := range args {
		if a.typ != typ.In(i) {
			unknown("an argument of the wrong type")
		}
		values[i] = a.value(c.constant)
	}
	results := function.Call(values)
	if len(results) > 1 && !results[1].IsNil() {
		unknown("%v", results[1])
	}
	return fixed(results[0])
}

// words compiles a call of a function whose first argument selects a string. The other arguments are strings and
// numbers to insert into that string.
func (c *compiler) words(call func(string, ...any) (string, error), args []expr) expr {
	if len(args) == 0 || args[0].typ != stringType {
		unknown("words without a key")
	}
	for _, a := range args {
		if !isText(a.typ) && !isInt(a.typ) {
			unknown("words with a %s", a.typ)
		}
	}
	return c.settle(expr{typ: stringType, str: func(f *frame) string {
		values := make([]any, len(args)-1)
		for i := range values {
			values[i] = args[i+1].value(f).Interface()
		}
		text, err := call(args[0].text(f), values...)
		if err != nil {
			unknown("%v", err)
		}
		return text
	}}, args...)
}

func (c *compiler) printf(args []expr) expr {
	if len(args) == 0 || args[0].typ != stringType {
		unknown("printf without a format")
	}
	for _, a := range args {
		if a.typ != stringType && !isInt(a.typ) {
			unknown("printf of a %s", a.typ)
		}
	}
	return c.settle(expr{typ: stringType, str: func(f *frame) string {
		values := make([]any, len(args)-1)
		for i := range values {
			values[i] = args[i+1].value(f).Interface()
		}
		text := fmt.Sprintf(args[0].text(f), values...)
		if len(text) > MaxText {
			unknown("a string that is too long")
		}
		return text
	}}, args...)
}

func (c *compiler) length(args []expr) expr {
	if len(args) != 1 || args[0].typ.Kind() != reflect.Slice && args[0].typ != stringType {
		unknown("len of a value that is not a string or a slice")
	}
	return c.settle(expr{typ: intType, get: func(f *frame) reflect.Value { return reflect.ValueOf(args[0].value(f).Len()) }}, args...)
}

// truth is a compiled condition.
type truth struct {
	fixed bool
	get   func(*frame) bool
}

// truth compiles the condition of an if action. The operands of and, or, and not in the condition may have any type,
// because only the truth of the result matters.
func (c *compiler) truth(p *parse.PipeNode, s *scope) truth {
	if len(p.Cmds) == 1 {
		if id, ok := p.Cmds[0].Args[0].(*parse.IdentifierNode); ok && c.Functions[id.Ident] == nil {
			switch id.Ident {
			case "and", "or":
				return c.junction(id.Ident == "or", p.Cmds[0].Args[1:], s)
			case "not":
				if args := p.Cmds[0].Args[1:]; len(args) == 1 {
					of := c.truthAt(args[0], s)
					return truth{of.fixed, func(f *frame) bool { return !of.get(f) }}
				}
			}
		}
	}
	return c.truthOf(c.pipeline(p, s))
}

func (c *compiler) truthAt(n parse.Node, s *scope) truth {
	if p, ok := n.(*parse.PipeNode); ok && len(p.Decl) == 0 {
		return c.truth(p, s)
	}
	return c.truthOf(c.operand(n, s))
}

// junction compiles the condition of "or" if or is set, and of "and" otherwise. Like these functions, the condition
// evaluates only as many operands as necessary.
func (c *compiler) junction(or bool, args []parse.Node, s *scope) truth {
	if len(args) == 0 {
		unknown(`"and" or "or" without arguments`)
	}
	parts := make([]truth, len(args))
	constant := true
	for i, a := range args {
		parts[i] = c.truthAt(a, s)
		constant = constant && parts[i].fixed
	}
	return truth{constant, func(f *frame) bool {
		for _, p := range parts {
			if p.get(f) == or {
				return or
			}
		}
		return !or
	}}
}

// truthOf compiles a condition that tests whether e is true, as package template does. A string, a slice, a map, or
// text in an interface is true if it isn't empty, and a struct is always true. Any other value is true if it isn't the
// zero value of its type.
func (c *compiler) truthOf(e expr) truth {
	t := truth{fixed: e.fixed}
	switch e.typ.Kind() {
	case reflect.String:
		t.get = func(f *frame) bool { return e.text(f) != "" }
	case reflect.Slice, reflect.Map:
		t.get = func(f *frame) bool { return e.value(f).Len() > 0 }
	case reflect.Bool:
		t.get = func(f *frame) bool { return e.value(f).Bool() }
	case reflect.Int, reflect.Int64:
		t.get = func(f *frame) bool { return e.value(f).Int() != 0 }
	case reflect.Pointer:
		t.get = func(f *frame) bool { return !e.value(f).IsNil() }
	case reflect.Struct:
		t.get = func(*frame) bool { return true }
	case reflect.Interface:
		if !isAny(e.typ) {
			unknown("a condition of type %s", e.typ)
		}
		t.get = func(f *frame) bool {
			v := e.value(f).Elem()
			if v.IsValid() && v.Kind() != reflect.String && v.Type() != markupType {
				unknown("a condition with a %s in an interface", v.Type())
			}
			return v.IsValid() && v.Len() > 0
		}
	default:
		unknown("a condition of type %s", e.typ)
	}
	return t
}

// predicate compiles a comparison, or a call of "and", "or", or "not" whose result is used as a value.
func (c *compiler) predicate(name string, args []expr) truth {
	switch name {
	case "not":
		if len(args) == 1 {
			of := c.truthOf(args[0])
			return truth{of.fixed, func(f *frame) bool { return !of.get(f) }}
		}
	case "and", "or":
		// The result of "and" and "or" is one of the arguments, so all arguments must be Booleans.
		if len(args) > 0 && !sameType(args, boolType) {
			unknown("%s as a value", name)
		}
		or := name == "or"
		return truth{false, func(f *frame) bool {
			for _, a := range args {
				if a.value(f).Bool() == or {
					return or
				}
			}
			return !or
		}}
	case "eq":
		if len(args) > 1 {
			return equal(args)
		}
	default:
		if len(args) == 2 {
			return compare(name, args)
		}
	}
	unknown("%s with %d arguments", name, len(args))
	return truth{}
}

func sameType(args []expr, typ reflect.Type) bool {
	return !slices.ContainsFunc(args, func(a expr) bool { return a.typ != typ })
}

func allInts(args []expr) bool {
	return !slices.ContainsFunc(args, func(a expr) bool { return !isInt(a.typ) })
}

// equal compiles eq, which reports whether the first argument equals one of the other arguments.
func equal(args []expr) truth {
	switch {
	case !slices.ContainsFunc(args, func(a expr) bool { return !isText(a.typ) }):
		return truth{get: func(f *frame) bool {
			first := args[0].text(f)
			for i := range args[1:] {
				if args[i+1].text(f) == first {
					return true
				}
			}
			return false
		}}
	case allInts(args):
		return truth{get: func(f *frame) bool {
			first := args[0].value(f).Int()
			for i := range args[1:] {
				if args[i+1].value(f).Int() == first {
					return true
				}
			}
			return false
		}}
	}
	unknown("a comparison of %s and %s", args[0].typ, args[1].typ)
	return truth{}
}

func compare(name string, args []expr) truth {
	if name == "ne" {
		same := equal(args)
		return truth{get: func(f *frame) bool { return !same.get(f) }}
	}
	if !allInts(args) {
		unknown("an order comparison of %s", args[0].typ)
	}
	holds := map[string]func(a, b int64) bool{
		"lt": func(a, b int64) bool { return a < b },
		"le": func(a, b int64) bool { return a <= b },
		"gt": func(a, b int64) bool { return a > b },
		"ge": func(a, b int64) bool { return a >= b },
	}[name]
	return truth{get: func(f *frame) bool { return holds(args[0].value(f).Int(), args[1].value(f).Int()) }}
}

// known returns the result of a call. If the call failed, known gives up, so that the standard package executes the
// template and reports the error with its position.
func known(text string, err error) string {
	if err != nil {
		unknown("%v", err)
	}
	return text
}
