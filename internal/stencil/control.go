package stencil

import (
	"bytes"
	"reflect"
	"slices"
	"text/template/parse"
)

// scope contains the values of "." and of variables at a position in a template.
type scope struct {
	dot  expr
	vars []variable
}

// variable is a variable of a template. slot is the index of its value in frame.slots, or -1 if the value isn't stored
// in a slot.
type variable struct {
	name  string
	value expr
	slot  int
}

// with returns a copy of s in which "." has the value dot.
func (s scope) with(dot expr) scope { return scope{dot, slices.Clip(s.vars)} }

func (s scope) find(name string) variable {
	for _, v := range slices.Backward(s.vars) {
		if v.name == name {
			return v
		}
	}
	panic(unsupported("no variable " + name)) // the parser checks variables
}

// template compiles a template call. data is the value of "." and "$" in the called template.
func (c *compiler) template(name string, data expr) block {
	var b builder
	c.call(&b, name, data)
	return b.block()
}

func (c *compiler) call(b *builder, name string, data expr) {
	tree := c.Lookup(name)
	if tree == nil || tree.Root == nil {
		unknown("no template %s", name)
	}
	if c.calls++; c.calls > maxCalls {
		unknown("template calls nested too deeply")
	}
	c.noteAssigned(tree.Root)
	c.list(b, tree.Root, &scope{dot: data, vars: []variable{{name: "$", value: data, slot: -1}}})
	c.calls--
}

// noteAssigned records the names of the variables that a template assigns after their declaration. It ignores scopes:
// if two variables have the same name, treating both as assigned only prevents an optimization.
func (c *compiler) noteAssigned(list *parse.ListNode) {
	if list == nil {
		return
	}
	note := func(p *parse.PipeNode, lists ...*parse.ListNode) {
		if p != nil && p.IsAssign {
			for _, v := range p.Decl {
				c.assigned[v.Ident[0]] = true
			}
		}
		for _, l := range lists {
			c.noteAssigned(l)
		}
	}
	for _, n := range list.Nodes {
		switch n := n.(type) {
		case *parse.ActionNode:
			note(n.Pipe)
		case *parse.IfNode:
			note(n.Pipe, n.List, n.ElseList)
		case *parse.WithNode:
			note(n.Pipe, n.List, n.ElseList)
		case *parse.RangeNode:
			note(n.Pipe, n.List, n.ElseList)
		}
	}
}

func (c *compiler) list(b *builder, list *parse.ListNode, s *scope) {
	if list == nil {
		return
	}
	for _, n := range list.Nodes {
		switch n := n.(type) {
		case *parse.TextNode:
			b.text(n.Text)
		case *parse.CommentNode:
		case *parse.ActionNode:
			value := c.pipeline(n.Pipe, s)
			if len(n.Pipe.Decl) > 0 {
				c.declare(b, n.Pipe, value, s)
			} else {
				c.print(b, value)
			}
		case *parse.IfNode:
			c.branch(b, n.Pipe, n.List, n.ElseList, s, false)
		case *parse.WithNode:
			c.branch(b, n.Pipe, n.List, n.ElseList, s, true)
		case *parse.RangeNode:
			c.loop(b, n, s)
		case *parse.TemplateNode:
			if n.Pipe == nil {
				unknown("a call without data")
			}
			data := c.pipeline(n.Pipe, s)
			c.call(b, n.Name, c.keep(b, data))
		default:
			unknown("%s", n)
		}
	}
}

// keep adds a step that evaluates e once, and returns an expression for the result. It returns e itself if the value of
// e is already known or stored.
func (c *compiler) keep(b *builder, e expr) expr {
	if e.fixed || e.kept {
		return e
	}
	n := c.slot()
	b.step(func(f *frame) { f.slots[n] = e.value(f) })
	return expr{typ: e.typ, rooted: e.rooted, path: e.path, kept: true, get: slot(n)}
}

func (c *compiler) slot() int {
	c.slots++
	return c.slots - 1
}

// declare compiles the declaration of a variable, or an assignment to a variable.
func (c *compiler) declare(b *builder, pipe *parse.PipeNode, value expr, s *scope) {
	if len(pipe.Decl) != 1 {
		unknown("a declaration of two variables")
	}
	name := pipe.Decl[0].Ident[0]
	if !pipe.IsAssign {
		s.vars = append(slices.Clip(s.vars), c.variable(b, name, value))
		return
	}
	v := s.find(name)
	if v.slot < 0 || v.value.typ != value.typ {
		unknown("%s changes its type", name)
	}
	b.step(func(f *frame) { f.slots[v.slot] = value.value(f) })
}

// variable returns a variable with the given name and value. It adds a step that assigns the value to a slot, unless
// the value is constant and the variable is never reassigned.
func (c *compiler) variable(b *builder, name string, value expr) variable {
	if value.fixed && !c.assigned[name] {
		return variable{name, value, -1}
	}
	n := c.slot()
	b.step(func(f *frame) { f.slots[n] = value.value(f) })
	return variable{name, expr{typ: value.typ, kept: true, get: slot(n)}, n}
}

