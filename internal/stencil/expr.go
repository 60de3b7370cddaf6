package stencil

import (
	"fmt"
	"html/template"
	"reflect"
	"strconv"
	"strings"
	"text/template/parse"
	"time"
)

// expr is a compiled expression whose type is known.
type expr struct {
	typ reflect.Type
	// fixed reports whether the value is the same in every execution.
	fixed bool
	// kept reports whether the value is constant or already stored, so that evaluating the expression again is cheap.
	kept bool
	// rooted reports whether the expression is the template's data or a field of the data. path is the path of the
	// field, or "" for the data itself.
	rooted bool
	path   string
	// escaped reports whether the text comes from an escaper and may be written unchanged.
	escaped bool
	// Exactly one of get and str is set: str for computed strings, get for other values.
	get func(*frame) reflect.Value
	str func(*frame) string
	// write, if set, writes the same text as str, but without creating a string.
	write func(*frame)
}

func (e *expr) value(f *frame) reflect.Value {
	if e.get != nil {
		return e.get(f)
	}
	return reflect.ValueOf(e.text(f))
}

func (e *expr) text(f *frame) string {
	if e.str != nil {
		return e.str(f)
	}
	return e.get(f).String()
}

var (
	stringType = reflect.TypeFor[string]()
	htmlType   = reflect.TypeFor[template.HTML]()
	intType    = reflect.TypeFor[int]()
	boolType   = reflect.TypeFor[bool]()
	timeType   = reflect.TypeFor[time.Time]()
	int64Type  = reflect.TypeFor[int64]()
)

// isInt reports whether typ is an integer type that is printed as a number.
func isInt(typ reflect.Type) bool { return typ == intType || typ == int64Type }

// isText reports whether typ is a string type that is printed unchanged. The types of html/template aren't included,
// because they control escaping.
func isText(typ reflect.Type) bool {
	return typ == stringType || typ.Kind() == reflect.String && typ.PkgPath() != htmlType.PkgPath() && !printsItself(typ)
}

// printsItself reports whether values of a type format themselves, with a method that package fmt calls.
func printsItself(typ reflect.Type) bool {
	return typ.Implements(reflect.TypeFor[fmt.Formatter]()) || typ.Implements(reflect.TypeFor[fmt.Stringer]()) ||
		typ.Implements(reflect.TypeFor[error]())
}

// isAny reports whether a type is the empty interface.
func isAny(typ reflect.Type) bool { return typ.Kind() == reflect.Interface && typ.NumMethod() == 0 }

// fixed returns an expression for the constant v.
func fixed(v reflect.Value) expr {
	if !v.IsValid() {
		unknown("an invalid value")
	}
	return expr{typ: v.Type(), fixed: true, kept: true, get: func(*frame) reflect.Value { return v }}
}

// settle returns e, or a constant with the value of e if all parts, the expressions in e, are constant.
func (c *compiler) settle(e expr, parts ...expr) expr {
	for _, p := range parts {
		if !p.fixed {
			return e
		}
	}
	settled := fixed(e.value(c.constant))
	settled.escaped = e.escaped
	return settled
}

// pipeline compiles a pipeline without its declarations.
func (c *compiler) pipeline(p *parse.PipeNode, s *scope) expr {
	var final []expr
	for _, cmd := range p.Cmds {
		final = []expr{c.command(cmd, s, final)}
	}
	return final[0]
}

func (c *compiler) command(cmd *parse.CommandNode, s *scope, final []expr) expr {
	if id, ok := cmd.Args[0].(*parse.IdentifierNode); ok {
		args := make([]expr, 0, len(cmd.Args))
		for _, a := range cmd.Args[1:] {
			args = append(args, c.operand(a, s))
		}
		return c.function(id.Ident, append(args, final...))
	}
	if len(cmd.Args) != 1 || len(final) > 0 {
		unknown("%s with arguments", cmd)
	}
	return c.operand(cmd.Args[0], s)
}

