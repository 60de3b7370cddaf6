package load

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"vitrine/internal/load/shape"
	"vitrine/internal/load/tree"
	"vitrine/internal/site"
)

// This file reads the site.yaml settings for the site's appearance and for the elements around a page's content. Other
// packages check whether the named files exist.

// theme returns a reader for the settings of the site's appearance.
func theme(t *site.Theme) reader {
	return closed(
		field{"accent", "", "The brand's color: # and six hexadecimal digits, in quotes because # starts a comment in YAML. The theme derives the colors of the light and dark schemes from this color.", optional(noting(&t.AccentPos, color(&t.Accent)))},
		field{"logo", "", "The logo, shown instead of the site's name: a file in content/static/.", optional(reference(&t.Logo))},
		field{"logoDark", "", "The logo for the dark color scheme: a file in content/static/. Default: the same logo.", optional(reference(&t.LogoDark))},
		field{"favicon", "", "The site's icon: a file in content/static/.", optional(reference(&t.Favicon))},
		field{"fonts", "", "The fonts for text and headings.", optional(closed(
			field{"text", "", "The font for text: a font on the reader's device (system, serif, or mono), a woff2 file in content/static/, or a list of such files with the keys below. Default: system.", optional(fonts(&t.Text, &t.TextFonts))},
			field{"headings", "", "The font for headings, in the same forms as text. Default: the font for text.", optional(fonts(&t.Headings, &t.HeadingsFonts))},
		))},
		field{"scheme", "", "The color scheme. With auto, pages follow the reader's preference and have a switch between light and dark. Default: auto.", optional(text(&t.Scheme, oneOf("auto", "light", "dark")))},
	)
}

// oneOf returns a check that a string is one of words.
func oneOf(words ...string) check {
	return check{func(s string) string {
		for _, w := range words {
			if s == w {
				return ""
			}
		}
		if len(words) > 2 {
			return fmt.Sprintf("want %s; found %q", series(words, "or"), s)
		}
		return fmt.Sprintf("want %s, found %q", series(words, "or"), s)
	}, "^(" + strings.Join(words, "|") + ")$", words}
}

// footer returns a reader for the links in the footer of every page.
func footer(dst *[]site.NavigationItem) reader {
	return list(link("The link text.", func(l site.NavigationItem) { *dst = append(*dst, l) }))
}

// action returns a reader for the settings of the button in the header.
func action(dst **site.Action) reader {
	return link("The button's text.", func(l site.NavigationItem) {
		if l.Label != "" && l.Path != "" {
			*dst = &site.Action{Label: l.Label, Path: l.Path, Pos: l.Pos}
		}
	})
}

// link returns a reader that calls found with a link's label and target. label describes the key label. The keys path
// and url are synonyms, so that an author can use url for a link to another site.
func link(label string, found func(site.NavigationItem)) reader {
	fields := func(l *site.NavigationItem) reader {
		target := func(examples ...string) reader {
			one := isLinkTarget()
			one.examples = examples
			return noting(&l.Pos, text(&l.Path, one))
		}
		return closed(
			field{"label", "the link text", label, line(&l.Label)},
			field{"path", "", "The link's target: a path on the site, or an absolute URL. Set either path or url.", optional(target("/pricing", "https://status.acorn.example"))},
			field{"url", "", "The same as path. You can use this name for a link to another site. Set either path or url.", optional(target("https://status.acorn.example"))},
		)
	}
	return reader{
		read: func(r *report, v value) {
			var l site.NavigationItem
			fields(&l).read(r, v)
			switch {
			case v.Kind != tree.Map:
				return
			case v.Get("path") != nil && v.Get("url") != nil:
				r.errorf(v.Get("url").Pos, "%s: a link cannot have both path and url; remove one of the two", v.name)
			case v.Get("path") == nil && v.Get("url") == nil:
				r.errorf(v.Pos, "%s: the link has no target; write a path such as /imprint, or a url", v.name)
			}
			found(l)
		},
		draw: func() shape.Shape { return fields(new(site.NavigationItem)).draw() },
	}
}

