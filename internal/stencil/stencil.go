// Package stencil compiles text/template and html/template templates for data of a known type. Compiling resolves
// fields, binds functions, and evaluates all expressions that are the same in every execution. The output is identical
// to the standard packages' output. Compile rejects a template that it doesn't fully support, and Execute fails without
// output for unusual data. The caller then uses the standard package, so every template works.
//
// Functions that templates call must depend only on their arguments.
package stencil

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"sync"
	"text/template/parse"
)

// Options configures the compilation of a template.
type Options struct {
	// Lookup returns the tree of a template by name, or nil if there is none. Trees of html/template must already be
	// escaped, which happens when they are first executed.
	Lookup func(name string) *parse.Tree
	// Functions are the functions that the template may call.
	Functions map[string]any
	// Data is sample data for the template. The data of every execution must have the same type, and the same content
	// outside of the Varying paths.
	Data any
	// Varying contains the paths of fields that differ between executions, such as "Page" or "Site.Navigation".
	Varying []string
	// HTML reports whether the trees come from html/template instead of text/template.
	HTML bool
}

// ErrUnknown is wrapped by all errors of Compile and Execute. It tells the caller to use the standard package instead.
var ErrUnknown = errors.New("not supported by stencil")

// Template is a compiled template. It is safe for concurrent use.
type Template struct {
	body block
	data reflect.Type
	// frames pools the states of executions.
	frames sync.Pool
}

// Limits of one execution. If a template exceeds a limit, Execute fails. The caller then runs the standard package,
// which has the same limits and reports the error.
const (
	// MaxOutput is the maximum number of bytes that an execution writes. A compiled template checks the limit at each
	// iteration of a loop.
	MaxOutput = 64 << 20
	// MaxSteps is the maximum number of iterations of all loops of an execution together.
	MaxSteps = 10_000_000
	// MaxText is the maximum size in bytes of a function's result.
	MaxText = 16 << 20
)

// frame is the state of one execution.
type frame struct {
	// turns is the number of loop iterations so far, and limit is the maximum length of out in bytes.
	turns, limit int
	out          *bytes.Buffer
	// slots contains the data, in slot 0, and the values of dots and variables.
	slots []reflect.Value
}

// block is a sequence of steps.
type block []func(*frame)

func (b block) run(f *frame) {
	for _, step := range b {
		step(f)
	}
}

// Compile compiles the template with the given name. Any error wraps ErrUnknown.
func Compile(name string, o Options) (t *Template, err error) {
	defer func() {
		// If evaluating a constant panics, reject the template. The standard package will report the error if an
		// execution needs the constant.
		if r := recover(); r != nil {
			t, err = nil, givenUp(r)
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

// Execute appends the template's output for data to out. If it fails, the error wraps ErrUnknown, and out is unchanged.
func (t *Template) Execute(out *bytes.Buffer, data any) (err error) {
	if reflect.TypeOf(data) != t.data {
		return fmt.Errorf("%w: the data has the type %T, but Options.Data has %v", ErrUnknown, data, t.data)
	}
	length := out.Len()
	defer func() {
		if r := recover(); r != nil {
			out.Truncate(length)
			err = givenUp(r)
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

// turn counts a loop iteration. It gives up if the execution exceeds MaxSteps or MaxOutput.
func (f *frame) turn() {
	if f.turns++; f.turns > MaxSteps || f.out.Len() > f.limit {
		unknown("a template with too many iterations")
	}
}

// compiler is the state of one call to Compile. If it can't compile the template, it panics, and Compile recovers; see
// unknown.
type compiler struct {
	Options
	// slots is the number of slots in use, and calls is the nesting depth of template calls.
	slots, calls int
	// unrolled is the number of elements of unrolled loops so far.
	unrolled int
	// assigned contains the names of the variables that a template assigns after their declaration; see noteAssigned.
	assigned map[string]bool
	// constant is the frame for evaluating constants.
	constant *frame
}

// maxCalls is the maximum nesting depth of template calls. Each call is compiled separately, so compiling a recursive
// template would never end.
const maxCalls = 20

// unsupported is the value with which unknown panics. It describes what this package doesn't support.
type unsupported string

// unknown gives up the compilation or the execution, by a panic from which Compile and Execute recover. The arguments
// are a message for fmt.Sprintf that describes what isn't supported.
func unknown(format string, args ...any) {
	panic(unsupported(fmt.Sprintf(format, args...)))
}

// givenUp returns the error for a recovered panic. If the panic isn't from unknown, it comes from a function that the
// template calls, from package reflect, or from the runtime, for example for a nil pointer. The standard package
// reports such panics as errors. The error for these panics includes the stack, because a bug in this package may be
// the cause.
func givenUp(r any) error {
	if why, ok := r.(unsupported); ok {
		return fmt.Errorf("%w: %s", ErrUnknown, string(why))
	}
	return fmt.Errorf("%w: %v\n%s", ErrUnknown, r, debug.Stack())
}

func slot(n int) func(*frame) reflect.Value {
	return func(f *frame) reflect.Value { return f.slots[n] }
}

// builder assembles a block. It merges consecutive literals into one step.
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
