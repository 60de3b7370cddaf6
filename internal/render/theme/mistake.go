package theme

import (
	"errors"
	"fmt"
	htmltemplate "html/template"
	"maps"
	"reflect"
	"slices"
	"strings"
	texttemplate "text/template"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/load/suggest"
	"vitrine/internal/locale"
	"vitrine/internal/markdown"
	"vitrine/internal/plan"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
	"vitrine/internal/stencil"
)

// These expressions match the messages of the template packages about an unknown field and an unknown function.
var (
	noField    = lazyregexp.New(`^(?:executing .* at )?<(.*)>: can't evaluate field (\S+) in type (\S+)$`)
	noFunction = lazyregexp.New(`^function "(.*)" not defined$`)
)

// explainMistake returns an explanation of text, a message about an unknown field or function in a template, with a
// list of the known names. It returns other messages unchanged.
func explainMistake(text string) string {
	if m := noField.FindStringSubmatch(text); m != nil {
		name := strings.TrimLeft(m[3], "*")
		if fields := fieldsOf(name); len(fields) > 0 {
			return fmt.Sprintf("%s: unknown field %q%s", m[1], m[2], names(m[2], "fields", fields))
		}
		return fmt.Sprintf("%s: unknown field %q in a value of type %s", m[1], m[2], name)
	}
	if m := noFunction.FindStringSubmatch(text); m != nil {
		known := slices.Collect(maps.Keys(newFunctions(new(site.Site), &Theme{locale: locale.New("en")})))
		known = append(known, "and", "call", "eq", "ge", "gt", "html", "index", "js", "le", "len", "lt", "ne", "not", "or", "print", "printf", "println", "slice", "urlquery")
		slices.Sort(known)
		return fmt.Sprintf("unknown function %q%s", m[1], names(m[1], "functions", known))
	}
	return text
}

// names returns the end of a message about word, an unknown name: a suggestion of the most similar name in known, if
// there is one, and a list of all names in known. what is the kind of names, such as "fields".
func names(word, what string, known []string) string {
	all := fmt.Sprintf("the %s are %s", what, strings.Join(known, ", "))
	if near := suggest.Nearest(word, known); near != "" {
		return fmt.Sprintf("; did you mean %q? (%s)", near, all)
	}
	return "; " + all
}

// fieldsOf returns the fields and methods of the type called name, such as "view.Page", or nil if no template data has
// a type with this name.
func fieldsOf(name string) []string {
	seen := make(map[reflect.Type]bool)
	var found []string
	var visit func(t reflect.Type)
	visit = func(t reflect.Type) {
		for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
			t = t.Elem()
		}
		if seen[t] || t.Kind() != reflect.Struct {
			return
		}
		seen[t] = true
		if t.String() == name {
			found = members(t)
		}
		for f := range t.Fields() {
			visit(f.Type)
		}
	}
	for _, given := range given() {
		visit(given)
	}
	return found
}

// given returns the types of the data that templates get, and of the values that the data's methods return.
func given() []reflect.Type {
	return []reflect.Type{
		reflect.TypeFor[view.View](), reflect.TypeFor[view.TextFile](), reflect.TypeFor[pageData](), reflect.TypeFor[plan.ListWords](),
		reflect.TypeFor[componentView](), reflect.TypeFor[markdown.Component](), reflect.TypeFor[view.Picture](),
	}
}

func members(t reflect.Type) []string {
	var found []string
	for _, f := range reflect.VisibleFields(t) {
		if f.IsExported() && !f.Anonymous {
			found = append(found, f.Name)
		}
	}
	for m := range reflect.PointerTo(t).Methods() {
		found = append(found, m.Name)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// Problem returns the problem that caused err, an error from rendering. The problem contains its position in a template
// or a page. ok is false if no template or page caused err.
func Problem(err error) (p site.Problem, ok bool) {
	var failure *markdown.Failure
	if errors.As(err, &failure) {
		return failure.Problem, true
	}
	var endless *stencil.EndlessError
	if errors.As(err, &endless) {
		return templateProblem(endless.Name, endless), true
	}
	var failed texttemplate.ExecError
	if errors.As(err, &failed) {
		return templateProblem(failed.Name, failed.Err), true
	}
	var unsafe *htmltemplate.Error
	if errors.As(err, &unsafe) {
		return templateProblem(unsafe.Name, unsafe), true
	}
	return site.Problem{}, false
}

// templateProblem returns the problem for an error from the template packages. The error's text usually begins with
// "template: file:line: " or "template: file:line:col: ". If the text doesn't name a file, the problem is in the file
// called name.
func templateProblem(name string, err error) site.Problem {
	p := site.Problem{Path: "templates/" + name, Severity: site.Error, Text: err.Error()}
	place, text, ok := strings.Cut(strings.TrimPrefix(err.Error(), "html/"), ": ")
	if !ok || place != "template" {
		return p
	}
	if place, text, ok = strings.Cut(text, ": "); !ok {
		return p
	}
	file, where, _ := strings.Cut(place, ":")
	// The column may be missing: Sscanf then sets only the line. The template packages count columns from 0.
	if n, _ := fmt.Sscanf(where, "%d:%d", &p.Line, &p.Col); n == 0 {
		return p
	}
	p.Path, p.Col, p.Text = "templates/"+file, p.Col+1, explainMistake(text)
	return p
}
