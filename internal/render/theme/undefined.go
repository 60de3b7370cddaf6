package theme

import (
	"fmt"
	"io/fs"
	"path"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/site"
)

// definition matches the definition of a named template in a template file, and captures the template's name.
var definition = lazyregexp.New(`\{\{-?\s*(?:define|block)\s+"([^"]*)"`)

// undefined returns a problem if an HTML file of the site defines no template although pages need one. A layout must
// define at least one template. So must a partial that replaces a partial of the default theme, if that partial defines
// one. ok is true if the file has no such problem.
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
