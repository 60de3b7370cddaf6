package load

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"vitrine/internal/load/suggest"
	"vitrine/internal/load/tree"
	"vitrine/internal/site"
)

const configPath = "content/site.yaml"

const configHint = "baseURL (scheme and host, such as https://parley.example) and title"

// readConfig reads site.yaml. Every optional key has its fallback, except
// those that need the product or the pages.
func readConfig(r *report, root *tree.Node) site.Config {
	c := defaultConfig()
	if root.Kind == tree.Null {
		r.errorf(root.Pos, "the file is empty; write the site's settings here: %s", configHint)
		return c
	}
	object(refuse, configFields(&c)...)(r, value{root, "", root.Pos})
	return c
}

func defaultConfig() site.Config {
	return site.Config{Language: "en", Location: time.UTC, Documentation: "/docs/api"}
}

// configFields are read in this order: the dates below api need the zone.
func configFields(c *site.Config) []field {
	return []field{
		{"baseURL", "scheme and host, such as https://parley.example", baseURL(&c.BaseURL)},
		{"title", "the site's title", line(&c.Title)},
		{"description", "", optional(line(&c.Description))},
		{"language", "", optional(text(&c.Language, languageTag))},
		{"timeZone", "", optional(zone(&c.Location))},
		{"navigation", "", optional(navigation(&c.Navigation))},
		{"whenToUse", "", optional(lines(&c.WhenToUse))},
		{"whenNotToUse", "", optional(lines(&c.WhenNotToUse))},
		{"cli", "", optional(object(refuse, field{"name", "", optional(text(&c.CLIName, cliName))}))},
		{"api", "", optional(object(refuse,
			field{"documentation", "", optional(text(&c.Documentation, plainPath))},
			field{"retirement", "", optional(retirement(c))},
		))},
		{"robots", "", optional(object(refuse,
			field{"contentSignal", "", optional(signals(&c.Robots.ContentSignal))},
			field{"noindexMarkdown", "", truth(&c.Robots.NoindexMarkdown)},
		))},
		{"security", "", optional(object(refuse,
			field{"contact", "", optional(text(&c.Security.Contact, securityContact))},
			field{"expires", "", optional(func(r *report, v value) { moment(&c.Security.Expires, c.Location)(r, v) })},
		))},
	}
}

func baseURL(dst *string) reader {
	return func(r *report, v value) {
		if s, ok := textOf(r, v, siteURL); ok {
			*dst = strings.ToLower(s)
		}
	}
}

// zone reads the name of an IANA time zone. "Local" is a zone to Go, but a
// different one on every machine.
func zone(dst **time.Location) reader {
	return func(r *report, v value) {
		name, ok := textOf(r, v)
		if !ok {
			return
		}
		location, err := time.LoadLocation(name)
		if err != nil || name == "Local" {
			r.errorf(v.Pos, "%s: want an IANA time zone such as Europe/Berlin or UTC, found %s", v.name, v.Describe())
			return
		}
		*dst = location
	}
}

func navigation(dst *[]site.NavigationItem) reader {
	return list(func(r *report, v value) {
		item := site.NavigationItem{Pos: v.Pos}
		object(refuse,
			field{"label", "the words of the link", line(&item.Label)},
			field{"path", "a path such as /pricing, or an absolute URL", func(r *report, v value) {
				item.Pos = v.Pos
				text(&item.Path, linkTarget)(r, v)
			}},
		)(r, v)
		*dst = append(*dst, item)
	})
}

// linkTarget checks for a path on the site, with query and fragment as may be,
// or an absolute URI.
func linkTarget(s string) string {
	if !strings.HasPrefix(s, "/") {
		if problem := absoluteURI(s); problem != "" {
			return fmt.Sprintf("want a path such as /pricing, or an absolute URL, found %q", s)
		}
		return ""
	}
	path, _, _ := strings.Cut(s, "#")
	path, _, _ = strings.Cut(path, "?")
	_, problem := decodePath(path)
	return problem
}

// plainPath checks for a path on the site without query and fragment.
func plainPath(s string) string {
	_, problem := decodePath(s)
	return problem
}

func cliName(s string) string {
	if !plainName(s) || s[0] < 'a' {
		return fmt.Sprintf("want a name of a-z, 0-9 and - that begins with a letter, found %q", s)
	}
	return ""
}

// commandName derives the name of the command-line tool from the product's:
// "Parley Coach" gives "parley-coach". Letters that have no form in ASCII are
// left out.
func commandName(product string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(norm.NFD.String(product)) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case !unicode.IsLetter(r) && !unicode.IsMark(r):
			b.WriteByte('-')
		}
	}
	words := strings.FieldsFunc(b.String(), func(r rune) bool { return r == '-' })
	name := strings.Join(words, "-")
	switch {
	case name == "":
		return "product"
	case name[0] <= '9':
		return "cli-" + name
	}
	return name
}

// retirement reads the announced end of v1 (specification §9). A removal
// before the deprecation contradicts RFC 8594 §2 and RFC 9745 §4.
func retirement(c *site.Config) reader {
	return func(r *report, v value) {
		var end site.Retirement
		object(refuse,
			field{"deprecation", "the date from which v1 is deprecated, such as 2027-01-01", moment(&end.Deprecation, c.Location)},
			field{"sunset", "", optional(moment(&end.Sunset, c.Location))},
			field{"notice", "", optional(text(&end.Notice, webURL))},
		)(r, v)
		if !end.Sunset.IsZero() && end.Sunset.Before(end.Deprecation) {
			r.errorf(v.Get("sunset").Value.Pos, "%s: the sunset is earlier than the deprecation; write the same date or a later one", child(v, "sunset"))
		}
		c.Retirement = &end
	}
}

// signals reads the preferences of Content-Signal. "yes" and "no", which YAML
// 1.2 reads as texts, are the words of that header itself.
func signals(dst *[]site.Signal) reader {
	known := []string{"search", "ai-input", "ai-train"}
	return func(r *report, v value) {
		if v.Kind != tree.Map {
			r.errorf(v.Pos, "%s: want a map such as {search: yes, ai-train: no}, found %s", v.name, v.Describe())
			return
		}
		for _, m := range v.Members {
			if !plainName(m.Key) {
				refuse(r, v, m, known)
				continue
			}
			if near := suggest.Nearest(m.Key, known); near != m.Key {
				unknownSignal(r, v, m, near)
			}
			allow, ok := spokenTruth(m.Value.Text)
			if !ok || m.Value.Kind != tree.Bool && m.Value.Kind != tree.Text {
				r.errorf(m.Value.Pos, "%s: want yes or no, found %s", child(v, m.Key), m.Value.Describe())
				continue
			}
			*dst = append(*dst, site.Signal{Name: m.Key, Allow: allow})
		}
	}
}

// unknownSignal reports a near miss of a known signal; a new one may be meant.
func unknownSignal(r *report, v value, m tree.Member, near string) {
	if near != "" {
		r.errorf(m.Pos, "unknown key %q; did you mean %q?", child(v, m.Key), near)
		return
	}
	r.warnf(m.Pos, "%s is no signal that is known today (search, ai-input and ai-train are); it goes out as it is", m.Key)
}
