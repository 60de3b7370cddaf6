package schema

import (
	"vitrine/internal/artifact"
	"vitrine/internal/site"
)

// Paths are the URL paths of what Resources returns.
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

// Resources are the schemas of a site and, where site.yaml asks for it, the
// page and the configuration of its content editor.
func Resources(s *site.Site) ([]artifact.Resource, error) {
	files, err := Files()
	if err != nil {
		return nil, err
	}
	var resources []artifact.Resource
	for _, f := range files {
		// Editors in browsers read it from pages of their own.
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

// file is one media type at its own URL, which browsers ask for again and a
// CDN keeps.
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
