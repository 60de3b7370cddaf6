package render

import (
	"errors"
	htmltemplate "html/template"
	texttemplate "text/template"

	"vitrine/internal/site"
)

// Problem returns what an error of rendering says of a template, with its
// place there; ok is false where the error is about something else.
func Problem(err error) (p site.Problem, ok bool) {
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
