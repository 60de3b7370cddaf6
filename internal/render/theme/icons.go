package theme

import (
	"bytes"
	"fmt"
	htmltemplate "html/template"
	"io/fs"
	"path"
	"strings"

	"vitrine/internal/load/suggest"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// iconsDir is the folder with the icons for sections, sidebars, and templates, in files called NAME.svg.
const iconsDir = "icons"

// loadIcons reads the icons of the default theme and of the site, and prepares their SVG elements for HTML.
func (t *Theme) loadIcons() error {
	names, err := fs.Glob(t.files, iconsDir+"/*.svg")
	if err != nil {
		return err
	}
	t.icons = make(map[string]htmltemplate.HTML, len(names))
	for _, name := range names {
		body, err := fs.ReadFile(t.files, name)
		if err != nil {
			return err
		}
		// Remove text before the SVG element, such as an XML declaration, which isn't allowed in HTML.
		if at := bytes.Index(body, []byte("<svg")); at > 0 {
			body = body[at:]
		}
		drawing := strings.Replace(strings.TrimSpace(string(body)), ` xmlns="http://www.w3.org/2000/svg"`, "", 1)
		if !strings.Contains(drawing, "aria-hidden") {
			drawing = strings.Replace(drawing, "<svg", `<svg aria-hidden="true"`, 1)
		}
		t.icons[strings.TrimSuffix(path.Base(name), ".svg")] = htmltemplate.HTML(drawing)
	}
	return nil
}

// icon returns the SVG element of the icon with the given name, or an error if there is no such icon.
func (t *Theme) icon(name string) (htmltemplate.HTML, error) {
	if drawing, ok := t.icons[name]; ok {
		return drawing, nil
	}
	return "", fmt.Errorf("%s", noIcon(name, t.icons))
}

// Drawing returns the SVG element of the icon with the given name, or "" if there is no such icon.
func (t *Theme) Drawing(name string) htmltemplate.HTML { return t.icons[name] }

// noIcon returns the message about name, which isn't the name of an icon. The message suggests the most similar name in
// icons, if there is one.
func noIcon(name string, icons map[string]htmltemplate.HTML) string {
	names := make([]string, 0, len(icons))
	for known := range icons {
		names = append(names, known)
	}
	text := fmt.Sprintf("unknown icon %q", name)
	if near := suggest.Nearest(name, names); near != "" {
		return text + fmt.Sprintf("; did you mean %q?", near)
	}
	return text + fmt.Sprintf("; add templates/%s/%s.svg, or use one of the theme's icons", iconsDir, name)
}

// IconProblem implements markdown.Components.
func (c *components) IconProblem(name string) string {
	if _, ok := c.icons[name]; ok {
		return ""
	}
	return noIcon(name, c.icons)
}

// SidebarIconProblems reports pages whose sidebar icon doesn't exist, and removes the icon from these pages. It doesn't
// check icons that are files of the site.
func (t *Theme) SidebarIconProblems(s *site.Site) (problems []site.Problem) {
	for _, p := range s.Pages {
		if p.Icon == "" || strings.Contains(p.Icon, ".") {
			continue
		}
		if _, ok := t.icons[p.Icon]; !ok {
			problems = append(problems, site.Problem{Path: p.Source, Pos: p.IconPos, Severity: site.Error, Code: rule.WrongValue, Text: "icon: " + noIcon(p.Icon, t.icons)})
			p.Icon = ""
		}
	}
	return problems
}