// branch compiles an if action or, if with is set, a with action, which also sets the dot.
func (c *compiler) branch(b *builder, pipe *parse.PipeNode, then, otherwise *parse.ListNode, outer *scope, with bool) {
	s := outer.with(outer.dot)
	var condition expr
	if with || len(pipe.Decl) > 0 {
		condition = c.keep(b, c.pipeline(pipe, &s))
	}
	if len(pipe.Decl) > 0 {
		c.declare(b, pipe, condition, &s)
	}
	var holds truth
	if condition.typ != nil {
		holds = c.truthOf(condition)
	} else {
		holds = c.truth(pipe, &s)
	}
	inner, rest := s, s
	if with {
		inner = s.with(condition)
	}
	if holds.fixed {
		if holds.get(c.constant) {
			c.list(b, then, &inner)
		} else {
			c.list(b, otherwise, &rest)
		}
		return
	}
	yes, no := c.body(then, inner), c.body(otherwise, rest)
	b.step(func(f *frame) {
		if holds.get(f) {
			yes.run(f)
		} else {
			no.run(f)
		}
	})
}

func (c *compiler) body(list *parse.ListNode, s scope) block {
	var b builder
	c.list(&b, list, &s)
	return b.block()
}

// maxUnrolled is the maximum length of a constant list whose loop is unrolled.
const maxUnrolled = 200

// maxUnrolledAll is the maximum number of unrolled elements in all loops of a template, including nested loops.
const maxUnrolledAll = 20_000

// loop compiles range over a slice.
func (c *compiler) loop(b *builder, n *parse.RangeNode, outer *scope) {
	pipe := n.Pipe
	s := outer.with(outer.dot)
	over := c.pipeline(pipe, &s)
	if over.typ.Kind() != reflect.Slice || pipe.IsAssign {
		unknown("range over %s", over.typ)
	}
	if breaks(n.List) {
		unknown("break or continue")
	}
	if over.fixed {
		if list := over.value(c.constant); list.Len() <= maxUnrolled {
			c.unroll(b, n, s, list)
			return
		}
	}
	at, element := c.slot(), c.slot()
	dot := expr{typ: over.typ.Elem(), kept: true, get: slot(element)}
	inner := s.with(dot)
	switch len(pipe.Decl) {
	case 1:
		inner.vars = append(inner.vars, variable{pipe.Decl[0].Ident[0], dot, element})
	case 2:
		index := expr{typ: reflect.TypeFor[int](), kept: true, get: slot(at)}
		inner.vars = append(inner.vars, variable{pipe.Decl[0].Ident[0], index, at}, variable{pipe.Decl[1].Ident[0], dot, element})
	}
	counted := len(pipe.Decl) == 2
	for _, v := range pipe.Decl {
		if c.assigned[v.Ident[0]] {
			unknown("an assignment to the variable of a range")
		}
	}
	body, none := c.body(n.List, inner), c.body(n.ElseList, s)
	b.step(func(f *frame) {
		list := over.value(f)
		for i := range list.Len() {
			f.turn()
			f.slots[element] = list.Index(i)
			if counted {
				f.slots[at] = reflect.ValueOf(i)
			}
			body.run(f)
		}
		if list.Len() == 0 {
			none.run(f)
		}
	})
}

// unroll compiles the body of a range once for each element of a constant list.
func (c *compiler) unroll(b *builder, n *parse.RangeNode, s scope, list reflect.Value) {
	if list.Len() == 0 {
		c.list(b, n.ElseList, &s)
		return
	}
	if c.unrolled += list.Len(); c.unrolled > maxUnrolledAll {
		unknown("loops with too many constant elements")
	}
	for i := range list.Len() {
		dot := fixed(list.Index(i))
		inner := s.with(dot)
		switch decl := n.Pipe.Decl; len(decl) {
		case 1:
			inner.vars = append(inner.vars, c.variable(b, decl[0].Ident[0], dot))
		case 2:
			inner.vars = append(inner.vars, c.variable(b, decl[0].Ident[0], fixed(reflect.ValueOf(i))), c.variable(b, decl[1].Ident[0], dot))
		}
		c.list(b, n.List, &inner)
	}
}

// breaks reports whether list, the body of a loop, contains a break or continue for that loop.
func breaks(list *parse.ListNode) bool {
	if list == nil {
		return false
	}
	for _, n := range list.Nodes {
		switch n := n.(type) {
		case *parse.BreakNode, *parse.ContinueNode:
			return true
		case *parse.IfNode:
			if breaks(n.List) || breaks(n.ElseList) {
				return true
			}
		case *parse.WithNode:
			if breaks(n.List) || breaks(n.ElseList) {
				return true
			}
		}
	}
	return false
}

// print adds a step that writes the value of e. If e is constant, it adds the value as a literal instead.
func (c *compiler) print(b *builder, e expr) {
	write := c.writer(e)
	if e.fixed {
		var out bytes.Buffer
		write(&frame{out: &out, slots: c.constant.slots})
		b.text(out.Bytes())
		return
	}
	b.step(write)
}