// notice returns a reader for the settings of the bar at the top of every page.
func notice(dst **site.Notice) reader {
	fields := func(n *site.Notice) reader {
		return closed(
			field{"text", "the text of the notice", "The text of the notice.", line(&n.Text)},
			field{"path", "", "The target of the notice's link: a path on the site, or an absolute URL. Default: no link.", optional(noting(&n.Pos, text(&n.Path, isLinkTarget())))},
		)
	}
	read := func(r *report, v value) {
		n := site.Notice{Pos: v.Pos}
		if fields(&n).read(r, v); n.Text != "" {
			*dst = &n
		}
	}
	return reader{read, func() shape.Shape { return fields(new(site.Notice)).draw() }}
}

// scripts returns a reader for a list of third-party scripts.
func scripts(dst *[]site.Script) reader {
	return each(dst, func(s *site.Script) reader {
		return closed(
			field{"src", "the script's https address", "The script's https URL.", noting(&s.Pos, text(&s.Src, isScript()))},
			field{"defer", "", "Whether the script has HTML's defer attribute: browsers run the script only after they have parsed the page. If both defer and async are false, the page waits for the script. Default: false.", truth(&s.Defer)},
			field{"async", "", "Whether the script has HTML's async attribute: browsers load the script while they parse the page and run it as soon as it is loaded. Default: false.", truth(&s.Async)},
		)
	})
}

// isScript returns a check that a string is an https URL with a plain host and without a user name or password.
func isScript() check {
	return check{func(s string) string {
		if problem := webURL(s); problem != "" {
			return problem
		}
		if scheme, _ := site.Scheme(s); scheme != "https" {
			return fmt.Sprintf("want an https address, found %q; a script loaded over http can be changed in transit", s)
		}
		// The host becomes part of the pages' content security policy, where "*" means every host and ";" starts
		// another directive.
		u, err := url.Parse(s)
		if err == nil && u.User != nil {
			return "every reader can see the user name or password in the address; remove the user name, the password, and the @"
		}
		if err != nil || strings.Trim(strings.ToLower(u.Host), "abcdefghijklmnopqrstuvwxyz0123456789-.:[]") != "" {
			return fmt.Sprintf("want a single host name such as stats.example, found %q", s)
		}
		return ""
	}, `^[Hh][Tt][Tt][Pp][Ss]://` + hostCharacters + uriCharacters + `*$`, []string{"https://stats.example/s.js"}}
}

// repository returns a reader for the settings of the repository in which readers can edit pages.
func repository(dst **site.Repository) reader {
	fields := func(p *site.Repository) reader {
		return closed(
			field{"url", "the repository's address", "The repository's URL.", text(&p.URL, isWebURL("https://github.com/acorn/site"))},
			field{"branch", "", "The branch from which the site is published. Default: main.", optional(line(&p.Branch))},
			field{"path", "", "The site's folder in the repository. Default: the repository's root.", optional(line(&p.Path))},
			field{"content", "", "The original folder, relative to path, if content/ is a copy. Default: content.", optional(line(&p.Content))},
		)
	}
	read := func(r *report, v value) {
		p := site.Repository{Branch: "main"}
		if fields(&p).read(r, v); p.URL != "" {
			p.URL, p.Path, p.Content = strings.TrimSuffix(p.URL, "/"), strings.Trim(p.Path, "/"), strings.Trim(p.Content, "/")
			*dst = &p
		}
	}
	return reader{read, func() shape.Shape { return fields(new(site.Repository)).draw() }}
}

// words returns a reader for the site's replacements for strings of the theme. A replacement is a string or a map of
// plural forms. The theme checks the keys and forms.
func words(dst *[]site.Word) reader {
	read := func(r *report, v value) {
		if v.Kind != tree.Map {
			r.errorf(v.Pos, "%s: want a map of keys to strings such as {contents: On this page}, found %s", v.name, v.Describe())
			return
		}
		for _, m := range v.Members {
			w := site.Word{Key: m.Key, Pos: m.Pos, TextPos: m.Value.Pos}
			of := value{m.Value, child(v, m.Key), m.Pos}
			if m.Value.Kind == tree.Map && len(m.Value.Members) > 0 {
				words(&w.Forms).read(r, of)
			} else {
				line(&w.Text).read(r, of)
			}
			if w.Text != "" || w.Forms != nil {
				*dst = append(*dst, w)
			}
		}
	}
	return reader{read, func() shape.Shape {
		form := drawText(shape.Plain, nil)
		word := form
		word.Kinds, word.Others = append(slices.Clip(form.Kinds), shape.Map), &form
		return shape.Shape{Kinds: []shape.Kind{shape.Map}, Others: &word}
	}}
}
