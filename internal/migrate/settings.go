package migrate

import (
	"net/url"
	"slices"
	"strings"
)

// named is a file that is written.
type namedFile struct{ name, body string }

// fill marks what the person has to write.
const fill = "# FILL IN: "

// settingsFiles writes site.yaml and product.yaml with what is known.
func (im *importer) settingsFiles() []namedFile {
	return []namedFile{{"content/site.yaml", im.siteFile()}, {"content/product.yaml", im.productFile()}}
}

func (im *importer) siteFile() string {
	var b strings.Builder
	b.WriteString("# The settings of the site, as far as the import knows them.\n\n")
	base, path := "https://www.example.com", strings.TrimSuffix(im.basePath, "/")
	if u, err := url.Parse(im.url); err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" {
		base = u.Scheme + "://" + u.Host
	} else {
		b.WriteString(fill + "where the site is published.\n")
	}
	b.WriteString("baseURL: " + strings.ToLower(base) + path + "\n\n")
	if im.title == "" {
		b.WriteString(fill + "the site's name.\n")
	}
	b.WriteString("title: " + quoted(escapeBraces(oneLine(fallback(im.title, "A site"), 200))) + "\n")
	if im.description != "" {
		b.WriteString("description: " + quoted(escapeBraces(oneLine(im.description, maxLine))) + "\n")
	}
	if im.language != "" {
		b.WriteString("language: " + quoted(im.language) + "\n")
	}
	b.WriteString("timeZone: " + fallback(im.timeZone, "UTC") + "\n")
	if items := im.navigationItems(); len(items) > 0 {
		b.WriteString("\nnavigation:\n")
		for _, i := range items {
			b.WriteString("  - {label: " + quoted(escapeBraces(i.label)) + ", path: " + quoted(i.path) + "}\n")
		}
	}
	if len(im.languages) > 0 {
		b.WriteString("\nlanguages:\n")
		for _, l := range im.languages {
			b.WriteString("  " + quoted(l.tag) + ": {")
			if l.title != "" {
				b.WriteString("title: " + quoted(escapeBraces(l.title)))
			}
			b.WriteString("}\n")
		}
	}
	if im.repository != "" {
		b.WriteString("\n# Where the sources can be edited, once they stand there in their new form:\n# repository: {url: " + quoted(im.repository) + "}\n")
	}
	return b.String()
}

// navigationItems are the entries that lead somewhere.
func (im *importer) navigationItems() []item {
	var out []item
	from := &page{source: im.base + "/index.md", address: "/", path: "/", name: "index.md", anchors: map[string]string{}}
	for _, i := range im.navigation {
		label := oneLine(i.label, 80)
		target, gone := im.resolve(from, i.path, false)
		if gone != "" {
			im.note(Note{File: im.base, What: "the entry " + label + " of the navigation", Why: gone, Do: "write it into content/site.yaml with the address that is meant", Source: i.path})
			continue
		}
		if label == "" || target == "" || slices.ContainsFunc(out, func(o item) bool { return o.label == label }) || len(out) == 12 {
			continue
		}
		if !strings.HasPrefix(target, "/") && !strings.Contains(target, ":") {
			target = "/" + target
		}
		out = append(out, item{label, target})
	}
	return out
}

func (im *importer) productFile() string {
	base := "https://www.example.com"
	if u, err := url.Parse(im.url); err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" {
		base = strings.ToLower(u.Scheme + "://" + u.Host)
	}
	title := fallback(im.title, "A site")
	description := fallback(im.description, title+" is a product that this line describes.")
	lines := []string{
		"# The public facts of the product: the JSON at /api/v1/marketing, the price table",
		"# and llms.txt come from here. The import knows only the first lines; what is",
		"# marked with FILL IN is made up, and published if it stays.",
		"",
		"name: " + quoted(title),
		"url: " + base,
		"description: " + quoted(oneLine(description, maxLine)),
		"",
		fill + "whom the product is for, the most typical first.",
		"audience:",
		"  - People who read " + oneLine(strings.NewReplacer(":", " ", "#", " ", "'", "", `"`, "", "{", "", "[", "").Replace(title), 80),
		"",
		fill + "what it does today.",
		"capabilities:",
		"  - One thing that it does",
		"",
		fill + "the published price list.",
		"pricing:",
		"  currency: EUR",
		"  billingPeriod: month",
		"  creditDefinition: One credit is one use of the product.",
		"  unlimitedReps: true",
		"  unlimitedTeams: true",
		"  plans: []",
		"  url: " + base,
		"",
		fill + "the e-mail address for questions.",
		"contact: hello@example.com",
		"",
		"# Names that you choose, and absolute URIs.",
		"links: {}",
		"",
	}
	if im.repository != "" && strings.HasPrefix(im.repository, "https://") {
		lines[len(lines)-2] = "links:\n  repository: " + quoted(im.repository)
	}
	return strings.Join(lines, "\n")
}
