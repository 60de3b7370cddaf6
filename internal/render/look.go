package render

import (
	"io/fs"
	"net/url"
	"slices"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/brand"
	"vitrine/internal/codec"
	"vitrine/internal/lazyregexp"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
)

// loadLook reads the settings of the look. It publishes the look's files as assets whose names change with their bytes,
// so that caches can store them.
func (t *Theme) loadLook(s *site.Site, root fs.FS) ([]site.Problem, error) {
	look, problems, err := brand.New(s, root)
	if err != nil {
		return nil, err
	}
	publish := func(name string, f *brand.File) site.Ref {
		if f == nil {
			return ""
		}
		a := asset{path: hashedPath(name+f.Extension, f.Body), body: f.Body}
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
		shown.Favicon = &view.Icon{Path: icon, Type: contentType(string(icon))}
		if shown.Logo == nil {
			shown.Mark = icon
		}
	} else if own, err := assetPath(t.assets, "favicon.svg"); err == nil {
		shown.Favicon = &view.Icon{Path: site.Ref(own), Type: contentType(own)}
	}
	published := make(map[string]bool)
	font := func(name string, f *brand.File) string {
		at := hashedPath(name+f.Extension, f.Body)
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
	if own, err := assetPath(t.assets, "site.css"); err == nil {
		shown.OwnStylesheet = site.Ref(own)
	}
	shown.ThemeColorLight, shown.ThemeColorDark = t.paper()
	return problems, nil
}

// accentProperty finds the accent in a stylesheet. paperProperty finds the backgrounds of a theme that sets them
// itself, with the light scheme's first.
var (
	accentProperty = lazyregexp.New(`--accent:\s*#([0-9A-Fa-f]{6})\b`)
	paperProperty  = lazyregexp.New(`--paper:\s*(#[0-9A-Fa-f]{3,6})\b`)
)

// paper returns the background of both schemes. The theme sets it, or it is derived from the accent of the settings or the
// theme. It returns "" for a theme without either.
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

func writeLook(w *codec.Writer, v *view.Look) {
	w.Bool(v != nil)
	if v == nil {
		return
	}
	for _, text := range []string{string(v.Stylesheet), string(v.OwnStylesheet), string(v.Mark), v.Scheme, v.ThemeColorLight, v.ThemeColorDark} {
		w.Text(text)
	}
	for _, logo := range []*view.Logo{v.Logo, v.LogoDark} {
		if w.Bool(logo != nil); logo != nil {
			w.Text(string(logo.Path))
			w.Int(int64(logo.Width))
			w.Int(int64(logo.Height))
		}
	}
	if w.Bool(v.Favicon != nil); v.Favicon != nil {
		w.Text(string(v.Favicon.Path))
		w.Text(v.Favicon.Type)
	}
}

// contentSecurityPolicy allows a page to load its own stylesheet, scripts, and images, and from
// other hosts only the scripts that the site names. These may send data only to their own origin.
func contentSecurityPolicy(scripts []site.Script) string {
	var others strings.Builder
	var known []string
	for _, s := range scripts {
		u, err := url.Parse(s.Src)
		if err != nil {
			continue
		}
		origin := strings.ToLower(u.Scheme + "://" + u.Host)
		if !slices.Contains(known, origin) {
			known = append(known, origin)
			others.WriteString(" " + origin)
		}
	}
	return "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; media-src 'self'; " +
		"script-src 'self'" + others.String() + "; connect-src 'self'" + others.String() +
		"; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
}

// protected adds the security fields of an HTML page.
func (r *Renderer) protected(fields []artifact.Field) []artifact.Field {
	return append(fields,
		field("Content-Security-Policy", contentSecurityPolicy(r.site.Config.Scripts)),
		field("Referrer-Policy", "strict-origin-when-cross-origin"),
		field("Permissions-Policy", permissionsPolicy),
	)
}
