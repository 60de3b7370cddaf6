package render

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"vitrine/internal/artifact"
	"vitrine/internal/site"
)

// GeneratedPaths are the paths of what every build makes itself, whatever its
// pages are.
func GeneratedPaths(s *site.Site, theme *Theme) []string {
	paths := []string{
		artifact.DescriptionPath, artifact.CatalogPath, sitemapPath, llmsPath, llmsFullPath, "/robots.txt",
		cliPath(s), cliPath(s) + ".sha256",
	}
	for _, p := range artifact.OperationPaths() {
		// The operation is public as a file, too, for hosts that serve only those.
		paths = append(paths, p, p+".json")
	}
	if s.Config.Security.Contact != "" {
		paths = append(paths, securityPath)
	}
	if slices.ContainsFunc(s.Pages, isArticle) {
		paths = append(paths, atomPath, jsonFeedPath)
	}
	if slices.ContainsFunc(s.Pages, func(p *site.Page) bool { return p.Path == searchPath && p.Layout == searchLayout }) {
		paths = append(paths, searchIndexPath)
	}
	for _, a := range theme.assets {
		paths = append(paths, a.path)
	}
	return paths
}

// Outputs renders everything that is not a page or an editor's file. It is
// called after Gather has seen every page.
func (r *Renderer) Outputs() ([]artifact.Resource, error) {
	var resources []artifact.Resource
	for _, output := range r.Deferred() {
		more, err := output.Make()
		if err != nil {
			return nil, err
		}
		resources = append(resources, more...)
	}
	return resources, nil
}

func (r *Renderer) securityIfAny() ([]artifact.Resource, error) {
	if r.site.Config.Security.Contact == "" {
		return nil, nil
	}
	resource, err := r.security()
	return []artifact.Resource{resource}, err
}

func (r *Renderer) assets() []artifact.Resource {
	var resources []artifact.Resource
	for _, a := range r.theme.assets {
		resources = append(resources, assetFile(a.path, a.body))
	}
	return resources
}

// assetFile is a file whose name changes with its bytes.
func assetFile(path string, body []byte) artifact.Resource {
	fields := []artifact.Field{
		field("Content-Type", contentType(path)),
		field("Cache-Control", artifact.AssetCacheControl),
		field("Vary", varyCoding),
		noSniff,
	}
	return artifact.Resource{Path: path, Kind: artifact.KindFile, Variants: []artifact.Variant{{
		File: path[1:], Fields: fields, Body: body,
	}}}
}

// File renders a file that is published as it is, read from the site's folder.
func (r *Renderer) File(root fs.FS, f site.File) (artifact.Resource, error) {
	body, err := fs.ReadFile(root, f.Source)
	if errors.Is(err, fs.ErrNotExist) {
		return artifact.Resource{}, fmt.Errorf("%s was removed while the site was built; build again", f.Source)
	}
	if err != nil {
		return artifact.Resource{}, fmt.Errorf("reading %s: %w", f.Source, err)
	}
	kind := contentType(f.Path)
	fields := publicFields(kind, varyCoding)
	if kind == typeHTML {
		fields = protected(fields)
	}
	return artifact.Resource{Path: f.Path, Kind: artifact.KindFile, Variants: []artifact.Variant{{
		File: f.Path[1:], Fields: fields, Body: body,
	}}}, nil
}
