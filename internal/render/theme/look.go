package theme

import (
	"io/fs"
	"strings"

	"vitrine/internal/brand"
	"vitrine/internal/lazyregexp"
	"vitrine/internal/render/media"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
)

// loadLook reads the theme settings of site.yaml and adds the files that they name, such as the logo, to the assets. It
// returns the problems in these files.
func (t *Theme) loadLook(s *site.Site, root fs.FS) ([]site.Problem, error) {
	look, problems, err := brand.New(s, root)
	if err != nil {
		return nil, err
	}
	publish := func(name string, f *brand.File) site.Ref {
		if f == nil {
			return ""
		}
		a := asset{path: HashedPath(name+f.Extension, f.Body), body: f.Body}
		t.assets = append(t.assets, a)
		return site.Ref(a.path)
	}
	logo := func(name string, f *brand.File) *view.Logo {
		if f == nil {
			return nil
		}
		return &view.Logo{Path: publish(name, f), Width: f.Width, Height: f.Height}
	}
	shown := &view.Look{Logo: logo("site-logo", look.Logo), LogoDark: logo("site-logo-dark", look.LogoDark), Scheme: "auto"}
	if s.Config.Theme.Scheme != "" {
		shown.Scheme = s.Config.Theme.Scheme
	}
	if icon := publish("site-icon", look.Icon); icon != "" {
		shown.Favicon = &view.Icon{Path: icon, Type: media.Type(string(icon))}
		if shown.Logo == nil {
			shown.Mark = icon
		}
	} else if own, err := t.Asset("favicon.svg"); err == nil {
		shown.Favicon = &view.Icon{Path: site.Ref(own), Type: media.Type(own)}
	}
	published := make(map[string]bool)
	font := func(name string, f *brand.File) string {
		at := HashedPath(name+f.Extension, f.Body)
		if !published[at] {
			published[at] = true
			publish(name, f)
		}
		return at
	}
	if css := look.Stylesheet(font); css != nil {
		shown.Stylesheet = publish("theme", &brand.File{Extension: ".css", Body: css})
	}
	t.look, t.brand = shown, look
	if own, err := t.Asset("site.css"); err == nil {
		shown.OwnStylesheet = site.Ref(own)
	}
	shown.ThemeColorLight, shown.ThemeColorDark = t.paper()
	return problems, nil
}

// accentProperty matches the accent color in a stylesheet, and paperProperty matches a background color. In a
// stylesheet with background colors, the first match of paperProperty is the color of the light scheme, and the second
// match is the color of the dark scheme.
var (
	accentProperty = lazyregexp.New(`--accent:\s*#([0-9A-Fa-f]{6})\b`)
	paperProperty  = lazyregexp.New(`--paper:\s*(#[0-9A-Fa-f]{3,6})\b`)
)

// paper returns the background colors of the light scheme and of the dark scheme. If the theme's stylesheet doesn't set
// both colors, paper derives them from the accent color in the settings or, if that is unset, in the stylesheet. It
// returns "" for both colors if there is no accent color either.
func (t *Theme) paper() (light, dark string) {
	accent := t.brand.Accent
	for _, a := range t.assets {
		if !strings.HasPrefix(a.path, "/assets/style.") {
			continue
		}
		if found := paperProperty.FindAllSubmatch(a.body, 2); len(found) == 2 {
			return string(found[0][1]), string(found[1][1])
		}
		if found := accentProperty.FindSubmatch(a.body); found != nil && accent == nil {
			if c, ok := brand.Parse(string(found[1])); ok {
				accent = &c
			}
		}
	}
	if accent == nil {
		return "", ""
	}
	return brand.Light(*accent).Paper.String(), brand.Dark(*accent).Paper.String()
}

// Look returns the view of the theme settings for templates: the logo, the icon, the stylesheets, and the colors.
func (t *Theme) Look() *view.Look { return t.look }