// operand compiles an operand: a literal, the dot, a variable, a field of one of these, a pipeline in parentheses, or a
// function without arguments.
func (c *compiler) operand(n parse.Node, s *scope) expr {
	switch n := n.(type) {
	case *parse.DotNode:
		return s.dot
	case *parse.FieldNode:
		return c.fields(s.dot, n.Ident)
	case *parse.VariableNode:
		return c.fields(s.find(n.Ident[0]).value, n.Ident[1:])
	case *parse.ChainNode:
		return c.fields(c.operand(n.Node, s), n.Field)
	case *parse.PipeNode:
		if len(n.Decl) > 0 {
			unknown("a declaration in an expression")
		}
		return c.pipeline(n, s)
	case *parse.StringNode:
		return fixed(reflect.ValueOf(n.Text))
	case *parse.BoolNode:
		return fixed(reflect.ValueOf(n.True))
	case *parse.NumberNode:
		if n.IsInt && !n.IsComplex && !strings.ContainsAny(n.Text, "'.eExX") {
			return fixed(reflect.ValueOf(int(n.Int64)))
		}
	case *parse.IdentifierNode:
		return c.function(n.Ident, nil)
	}
	unknown("%s", n)
	return expr{}
}

func (c *compiler) fields(e expr, names []string) expr {
	for _, name := range names {
		e = c.field(e, name)
	}
	return e
}

// field compiles a field of a struct, or time.Time's IsZero, the only supported method.
func (c *compiler) field(of expr, name string) expr {
	typ, pointer := of.typ, of.typ.Kind() == reflect.Pointer
	if pointer {
		typ = typ.Elem()
	}
	if typ.Kind() != reflect.Struct {
		unknown("a field of %s", of.typ)
	}
	if typ == timeType && name == "IsZero" {
		return c.settle(expr{typ: boolType, get: func(f *frame) reflect.Value {
			return reflect.ValueOf(timeOf(of.value(f)).IsZero())
		}}, of)
	}
	if hasMethod(typ, name) {
		unknown("a method of %s", of.typ)
	}
	found, ok := typ.FieldByName(name)
	if !ok || !found.IsExported() {
		unknown("no field %s of %s", name, of.typ)
	}
	e := expr{typ: found.Type, get: fieldGetter(of, pointer, found.Index)}
	if of.rooted {
		return c.rootField(e, of.path, name)
	}
	return c.settle(e, of)
}

// hasMethod reports whether typ or a pointer to it has the method called name.
func hasMethod(typ reflect.Type, name string) bool {
	_, ok := reflect.PointerTo(typ).MethodByName(name)
	return ok
}

func fieldGetter(of expr, pointer bool, index []int) func(*frame) reflect.Value {
	if pointer && len(index) == 1 {
		i := index[0]
		return func(f *frame) reflect.Value { return of.value(f).Elem().Field(i) }
	}
	return func(f *frame) reflect.Value {
		v := of.value(f)
		if pointer {
			v = v.Elem()
		}
		return v.FieldByIndex(index)
	}
}

// rootField compiles e, the field of the data with the given name in the struct at path. If neither the field nor any
// field inside it varies between executions, the result is a constant.
func (c *compiler) rootField(e expr, path, name string) expr {
	path = strings.TrimPrefix(path+"."+name, ".")
	for _, varying := range c.Varying {
		if path == varying {
			return e
		}
		if strings.HasPrefix(varying, path+".") {
			e.rooted, e.path = true, path
			return e
		}
	}
	return fixed(e.value(c.constant))
}

func timeOf(v reflect.Value) time.Time {
	if v.Kind() == reflect.Pointer {
		return *v.Interface().(*time.Time)
	}
	if v.CanAddr() {
		return *v.Addr().Interface().(*time.Time)
	}
	return v.Interface().(time.Time)
}

// writer returns a function that writes the value of e as fmt.Fprint does.
func (c *compiler) writer(e expr) func(*frame) {
	if c.HTML && !e.escaped {
		unknown("a value that is not escaped")
	}
	switch {
	case e.write != nil:
		return e.write
	case isText(e.typ):
		return func(f *frame) { f.out.WriteString(e.text(f)) }
	case isInt(e.typ):
		return func(f *frame) { f.out.Write(strconv.AppendInt(f.out.AvailableBuffer(), e.value(f).Int(), 10)) }
	case isAny(e.typ):
		return writeMarkup(markup(&e, stringType))
	}
	unknown("writing a %s", e.typ)
	return nil
}
