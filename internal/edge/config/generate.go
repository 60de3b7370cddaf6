package config

import (
	"embed"
	"fmt"
	"io"
	"strings"
	"text/template"
)

//go:embed templates/*.tmpl
var templates embed.FS

// generate fills a template in.
func generate(w io.Writer, name string, data any) error {
	t, err := template.New(name).Funcs(template.FuncMap{
		"nginx": nginxString, "regex": nginxRegex, "caddy": caddyString, "caddyKey": caddyKey, "caddyRegex": caddyRegex,
		"weightOf": weightOf, "listed": listed, "accepts": accepts,
		"htmlRanges": htmlRanges, "weightOne": func() string { return weightOne },
		"lessThan1": func() string { return lessThan1 }, "anyWeight": func() string { return anyWeight },
		"markdownRange": func() string { return markdownRange },
		"named": func(name, expr string) string {
			return strings.Replace(expr, "([0-9]{0,3})", "(?<"+name+">[0-9]{0,3})", 1)
		},
		"below": func(n int) string { return "[0-" + fmt.Sprint(n-1) + "]" },
		"join":  strings.Join,
	}).ParseFS(templates, "templates/*.tmpl")
	if err != nil {
		return fmt.Errorf("reading the template %s: %w", name, err)
	}
	var b strings.Builder
	if err := t.ExecuteTemplate(&b, name, data); err != nil {
		return fmt.Errorf("filling in the template %s: %w", name, err)
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// nginxString writes a text as a quoted string of nginx, in which nothing is a
// variable: nginx has no escape for the dollar sign, so a variable stands for it.
func nginxString(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `${vitrine_dollar}`).Replace(s) + `"`
}

// nginxRegex writes a regular expression as a key of a map of nginx; flag is
// "~", or "~*" where case does not count.
func nginxRegex(flag, expr string) string {
	return `"` + flag + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(expr) + `"`
}

// caddyString writes a text as a quoted token of a Caddyfile, in which nothing
// is a placeholder. A backslash stands for itself but before a quote.
func caddyString(s string) string {
	return `"` + strings.NewReplacer(`"`, `\"`, `{`, `\{`, `}`, `\}`).Replace(s) + `"`
}

// caddyKey writes a text as an input of a map, which is compared as it stands.
func caddyKey(s string) string {
	return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"`
}

// caddyRegex writes an expression of Perl's dialect as an input of a map.
func caddyRegex(expr string) string {
	return "`~" + re2(expr) + "`"
}
