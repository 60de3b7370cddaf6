package load

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/load/shape"
	"vitrine/internal/load/suggest"
	"vitrine/internal/load/tree"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// This file reads the nested settings in site.yaml, such as those for the content editor, images, and rule levels.

// admin returns a reader for the settings of the browser-based content editor.
func admin(dst **site.Admin) reader {
	fields := func(a *site.Admin) reader {
		return closed(
			field{"backend", "where the editor keeps the content, such as {name: github, repo: owner/name, branch: main}",
				"Where the editor stores the content: the settings that the documentation of Sveltia CMS lists under backend.", backend(&a.Backend)},
		)
	}
	read := func(r *report, v value) {
		*dst = &site.Admin{Pos: v.key}
		fields(*dst).read(r, v)
	}
	return reader{read, func() shape.Shape { return fields(new(site.Admin)).draw() }}
}

// backend returns a reader for the content editor's own settings, which Vitrine passes to the editor unchanged.
func backend(dst *[]site.Setting) reader {
	read := func(r *report, v value) {
		if v.Kind != tree.Map {
			r.errorf(v.Pos, "%s: want a map such as {name: github, repo: owner/name}, found %s", v.name, v.Describe())
			return
		}
		if v.Get("name") == nil {
			r.errorf(v.key, "%s is missing; name the repository host, such as github or gitlab", child(v, "name")).Code = rule.MissingKey
		}
		for _, m := range v.Members {
			item := value{m.Value, child(v, m.Key), m.Pos}
			switch {
			case m.Value.Kind == tree.Text && m.Value.Text != "", m.Value.Kind == tree.Bool && m.Key != "name":
				*dst = append(*dst, site.Setting{Key: m.Key, Value: m.Value.Text, Text: m.Value.Kind == tree.Text})
			default:
				r.errorf(m.Value.Pos, "%s: want %s, found %s", item.name, wantedSetting(m.Key), m.Value.Describe())
			}
		}
	}
	return reader{read, drawBackend}
}

func wantedSetting(key string) string {
	if slices.Contains([]string{"name", "repo", "branch"}, key) {
		return "a string"
	}
	return fmt.Sprintf("a string or a Boolean as in the editor's manual for %s", key)
}

func drawBackend() shape.Shape {
	name := shape.Shape{Kinds: []shape.Kind{shape.Text}, Pattern: ".", Examples: []string{"github", "gitlab", "gitea", "git-gateway"}}
	setting := shape.Shape{Kinds: []shape.Kind{shape.Text, shape.Truth}, Pattern: "."}
	return shape.Shape{
		Kinds: []shape.Kind{shape.Map}, Others: &setting,
		Fields: []shape.Field{
			{Name: "name", Required: true, About: "The service that stores the content.", Shape: name},
			{Name: "repo", About: "The repository, as owner/name.", Shape: setting},
			{Name: "branch", About: "The branch that the editor reads and writes.", Shape: setting},
		},
	}
}

// social returns a reader for the settings of social images.
func social(dst *site.Social) reader {
	return closed(
		field{"images", "", "Whether the build generates a social image, which shows the page's title, for each page without one. Default: true.", not(&dst.NoImages)},
		field{"color", "", "The color of the generated images: # and six hexadecimal digits, in quotes. Default: the theme's accent.", optional(color(&dst.Color))},
	)
}

// not returns a reader that stores the negation of a Boolean in *dst.
func not(dst *bool) reader {
	var given bool
	read := truth(&given)
	return reader{func(r *report, v value) {
		given = !*dst
		read.read(r, v)
		*dst = !given
	}, read.draw}
}

// colorPattern matches a color.
const colorPattern = `^#?[0-9A-Fa-f]{6}$`

func color(dst *string) reader {
	form := regexp.MustCompile(colorPattern)
	read := text(dst, check{func(s string) string {
		if !form.MatchString(s) {
			return fmt.Sprintf("want a color of six hexadecimal digits such as \"#0b5e4c\", found %q", s)
		}
		return ""
	}, colorPattern, []string{"#0b5e4c"}})
	return reader{func(r *report, v value) {
		read.read(r, v)
		*dst = strings.ToLower(strings.TrimPrefix(*dst, "#"))
	}, read.draw}
}

// agents returns a reader for a map from the names of crawlers to "allow" or "disallow".
func agents(dst *[]site.Signal) reader {
	read := func(r *report, v value) {
		if v.Kind != tree.Map {
			r.errorf(v.Pos, "%s: want a map such as {GPTBot: disallow}, found %s", v.name, v.Describe())
			return
		}
		for _, m := range v.Members {
			if strings.ContainsAny(m.Key, " :\n\r\t#") {
				r.errorf(m.Pos, "%s: want a crawler name such as GPTBot, found %q", v.name, m.Key)
				continue
			}
			if m.Value.Kind != tree.Text || m.Value.Text != "allow" && m.Value.Text != "disallow" {
				r.errorf(m.Value.Pos, "%s: want allow or disallow, found %s", child(v, m.Key), m.Value.Describe())
				continue
			}
			*dst = append(*dst, site.Signal{Name: m.Key, Allow: m.Value.Text == "allow"})
		}
	}
	return reader{read, func() shape.Shape {
		choice := shape.Shape{Kinds: []shape.Kind{shape.Text}, Pattern: "^(allow|disallow)$", Examples: []string{"allow", "disallow"}}
		return shape.Shape{Kinds: []shape.Kind{shape.Map}, Others: &choice, Names: `^[^ :\n\r\t#]+$`}
	}}
}

