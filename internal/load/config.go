package load

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"vitrine/internal/load/shape"
	"vitrine/internal/load/suggest"
	"vitrine/internal/load/tree"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

const configPath = "content/site.yaml"

const configHint = "baseURL (a scheme and a host, such as https://acorn.example) and title"

// readConfig returns the settings in root, the content of site.yaml, and adds the problems in root to r. It sets
// missing optional keys to their defaults, except keys whose defaults depend on the product or the pages.
func readConfig(r *report, root *tree.Node) site.Config {
	c := defaultConfig()
	if root.Kind == tree.Null {
		r.errorf(root.Pos, "the file is empty; write the site's settings here: %s", configHint).Code = rule.MissingKey
		return c
	}
	object(others{read: refuse, elsewhere: configElsewhere()}, configFields(&c)...).read(r, value{root, "", root.Pos})
	if c.Language == unknownLanguage {
		c.Language = defaultConfig().Language
	}
	return c
}

// unknownLanguage replaces an invalid language setting while the other settings are read. No tag under languages is
// equal to unknownLanguage, so the reader doesn't reject a tag as a duplicate of the main language.
const unknownLanguage = "und"

// ownLanguage returns a reader for the site's default language. If the value is invalid, the reader stores
// unknownLanguage.
func ownLanguage(dst *string) reader {
	own := text(dst, isLanguage())
	return reader{func(r *report, v value) {
		*dst = unknownLanguage
		own.read(r, v)
	}, own.draw}
}

// configElsewhere maps other tools' names for settings to the keys of site.yaml.
func configElsewhere() map[string]string {
	return map[string]string{
		"url": "baseURL", "site_url": "baseURL", "siteUrl": "baseURL", "name": "title", "site_name": "title", "siteTitle": "title",
		"lang": "language", "locale": "language", "languageCode": "language", "nav": "navigation", "menu": "navigation", "tagline": "description",
		"repo": "repository",
	}
}

func defaultConfig() site.Config {
	return site.Config{Language: "en", Location: time.UTC}
}

