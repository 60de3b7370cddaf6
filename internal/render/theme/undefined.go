package theme

import (
	"fmt"
	"io/fs"
	"path"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/site"
)

// definition matches the definition of a named template in a template file.
var definition = lazyregexp.New(`\{\{-?\s*(?:define|block)\s+"([^"]*)"`)

// undefined reports two mistakes: a layout without a template definition, and a partial without a template definition
// that replaces a partial of the default theme. Pages would not show such a layout, or would lack the template of the
// replaced partial. ok is true if there is no problem.
func (t *Theme) undefined(name string, source []byte) (p site.Problem, ok bool) {
	if path.Ext(name) != ".html" || name == layoutsDir+"/base.html" || definition.Match(source) {
		return site.Problem{}, true
	}
	wanted := ""
	switch own, err := fs.ReadFile(t.files[1], name); {
	case err == nil:
		if found := definition.FindSubmatch(own); found != nil {
			wanted = string(found[1])
		}
	case path.Dir(name) == layoutsDir:
		wanted = "main"
	}
	if wanted == "" {
		return site.Problem{}, true
	}
	return site.Problem{Path: "templates/" + name, Pos: site.Pos{Line: 1, Col: 1}, Severity: site.Error,
		Text: fmt.Sprintf(`the file defines no template, so pages do not use it; write {{define %q}} before its text and {{end}} after it`, wanted)}, false
}
