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

// Mount adds a site's base path, such as "/acorn", to every address on the site in resources: in their fields, in HTML,
// in stylesheets, in robots.txt, and in the first file of a search. Only this function adds it: rendering uses paths
// relative to the site's home page, "/pricing", as templates and editors write them. Absolute addresses
// ("https://user.example/acorn/pricing") get the path from the settings. It must not be called for files that editors
// publish unchanged.
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
			// Variants that share a file share its bytes.
			first := &v.Body[0]
			if _, done := bodies[first]; !done {
				bodies[first] = mountBody(mount, r.Path, v)
			}
			v.Body = bodies[first]
		}
	}
}

// MountOf returns the resource that stores the base path in a build.
func MountOf(mount string) artifact.Resource {
	return artifact.Resource{Path: artifact.MountName, Kind: artifact.KindFallback, Location: mount}
}

// OptionsOf returns the resources that store the site's options in a build.
func OptionsOf(c *site.Config) (options []artifact.Resource) {
	if c.ReprDigest {
		options = append(options, artifact.Resource{Path: artifact.OptionPrefix + artifact.OptionReprDigest, Kind: artifact.KindFallback})
	}
	if c.AgentsGetMarkdown {
		options = append(options, artifact.OptionOfAgents(readers.Words()))
	}
	return options
}

// mountFields copies fields before changing one: pages share them.
func mountFields(mount string, fields []artifact.Field) []artifact.Field {
	copied := false
	for i, f := range fields {
		if f.Name != "Link" || !strings.Contains(f.Value, "</") {
			continue
		}
		if !copied {
			fields, copied = append([]artifact.Field(nil), fields...), true
		}
		// Targets are in angle brackets, which appear nowhere else in the field (RFC 8288 §3).
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
		// All members of the file are addresses and numbers.
		return bytes.ReplaceAll(v.Body, []byte(`":"/`), []byte(`":"`+mount+`/`))
	}
	return v.Body
}

// mountRules writes the rules of robots.txt, whose paths begin at the root of the host (RFC 9309 §2.2.2).
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

// mountWith returns text with the mount in front of the addresses that are paths. It doesn't change scripts.
func mountWith(mount string, text []byte, find func(text []byte, do func(begin, end int))) []byte {
	return markup.Rewrite(make([]byte, 0, len(text)+len(text)/16+64), text, find, func(out, address []byte) []byte {
		if markup.IsPath(address) {
			out = append(out, mount...)
		}
		return append(out, address...)
	})
}