// configFields returns the keys of site.yaml in the order in which they are read. The keys language and timeZone come
// before the keys that depend on them: languages and the keys with dates.
func configFields(c *site.Config) []field {
	return []field{
		{"baseURL", "a scheme and a host, such as https://acorn.example", "The site's URL: a scheme, a host, and, if the site is not at the root, a path. Every absolute URL on the site begins with this URL.", baseURL(&c.BaseURL)},
		{"title", "the site's title", "The site's name, shown in page titles and at the top of each page.", line(&c.Title, atMost(maxTitle))},
		{"description", "", "One sentence about the site. Default: the description in product.yaml.", optional(line(&c.Description))},
		{"language", "", "The language of the pages, as a BCP 47 tag. Default: en.", optional(noting(&c.LanguagePos, ownLanguage(&c.Language)))},
		{"languages", "", "The site's other languages: a map from BCP 47 tags to settings. Put each language's pages in a folder named after its tag, such as content/de/.", optional(languages(c))},
		{"timeZone", "", "The time zone of dates without a time, as an IANA name. Default: UTC.", optional(zone(&c.Location))},
		{"navigation", "", "The links in the main navigation, in order. Default: the top-level pages.", optional(navigation(&c.Navigation))},
		{"whenToUse", "", "The situations in which programs should use this site as a source, one sentence per entry. The list appears in llms.txt.", optional(lines(&c.WhenToUse))},
		{"whenNotToUse", "", "The situations in which programs should not use this site as a source, one sentence per entry. The list appears in llms.txt.", optional(lines(&c.WhenNotToUse))},
		{"cannot", "", "What the JSON API and the command-line tool cannot do, one sentence per entry. The tool, its page, and the page about the API show these sentences.", optional(lines(&c.Cannot))},
		{"theme", "", "The site's design: colors, logo, and fonts.", optional(theme(&c.Theme))},
		{"footer", "", "Links in the footer of every page, in order.", optional(footer(&c.Footer))},
		{"notice", "", "A bar at the top of every page. Default: no bar.", optional(notice(&c.Notice))},
		{"action", "", "A button in the header of every page. Default: no button.", optional(action(&c.Action))},
		{"machines", "", "Which machine-readable representations the site has, and whether pages show links to them.", optional(closed(
			field{"menu", "", "Whether pages with text have a \"Copy page\" menu next to the title. The menu offers the page's Markdown. Default: true.", not(&c.Machines.NoMenu)},
			field{"footer", "", "Whether the footer links to the machine-readable representations. If false, header fields and <head> still link to them. Default: true.", not(&c.Machines.NoFooter)},
			field{"changes", "", "Whether the site has the page /changes and its feeds. Default: true.", not(&c.Machines.NoChanges)},
			field{"cli", "", "Whether the site has the page /cli and the command-line tool. Default: true.", not(&c.Machines.NoCLI)},
		))},
		{"scripts", "", "Third-party scripts to load on every page. The Content-Security-Policy allows scripts only from the site and from the hosts of these scripts.", optional(scripts(&c.Scripts))},
		{"words", "", "Replacements for the theme's words (the strings of the interface): a map from the words' keys to strings, such as {contents: In this chapter}.", optional(words(&c.Words))},
		{"repository", "", "The repository with the site's sources. If you set this key, each page has a link for editing its source there.", optional(repository(&c.Repository))},
		{"cli", "", "The command-line tool that the site serves.", optional(closed(
			field{"name", "", "The tool's name, which is part of its address, /cli/<name>.mjs. Default: a name derived from the product's name.", optional(text(&c.CLIName, isCommand()))},
		))},
		{"api", "", "The JSON API, which publishes product.yaml at /api/v1/marketing.", optional(closed(
			field{"documentation", "", "The path of the page that describes the JSON API for people. The build generates this page. To add your own text above the generated reference, write a page and set its path here. Default: /openapi, or /openapi-2 if that path is taken.", optional(text(&c.Documentation, isPath()))},
			field{"allowance", "", "The request allowance (rate limit) of each server instance: the number of requests and the time window in which an instance accepts them. 120/60s allows 120 requests in 60 seconds. Default: 120/60s.", optional(allowance(&c.Allowance))},
			field{"retirement", "", "The announced end of version 1 of the JSON API. Omit it until you announce a date.", optional(retirement(c))},
		))},
		{"robots", "", "Instructions for crawlers.", optional(closed(
			field{"contentSignal", "", "The purposes for which crawlers may use the text. For a purpose that is set to no, robots.txt disallows the crawlers known to have this purpose. All other crawlers remain allowed.", optional(signals(&c.Robots.ContentSignal))},
			field{"contentUsage", "", "The purposes for which automated systems may use the text, in the terms of AIPREF (draft-ietf-aipref-vocab-07). Vitrine publishes these preferences in robots.txt and in the header field Content-Usage of every response except errors. They do not block any crawler.", optional(usages(&c.Robots.ContentUsage))},
			field{"agents", "", "The crawlers that robots.txt allows or disallows by name: a map from names to allow or disallow, such as {GPTBot: disallow}. This map overrides contentSignal.", optional(agents(&c.Robots.Agents))},
			field{"noindexMarkdown", "", "Whether to keep the .md URLs out of search results with X-Robots-Tag: noindex. Default: false.", truth(&c.Robots.NoindexMarkdown)},
		))},
		{"security", "", "The content of /.well-known/security.txt.", optional(closed(
			field{"contact", "", "Where to report a vulnerability: a mailto:, https:, or tel: URI. Without a contact, the site has no security.txt.", optional(text(&c.Security.Contact, isSecurityContact()))},
			field{"expires", "", "The date until which the contact is valid, at most a year ahead. Default: the first day of the month eleven months after the build.",
				optional(noting(&c.Security.ExpiresPos, moment(&c.Security.Expires, &c.Location)))},
		))},
		{"social", "", "Social images, which other sites and apps show next to links to your pages.", optional(social(&c.Social))},
		{"images", "", "Settings for smaller copies of images, and the sizes above which an image causes a warning.", optional(images(&c.Images))},
		{"highlight", "", "Whether code blocks have syntax highlighting. Default: true.", not(&c.PlainCode)},
		{"versions", "", "The versions of the documentation, the current version first. Pages in all versions get a version switch. Pages in old versions also get a notice.", optional(versions(&c.Versions))},
		{"search", "", "Whether the site has a search page and a search index. Default: true.", not(&c.NoSearch)},
		{"license", "", "The content's machine-readable license in the format Really Simple Licensing 1.0 (rslstandard.org): the path of a file in content/static/, or a URL. Every response except errors links to the license, and robots.txt names it.", optional(noting(&c.LicensePos, text(&c.License, isLicense())))},
		{"reprDigest", "", "Whether to send the SHA-256 of every representation in the header field Repr-Digest (RFC 9530), so that clients can detect damaged responses. Default: false.", truth(&c.ReprDigest)},
		{"negotiation", "", "Further criteria, in addition to Accept, for choosing between a page's HTML and Markdown.", optional(closed(
			field{"agents", "", "Whether known AI agents, such as ClaudeBot, get Markdown if the Accept field of their request names neither text/html nor text/markdown. If true, caches must include User-Agent in their keys. Default: false.", truth(&c.AgentsGetMarkdown)},
		))},
		{"indexNow", "", "Your key for IndexNow, a protocol for reporting changed pages to search engines: 8 to 128 of the characters a-z, A-Z, 0-9, and -. The site publishes the key at /indexnow.txt. To report changed pages, run vitrine diff or vitrine deploy with --indexnow --send.", optional(text(&c.IndexNow, isIndexNowKey()))},
		{"static", "", "Settings for content/static/, whose files the build publishes unchanged.", optional(closed(
			field{"allow", "", "Files in content/static/, such as keys/example.key, to publish even though they look like keys, passwords, or leftover copies.", optional(lines(&c.StaticAllowed))},
		))},
		{"diagnostics", "", "The levels of rules: a map from the rules' codes to off, warning, or error.", optional(levels(&c.Diagnostics))},
		{"admin", "", "The content editor in the browser, at /admin. Default: no editor.", optional(admin(&c.Admin))},
	}
}

