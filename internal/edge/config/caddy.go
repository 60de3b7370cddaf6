package config

import (
	"io"
	"strings"

	"vitrine/internal/artifact"
)

// CaddyProxy writes a Caddyfile for a proxy in front of vitrined. The Caddyfile doesn't depend on a build.
func CaddyProxy(w io.Writer, options Options) error {
	if err := options.check(); err != nil {
		return err
	}
	return generate(w, "caddy-proxy.tmpl", options)
}

// Caddy writes a Caddyfile that serves the files in the folder filled by WriteFiles. The error names the option or the
// part of the build that can't be written into a configuration.
func Caddy(w io.Writer, m *artifact.Manifest, options Options) error {
	if err := options.check(); err != nil {
		return err
	}
	options.Mount, options.Agents = m.Mount, m.Agents
	if options.Agents != nil {
		return errAgents
	}
	t, err := newTable(m)
	if err != nil {
		return err
	}
	c := caddyFiles{
		Build: artifact.BuildName(m.Build), Options: options, table: t, CORS: artifact.CORSFields(), Allow: artifact.Allow, OperationPath: m.Mount + artifact.OperationPath,
		PageCacheControl: artifact.PageCacheControl, CDNCacheControl: artifact.CDNCacheControl,
	}
	for _, v := range t.Variants {
		if v.Name == artifact.ProblemPrefix+artifact.ProblemPreconditionFailed {
			c.PreconditionFile, c.PreconditionClass = v.Identity, v.Class
		}
	}
	return generate(w, "caddy-files.tmpl", c)
}

type caddyFiles struct {
	Options
	*table
	Build                                    string
	CORS                                     []artifact.Field
	PreconditionFile                         string
	PreconditionClass                        int
	Allow, PageCacheControl, CDNCacheControl string
	OperationPath                            string
}

// caddyString returns s as a quoted token of a Caddyfile. It escapes braces so that they don't start placeholders. A
// backslash is literal, except in front of a quote.
func caddyString(s string) string {
	return `"` + strings.NewReplacer(`"`, `\"`, `{`, `\{`, `}`, `\}`).Replace(s) + `"`
}

// caddyKey returns s as an input of Caddy's map directive, which compares it verbatim.
func caddyKey(s string) string {
	return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"`
}

// caddyRegex returns expr, an expression in Perl's dialect, as an input of Caddy's map directive.
func caddyRegex(expr string) string {
	return "`~" + re2(expr) + "`"
}
