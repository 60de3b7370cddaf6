package render

import (
	"bytes"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/markup"
	"vitrine/internal/plan"
	"vitrine/internal/readers"
	"vitrine/internal/render/media"
	"vitrine/internal/site"
)

// Mount adds a site's base path, such as "/acorn", to every path of the site in resources: in redirects, Link fields,
// HTML, SVG images, stylesheets, robots.txt, and search.json. Templates and authors write paths without the base path,
// such as "/pricing", and rendering adds the base path only in formats that Mount doesn't read: the search index and
// the index of skills. Absolute URLs, such as "https://user.example/acorn/pricing", contain the base path already,
// because the base URL in the settings contains it. Mount must not be called for files that are published unchanged.
func Mount(mount string, resources []artifact.Resource) {
	if mount == "" {
		return
	}
	for i := range resources {
		r := &resources[i]
		if markup.IsPath([]byte(r.Location)) {
			r.Location = mount + r.Location
		}
		bodies := make(map[*byte][]byte, 1)
		for j := range r.Variants {
			v := &r.Variants[j]
			v.Fields = mountFields(mount, v.Fields)
			if len(v.Body) == 0 {
				continue
			}
			// Variants in the same file share the file's bytes, so convert the bytes only once.
			first := &v.Body[0]
			if _, done := bodies[first]; !done {
				bodies[first] = mountBody(mount, r.Path, v)
			}
			v.Body = bodies[first]
		}
	}
}

// MountOf returns the resource that stores mount, the site's base path, in a build.
func MountOf(mount string) artifact.Resource {
	return artifact.Resource{Path: artifact.MountName, Kind: artifact.KindFallback, Location: mount}
}

// OptionsOf returns the resources that store the site's options for servers in a build: whether responses have the
// field Repr-Digest, and whether AI agents get Markdown.
func OptionsOf(c *site.Config) (options []artifact.Resource) {
	if c.ReprDigest {
		options = append(options, artifact.Resource{Path: artifact.OptionPrefix + artifact.OptionReprDigest, Kind: artifact.KindFallback})
	}
	if c.AgentsGetMarkdown {
		options = append(options, artifact.OptionOfAgents(readers.Words()))
	}
	return options
}

// mountFields returns fields with mount, the base path, before every path in the Link field. It doesn't change its
// argument, because pages share the slice.
func mountFields(mount string, fields []artifact.Field) []artifact.Field {
	copied := false
	for i, f := range fields {
		if f.Name != "Link" || !strings.Contains(f.Value, "</") {
			continue
		}
		if !copied {
			fields, copied = append([]artifact.Field(nil), fields...), true
		}
		// Angle brackets enclose targets and appear nowhere else in the field (RFC 8288 §3).
		fields[i].Value = strings.ReplaceAll(f.Value, "</", "<"+mount+"/")
	}
	return fields
}

func mountBody(mount, path string, v *artifact.Variant) []byte {
	kind, _, _ := strings.Cut(v.MediaType(), ";")
	switch {
	case kind == "text/html", kind == "image/svg+xml":
		return mountWith(mount, v.Body, markup.HTML)
	case kind == "text/css":
		return mountWith(mount, v.Body, markup.CSS)
	case path == plan.RobotsPath:
		return mountRules(mount, v.Body)
	case kind == media.JSON && strings.HasSuffix(path, plan.SearchIndexPath):
		// All strings in the file are URL paths, except the labels of versions.
		return bytes.ReplaceAll(v.Body, []byte(`":"/`), []byte(`":"`+mount+`/`))
	}
	return v.Body
}

// mountRules returns the text of robots.txt with mount, the base path, before the paths in the rules. Crawlers match
// these paths from the root of the host (RFC 9309 §2.2.2).
func mountRules(mount string, text []byte) []byte {
	var out []byte
	for line := range bytes.Lines(text) {
		name, path, ok := bytes.Cut(line, []byte(":"))
		if rule := bytes.TrimSpace(name); ok && (bytes.EqualFold(rule, []byte("allow")) || bytes.EqualFold(rule, []byte("disallow"))) && markup.IsPath(bytes.TrimSpace(path)) {
			line = []byte(string(name) + ": " + mount + string(bytes.TrimLeft(path, " \t")))
		}
		out = append(out, line...)
	}
	return out
}

// mountWith returns text with mount, the base path, before every link that is a path. find must call do with the
// position of each link in text.
func mountWith(mount string, text []byte, find func(text []byte, do func(begin, end int))) []byte {
	return markup.Rewrite(make([]byte, 0, len(text)+len(text)/16+64), text, find, func(out, address []byte) []byte {
		if markup.IsPath(address) {
			out = append(out, mount...)
		}
		return append(out, address...)
	})
}