func baseURL(dst *string) reader {
	read := func(r *report, v value) {
		if s, ok := textOf(r, v, isSiteURL()); ok {
			*dst = lowerHost(s)
		}
	}
	return reader{read, text(dst, isSiteURL()).draw}
}

// BaseURL checks s in the same way as baseURL in site.yaml, and returns s with the scheme and host in lower case.
// Unlike baseURL, s may end with a slash, which BaseURL removes. If s is invalid, the error is a message for the user.
func BaseURL(s string) (string, error) {
	s = strings.TrimSuffix(s, "/")
	if problem := siteURL(s); problem != "" {
		return "", errors.New(problem)
	}
	return lowerHost(s), nil
}

// allowance returns a reader for a request allowance: a number of requests and a window in whole seconds, such as
// 120/60s. Each server and edge of the site applies the allowance separately. A server can be started with a different
// allowance or without one.
func allowance(dst *site.Allowance) reader {
	const most = 1_000_000_000 // the same limit as vitrined's --allowance
	bounds := func(s string) string {
		requests, window, _ := strings.Cut(s, "/")
		n, wrong := strconv.Atoi(requests)
		length, err := time.ParseDuration(window)
		if wrong != nil || err != nil || n < 1 || n > most || length < time.Second || length > 24*time.Hour || length%time.Second != 0 {
			return fmt.Sprintf("want a number of requests and a window of whole seconds up to a day, such as 600/60s; found %q", s)
		}
		return ""
	}
	check := check{bounds, `^[1-9][0-9]*/[0-9.hms]+$`, []string{"120/60s", "600/60s"}}
	var written string
	read := func(r *report, v value) {
		s, ok := textOf(r, v, check)
		if !ok {
			return
		}
		requests, window, _ := strings.Cut(s, "/")
		// textOf has checked both parts.
		dst.Limit, _ = strconv.Atoi(requests)
		length, _ := time.ParseDuration(window)
		dst.Seconds = int(length / time.Second)
	}
	return reader{read, text(&written, check).draw}
}

// zone returns a reader for an IANA time zone name. The reader rejects "Local", because its meaning depends on the
// machine.
func zone(dst **time.Location) reader {
	read := func(r *report, v value) {
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
	return reader{read, func() shape.Shape {
		return drawText(shape.Plain, []check{{examples: []string{"UTC", "Europe/Berlin", "America/New_York", "Asia/Tokyo"}}})
	}}
}

func navigation(dst *[]site.NavigationItem) reader {
	return each(dst, func(item *site.NavigationItem) reader {
		elsewhere := map[string]string{"url": "path", "href": "path", "link": "path", "to": "path", "title": "label", "name": "label", "text": "label"}
		return noting(&item.Pos, object(others{read: refuse, elsewhere: elsewhere, instead: asLink},
			field{"label", "the link text", "The link text.", line(&item.Label)},
			field{"path", "a path such as /pricing, or an absolute URL", "The link's target: a path on the site, or an absolute URL.",
				noting(&item.Pos, text(&item.Path, isLinkTarget()))},
		))
	})
}

// asLink returns the end of a message that suggests writing address as a map with a label and a path. It returns "" if
// address isn't a valid target.
func asLink(address string) string {
	if linkTarget(address) != "" {
		return ""
	}
	return fmt.Sprintf("; write {label: Link text, path: %s}", address)
}

// linkTarget returns a problem unless s is a path on the site, with an optional query and fragment, or an absolute URI.
func linkTarget(s string) string {
	if !strings.HasPrefix(s, "/") {
		if problem := absoluteURI(s); problem != "" {
			return fmt.Sprintf("want a path such as /pricing, or an absolute URL with %s; found %q", site.LinkSchemes, s)
		}
		return ""
	}
	path, _, _ := strings.Cut(s, "#")
	path, _, _ = strings.Cut(path, "?")
	_, problem := decodePath(path)
	return problem
}

// plainPath returns a problem unless s is a path on the site without a query or fragment.
func plainPath(s string) string {
	_, problem := decodePath(s)
	return problem
}

func cliName(s string) string {
	if !plainName(s) || s[0] < 'a' || len(s) > maxTag {
		return fmt.Sprintf("want a name that starts with a letter and contains only a-z, 0-9, and -; found %q", s)
	}
	return ""
}

// commandName derives the name of the command-line tool from the product's name: "Acorn Planner" becomes
// "acorn-planner". It removes accents and non-ASCII letters, replaces other characters with hyphens, and truncates the
// name to maxTag bytes. It adds the prefix "cli-" to a name that starts with a digit. It returns "product" if no
// letters or digits are left.
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
	name = strings.Trim(name[:min(len(name), maxTag)], "-")
	switch {
	case name == "":
		return "product"
	case name[0] <= '9':
		return "cli-" + name
	}
	return name
}