// images returns a reader for the settings of images on pages.
func images(dst *site.Images) reader {
	return closed(
		field{"responsive", "", "Whether the build makes smaller copies of PNG and JPEG images, so that browsers can choose a size. If no, the build does not make WebP or AVIF copies either. Default: yes.", optional(noYes(&dst.Single))},
		field{"webp", "", "Whether the build makes WebP copies of PNG and JPEG images. The build publishes the copies only if they save bytes. Default: yes.", optional(noYes(&dst.NoWebP))},
		field{"avif", "", "Whether the build makes AVIF copies of JPEG images. These copies make builds take much longer. The build publishes the copies only if they are smaller than the WebP copies. Default: no.", optional(yesNo(&dst.AVIF))},
		field{"keepMetadata", "", "Whether published images keep their metadata, such as the place where a photograph was taken. Default: no.", optional(yesNo(&dst.KeepMetadata))},
		field{"sizes", "", "The width at which pages show images, in the syntax of HTML's sizes attribute. Set this key if your own templates change the width.", optional(text(&dst.Sizes, oneLineOnly()))},
		field{"budget", "", "The file size in KiB above which an image causes a warning. Default: 512.", optional(between(1, 1<<20, func(n int64) { dst.Budget = n << 10 }))},
		field{"side", "", "The length, in pixels, of an image's longer side above which the image causes a warning. Default: 4096.", optional(between(1, 1<<16, func(n int64) { dst.Side = int(n) }))},
	)
}

// oneLineOnly returns a check that a string contains no line breaks.
func oneLineOnly() check {
	return check{func(s string) string {
		if strings.ContainsAny(s, "\r\n") {
			return "want a value on one line; remove the line breaks"
		}
		return ""
	}, `^[^\r\n]*\S[^\r\n]*$`, []string{"(min-width: 48em) 45rem, 100vw"}}
}

// isIndexNowKey returns a check that a string is a key in the format documented at indexnow.org.
func isIndexNowKey() check {
	const pattern = `^[A-Za-z0-9-]{8,128}$`
	form := regexp.MustCompile(pattern)
	return check{func(s string) string {
		if !form.MatchString(s) {
			return fmt.Sprintf("%q is not a key of 8 to 128 letters, digits, and hyphens; create one with openssl rand -hex 16", s)
		}
		return ""
	}, pattern, []string{"0f3c9a1be27d4c5f"}}
}

// noYes returns a reader for the words accepted by spokenTruth. The reader stores the negation of the Boolean in *dst.
func noYes(dst *bool) reader {
	read := func(r *report, v value) {
		truth, ok := spokenTruth(v.Text)
		if !ok || v.Kind != tree.Bool && v.Kind != tree.Text {
			r.errorf(v.Pos, "%s: want yes or no, found %s", v.name, v.Describe())
			return
		}
		*dst = !truth
	}
	return reader{read, drawSpoken}
}

// yesNo returns a reader for the words accepted by spokenTruth. The reader stores the Boolean in *dst.
func yesNo(dst *bool) reader {
	var not bool
	read := noYes(&not)
	return reader{func(r *report, v value) {
		not = !*dst
		read.read(r, v)
		*dst = !not
	}, read.draw}
}

// drawSpoken returns the shape of the values accepted by spokenTruth.
func drawSpoken() shape.Shape {
	return shape.Shape{
		Kinds: []shape.Kind{shape.Text, shape.Truth}, Examples: []string{"yes", "no"},
		Pattern: "^([Yy][Ee][Ss]|[Yy]|[Oo][Nn]|[Tt][Rr][Uu][Ee]|[Nn][Oo]|[Nn]|[Oo][Ff][Ff]|[Ff][Aa][Ll][Ss][Ee])$",
	}
}

// between returns a reader that calls set with a whole number from least to most.
func between(least, most int64, set func(int64)) reader {
	read := func(r *report, v value) {
		form, ok := number(r, v, "a whole number such as 512")
		if !ok {
			return
		}
		n, err := strconv.ParseInt(form, 10, 64)
		if err != nil || n < least || n > most {
			r.errorf(v.Pos, "%s: want a whole number from %d to %d, found %s", v.name, least, most, v.Describe())
			return
		}
		set(n)
	}
	return reader{read, func() shape.Shape { return drawWhole(least, most) }}
}

// levelPattern matches a rule's level.
const levelPattern = `^(off|warning|error)$`

