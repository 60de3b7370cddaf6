// Package stencil executes templates of text/template and html/template whose
// data has a known type, without looking at that type each time: fields are
// found, functions are bound and what is the same in every execution is
// written out when a template is compiled. It promises the bytes that the
// standard packages write, or none: Compile refuses a template that it does
// not know by heart, and Execute one that an execution makes strange, and then
// the standard package is asked. So the package limits nothing that the standard packages do not.
//
// Functions that templates call must depend on their arguments alone.
package stencil

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"text/template/parse"
)

// Options say what a template is compiled for.
type Options struct {
	// Lookup returns the tree of a template by name, nil where there is none.
	// Trees of html/template must have been escaped, as an execution does.
	Lookup func(name string) *parse.Tree
	// Functions are those that the template may call.
	Functions map[string]any
	// Data is a value of the type that the template will be executed with. What
	// is not below a Varying path is the same in every execution.
	Data any
	// Varying are paths of fields, such as "Page" or "Site.Navigation".
	Varying []string
	// HTML says that the trees are html/template's.
	HTML bool
}

// ErrUnknown is wrapped by the refusals of Compile and Execute: the standard
// package knows what to do.
var ErrUnknown = errors.New("not known to stencil")

// Template is a compiled template. It is safe for concurrent use.
type Template struct {
	body block
	data reflect.Type
	// frames are slots to use again.
	frames sync.Pool
}

// Bounds of one execution. A template that exceeds one is given up, and the standard package, whose caller has the same
// bounds, reports it.
const (
	// MaxOutput is how many bytes an execution writes.
	MaxOutput = 64 << 20
	// MaxSteps is how many turns its loops have, all together.
	MaxSteps = 10_000_000
	// MaxText is how many bytes a text has that a function returns.
	MaxText = 16 << 20
)

// frame is one execution.
type frame struct {
	// turns counts those of loops, limit is how long out may get.
	turns, limit int
	out          *bytes.Buffer
	// slots hold the data, in slot 0, and what dots and variables stand for.
	slots []reflect.Value
}

// block is a sequence of steps.
type block []func(*frame)

func (b block) run(f *frame) {
	for _, step := range b {
		step(f)
	}
}

// Compile compiles a template by its name. The error wraps ErrUnknown.
func Compile(name string, o Options) (t *Template, err error) {
	defer func() {
		if r := recover(); r != nil {
			// What cannot be evaluated now is reported, if need be, by the standard
			// package when it is executed.
			t, err = nil, fmt.Errorf("%w: %v", ErrUnknown, r)
		}
	}()
	c := &compiler{Options: o, slots: 1, assigned: make(map[string]bool)}
	c.constant = &frame{slots: []reflect.Value{reflect.ValueOf(o.Data)}}
	root := expr{typ: reflect.TypeOf(o.Data), rooted: true, kept: true, get: slot(0)}
	body := c.template(name, root)
	t = &Template{body: body, data: root.typ}
	t.frames.New = func() any {
		slots := make([]reflect.Value, c.slots)
		return &slots
	}
	return t, nil
}

// Execute appends what the template makes of data to out. Where the error,
// which wraps ErrUnknown, is not nil, out is as it was.
func (t *Template) Execute(out *bytes.Buffer, data any) (err error) {
	if reflect.TypeOf(data) != t.data {
		return fmt.Errorf("%w: data of another type", ErrUnknown)
	}
	length := out.Len()
	defer func() {
		if r := recover(); r != nil {
			out.Truncate(length)
			err = fmt.Errorf("%w: %v", ErrUnknown, r)
		}
	}()
	slots := t.frames.Get().(*[]reflect.Value)
	defer func() {
		clear(*slots)
		t.frames.Put(slots)
	}()
	f := frame{out: out, slots: *slots, limit: length + MaxOutput}
	f.slots[0] = reflect.ValueOf(data)
	t.body.run(&f)
	return nil
}

// turn counts a turn of a loop.
func (f *frame) turn() {
	if f.turns++; f.turns > MaxSteps || f.out.Len() > f.limit {
		unknown("a template that goes on for too long")
	}
}

// compiler is one run of Compile. It gives up by a panic, which Compile catches.
type compiler struct {
	Options
	// slots counts the slots given away, calls is how deep templates call
	// each other.
	slots, calls int
	// unrolled counts the elements of loops that are written out.
	unrolled int
	// assigned are the variables that are given another value somewhere.
	assigned map[string]bool
	// constant is the frame in which what never varies is evaluated.
	constant *frame
}

// maxCalls is how deep templates may call each other: each call is compiled on
// its own, so that one that calls itself would never end.
const maxCalls = 20

// unknown gives up.
func unknown(format string, args ...any) {
	panic(fmt.Sprintf(format, args...))
}

func slot(n int) func(*frame) reflect.Value {
	return func(f *frame) reflect.Value { return f.slots[n] }
}

// builder puts a block together and makes one step of literals in a row.
type builder struct {
	steps   block
	literal []byte
}

func (b *builder) text(s []byte) { b.literal = append(b.literal, s...) }

func (b *builder) step(s func(*frame)) {
	b.flush()
	b.steps = append(b.steps, s)
}

func (b *builder) flush() {
	if len(b.literal) > 0 {
		literal := b.literal
		b.literal = nil
		b.steps = append(b.steps, func(f *frame) { f.out.Write(literal) })
	}
}

func (b *builder) block() block {
	b.flush()
	return b.steps
}
