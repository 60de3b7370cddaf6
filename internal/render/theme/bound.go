package theme

import (
	"fmt"
	htmltemplate "html/template"
	"io"
	"reflect"
	texttemplate "text/template"

	"vitrine/internal/stencil"
)

// boundedFunctions returns functions with each function wrapped by boundedFunction. The result also contains the
// wrapped standard template functions that can return a longer string than their arguments.
func boundedFunctions(functions map[string]any) map[string]any {
	all := map[string]any{
		"print": fmt.Sprint, "println": fmt.Sprintln, "printf": fmt.Sprintf,
		"html": htmltemplate.HTMLEscaper, "js": htmltemplate.JSEscaper, "urlquery": htmltemplate.URLQueryEscaper,
	}
	for name, function := range functions {
		all[name] = function
	}
	for name, function := range all {
		all[name] = boundedFunction(name, reflect.ValueOf(function))
	}
	return all
}

// boundedFunction wraps function, the template function called name. The wrapped function returns an error instead of a
// string longer than stencil.MaxText. If function doesn't return a string, boundedFunction returns it unchanged.
func boundedFunction(name string, function reflect.Value) any {
	typ := function.Type()
	if typ.Out(0).Kind() != reflect.String {
		return function.Interface()
	}
	in := make([]reflect.Type, typ.NumIn())
	for i := range in {
		in[i] = typ.In(i)
	}
	failure := reflect.TypeFor[error]()
	bounded := reflect.FuncOf(in, []reflect.Type{typ.Out(0), failure}, typ.IsVariadic())
	return reflect.MakeFunc(bounded, func(args []reflect.Value) []reflect.Value {
		call := function.Call
		if typ.IsVariadic() {
			call = function.CallSlice
		}
		out := call(args)
		if out[0].Len() > stencil.MaxText {
			err := fmt.Errorf("the function %s returned more than %d MiB; pass it less text", name, stencil.MaxText>>20)
			return []reflect.Value{reflect.Zero(typ.Out(0)), reflect.ValueOf(&err).Elem()}
		}
		if len(out) == 1 {
			out = append(out, reflect.Zero(failure))
		}
		return out
	}).Interface()
}

// executeText executes t with data and writes the output to w. It returns an error if the size of the output or the
// number of loop iterations exceeds the limits; see stencil.Bounded.
func executeText(w io.Writer, t *texttemplate.Template, data any) error {
	return t.Execute(stencil.Bounded(w, t.Name()), data)
}

// parseText parses a template for executeText and inserts the code that counts the iterations of loops.
func parseText(name, source string, functions map[string]any) (*texttemplate.Template, error) {
	t, err := texttemplate.New(name).Funcs(functions).Parse(source)
	if err != nil {
		return nil, err
	}
	for _, one := range t.Templates() {
		stencil.AddTurns(one.Tree)
	}
	return t, nil
}