// levels returns a reader for rule levels, such as {V014: off}. The level of a rule that is an error by default can't
// be lowered.
func levels(dst *map[site.Code]site.Level) reader {
	read := func(r *report, v value) {
		if v.Kind != tree.Map {
			r.errorf(v.Pos, "%s: want a map of rule codes to levels such as {V014: off}, found %s", v.name, v.Describe())
			return
		}
		for _, m := range v.Members {
			if level, ok := ruleLevel(r, v, m); ok {
				if *dst == nil {
					*dst = make(map[site.Code]site.Level)
				}
				(*dst)[site.Code(m.Key)] = level
			}
		}
	}
	return reader{read, drawDiagnostics}
}

// ruleLevel reads the level of the rule in m. It reports a problem and returns false if the rule is unknown or the
// level is invalid or not allowed for the rule.
func ruleLevel(r *report, v value, m tree.Member) (site.Level, bool) {
	known, ok := rule.Find(site.Code(m.Key))
	if !ok {
		hint := "run vitrine explain for a list"
		if near := suggest.Nearest(m.Key, codes()); near != "" {
			hint = "did you mean " + near + "?"
		}
		r.errorf(m.Pos, "%s: unknown rule %q; %s", v.name, m.Key, hint).Code = rule.UnknownKey
		return site.LevelDefault, false
	}
	level, ok := site.ParseLevel(m.Value.Text)
	if !ok || m.Value.Kind != tree.Text {
		r.errorf(m.Value.Pos, "%s: want off, warning, or error; found %s", child(v, m.Key), m.Value.Describe())
		return site.LevelDefault, false
	}
	if known.Level == site.Error && level != site.LevelError {
		r.errorf(m.Value.Pos, "%s: %s is always an error, because a site with this problem cannot be published; fix the problem instead", child(v, m.Key), known.Title)
		return site.LevelDefault, false
	}
	return level, true
}

func codes() []string {
	var out []string
	for _, r := range rule.All() {
		out = append(out, string(r.Code))
	}
	return out
}

// drawDiagnostics returns the shape of the map of rule levels. It allows any level for a rule that is a warning by
// default, and only error for a rule that is an error.
func drawDiagnostics() shape.Shape {
	s := shape.Shape{Kinds: []shape.Kind{shape.Map}}
	for _, r := range rule.All() {
		if r.Level == site.Warning {
			s.Fields = append(s.Fields, shape.Field{Name: string(r.Code), About: "The level of the rule (" + r.Title + "): off, warning, or error.",
				Shape: shape.Shape{Kinds: []shape.Kind{shape.Text}, Pattern: levelPattern, Examples: []string{"off", "warning", "error"}}})
			continue
		}
		s.Fields = append(s.Fields, shape.Field{Name: string(r.Code), About: "Always an error: " + r.Title + ".",
			Shape: shape.Shape{Kinds: []shape.Kind{shape.Text}, Pattern: `^error$`, Examples: []string{"error"}}})
	}
	return s
}

// usages returns a reader for the Content-Usage preferences. The reader accepts unknown labels with a warning, because
// crawlers ignore such labels (draft-ietf-aipref-vocab-07 §6.4).
func usages(dst *[]site.Signal) reader {
	known := []string{"train-ai", "search"}
	read := func(r *report, v value) {
		if v.Kind != tree.Map {
			r.errorf(v.Pos, "%s: want a map such as {train-ai: no, search: yes}, found %s", v.name, v.Describe())
			return
		}
		for _, m := range v.Members {
			if !plainName(m.Key) || m.Key[0] < 'a' || len(m.Key) > maxTag {
				refuse(r, v, m, known)
				continue
			}
			if near := suggest.Nearest(m.Key, known); !slices.Contains(known, m.Key) {
				hint := "write train-ai or search, or remove the key"
				if near == "" {
					near = map[string]string{"ai-train": "train-ai", "training": "train-ai"}[m.Key]
				}
				if near != "" {
					hint = fmt.Sprintf("did you mean %q?", near)
				}
				r.warnf(m.Pos, "%s: AIPREF defines only the uses train-ai and search, so crawlers ignore %q; %s", v.name, m.Key, hint).Code = rule.UnknownUsage
			}
			allow, ok := spokenTruth(m.Value.Text)
			if !ok || m.Value.Kind != tree.Bool && m.Value.Kind != tree.Text {
				r.errorf(m.Value.Pos, "%s: want yes or no, found %s", child(v, m.Key), m.Value.Describe())
				continue
			}
			*dst = append(*dst, site.Signal{Name: m.Key, Allow: allow})
		}
	}
	return reader{read, func() shape.Shape {
		preference := drawSpoken()
		return shape.Shape{Kinds: []shape.Kind{shape.Map}, Others: &preference, Names: "^[a-z][a-z0-9-]*$", Fields: []shape.Field{
			{Name: "train-ai", About: "Whether a model may be trained on the text.", Shape: preference},
			{Name: "search", About: "Whether search engines may index the text and show it with a link.", Shape: preference},
		}}
	}}
}