// retirement returns a reader for the announced end of v1 (specification §9). The reader rejects a sunset before the
// deprecation (RFC 8594 §2, RFC 9745 §4). Dates and times without a zone are in UTC instead of the site's zone, because
// clients in all time zones rely on these dates (wire contract §1).
func retirement(c *site.Config) reader {
	utc := time.UTC
	fields := func(end *site.Retirement) reader {
		return closed(
			field{"deprecation", "the date from which v1 is deprecated, such as 2027-01-01", "The date from which version 1 is deprecated.", moment(&end.Deprecation, &utc)},
			field{"sunset", "", "The date from which version 1 may be removed: the date of the deprecation, or later.", optional(moment(&end.Sunset, &utc))},
			field{"notice", "the URL of the public announcement, such as https://acorn.example/blog/version-1-retires", "The URL of the public announcement.", noting(&end.NoticePos, text(&end.Notice, isWebURL("https://acorn.example/blog/version-1-retires")))},
		)
	}
	read := func(r *report, v value) {
		var end site.Retirement
		fields(&end).read(r, v)
		if !end.Sunset.IsZero() && end.Sunset.Before(end.Deprecation) {
			r.errorf(v.Get("sunset").Value.Pos, "%s: the sunset is earlier than the deprecation; write the same date or a later one", child(v, "sunset"))
		}
		c.Retirement = &end
	}
	return reader{read, func() shape.Shape { return fields(new(site.Retirement)).draw() }}
}

// signals returns a reader for the Content-Signal preferences. The value of each preference is the word yes or no,
// which is a string in YAML 1.2.
func signals(dst *[]site.Signal) reader {
	known := []string{"search", "ai-input", "ai-train"}
	read := func(r *report, v value) {
		if v.Kind != tree.Map {
			r.errorf(v.Pos, "%s: want a map such as {search: yes, ai-train: no}, found %s", v.name, v.Describe())
			return
		}
		for _, m := range v.Members {
			if !plainName(m.Key) || len(m.Key) > maxTag {
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
	return reader{read, drawSignals}
}

// drawSignals returns the shape of the signals map. Names other than the known signals are allowed.
func drawSignals() shape.Shape {
	preference := drawSpoken()
	return shape.Shape{
		Kinds: []shape.Kind{shape.Map}, Others: &preference, Names: "^[a-z0-9-]+$",
		Fields: []shape.Field{
			{Name: "search", About: "Whether crawlers may show the text in search results, including AI search (OAI-SearchBot, PerplexityBot).", Shape: preference},
			{Name: "ai-input", About: "Whether AI assistants may read the text to respond to a user (ChatGPT-User, Claude-User).", Shape: preference},
			{Name: "ai-train", About: "Whether a model may be trained on the text (GPTBot, ClaudeBot, CCBot, Google-Extended).", Shape: preference},
		},
	}
}

// unknownSignal reports an unknown signal. near is the known signal with a similar name, or "" if there is none. If
// near isn't "", the name is probably misspelled, so unknownSignal reports an error. Otherwise, the signal may be new,
// so unknownSignal reports a warning.
func unknownSignal(r *report, v value, m tree.Member, near string) {
	if near != "" {
		r.errorf(m.Pos, "unknown key %q; did you mean %q?", child(v, m.Key), near).Code = rule.UnknownKey
		return
	}
	r.warnf(m.Pos, "unknown signal %s, which is published unchanged; the known signals are search, ai-input, and ai-train", m.Key)
}
