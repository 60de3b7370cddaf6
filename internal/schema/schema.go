// Package schema generates JSON Schemas that describe the contents of product.yaml, site.yaml, questions.yaml,
// authors.yaml, _sidebar.yaml, and front matter, so that editing tools can complete and check keys as the user types.
// The schemas are generated from the loader's own tables of keys. Each key has a description. A schema accepts
// everything that the loader accepts, and its bytes depend only on the program's version.
package schema

import (
	"bytes"
	"encoding/json"
	"fmt"

	"vitrine/internal/artifact"
	"vitrine/internal/load"
	"vitrine/internal/load/shape"
	"vitrine/internal/site"
)

// Dir is the URL path of a site's schemas.
const Dir = "/schemas/"

// MediaType is the media type of a schema (draft-bhutton-json-schema-01 §14.1).
const MediaType = "application/schema+json"

// File is a published schema.
type File struct {
	// Path is the URL path, such as "/schemas/product.json".
	Path string
	Body []byte
}

// Names returns the names of the schemas: "product", "site", "questions", "authors", "sidebar", and "page".
func Names() []string { return []string{"product", "site", "questions", "authors", "sidebar", "page"} }

// Path returns the URL path of a schema.
func Path(name string) string { return Dir + name + ".json" }

// Files returns every schema.
func Files() ([]File, error) {
	var files []File
	for _, name := range Names() {
		body, err := Write(name)
		if err != nil {
			return nil, err
		}
		files = append(files, File{Path(name), body})
	}
	return files, nil
}

// Write returns a schema as indented JSON. It returns an error if name isn't one of Names.
func Write(name string) ([]byte, error) {
	s, title, about := of(name)
	if title == "" {
		return nil, fmt.Errorf("unknown schema %q", name)
	}
	document := object{
		{"$schema", "http://json-schema.org/draft-07/schema#"},
		{"title", title},
		{"description", about},
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(append(document, keywords(&s)...)); err != nil {
		return nil, fmt.Errorf("writing the schema of %s: %w", name, err)
	}
	return out.Bytes(), nil
}

// of returns the shape that the named schema describes, and the schema's title and description. For an unknown name,
// title is "".
func of(name string) (s shape.Shape, title, about string) {
	switch name {
	case "product":
		return load.ProductShape(), "content/product.yaml", "The public facts about the product. Unknown members are published in the JSON unchanged."
	case "site":
		return load.ConfigShape(), "content/site.yaml", "The settings of the site."
	case "questions":
		return load.QuestionsShape(), "content/questions.yaml", "The questions that the site must answer; vitrine check reports missing answers."
	case "authors":
		return load.AuthorsShape(), "content/authors.yaml", "The people who write for the site, by the keys that pages name."
	case "sidebar":
		return load.SidebarShape(), "content/**/_sidebar.yaml", "The order and the groups of the pages in a folder of documentation."
	case "page":
		return load.PageShape(), "Front matter", "The settings of a page, before its text."
	}
	return s, "", ""
}

// Paths returns the URL paths of the resources that Resources returns.
func Paths(s *site.Site) []string {
	var paths []string
	for _, name := range Names() {
		paths = append(paths, Path(name))
	}
	if s.Config.Admin != nil {
		paths = append(paths, AdminPath, AdminPath+"/", AdminConfig)
	}
	return paths
}

// Resources returns the schemas and, if site.yaml enables the content editor, the editor's page and configuration.
func Resources(s *site.Site) ([]artifact.Resource, error) {
	files, err := Files()
	if err != nil {
		return nil, err
	}
	var resources []artifact.Resource
	for _, f := range files {
		// Allow every origin, because browser-based editors fetch schemas from other origins.
		anyOrigin := artifact.Field{Name: "Access-Control-Allow-Origin", Value: "*"}
		resources = append(resources, file(f.Path, f.Path[1:], MediaType, f.Body, anyOrigin))
	}
	admin, err := AdminOf(s)
	if err != nil || admin == nil {
		return resources, err
	}
	return append(resources,
		file(AdminPath, AdminPath[1:]+".html", "text/html; charset=utf-8", admin.Page,
			artifact.Field{Name: "Content-Security-Policy", Value: admin.Policy},
			artifact.Field{Name: "Referrer-Policy", Value: "no-referrer"},
			artifact.Field{Name: "X-Robots-Tag", Value: "noindex"}),
		artifact.Resource{Path: AdminPath + "/", Kind: artifact.KindRedirect, Location: AdminPath},
		file(AdminConfig, AdminConfig[1:], "application/yaml", admin.Config,
			artifact.Field{Name: "X-Robots-Tag", Value: "noindex"}),
	), nil
}

// file returns a resource with one representation. Browsers must revalidate the resource, but CDNs may store it.
func file(path, name, mediaType string, body []byte, more ...artifact.Field) artifact.Resource {
	fields := []artifact.Field{
		{Name: "Content-Type", Value: mediaType},
		{Name: "Cache-Control", Value: artifact.PageCacheControl},
		{Name: "CDN-Cache-Control", Value: artifact.CDNCacheControl},
		{Name: "Vary", Value: "Accept-Encoding"},
		{Name: "X-Content-Type-Options", Value: "nosniff"},
	}
	return artifact.Resource{Path: path, Kind: artifact.KindFile, Variants: []artifact.Variant{{
		File: name, Fields: append(fields, more...), Body: body,
	}}}
}
