package render

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/image"
	"vitrine/internal/plan"
	"vitrine/internal/render/media"
	"vitrine/internal/site"
)

// Resources returns a rendered page's resources: the HTML and the Markdown at the page's URL, the Markdown at its own
// URL, the redirects to the page, the generated social image, and the search files. For the 404 page, it returns only
// the HTML and the Markdown for error responses.
func (r *Renderer) Resources(page *Rendered) []artifact.Resource {
	p := page.Page
	r = r.in(p)
	html := artifact.Variant{File: p.HTMLFile(), Fields: r.htmlFields(p, page.view.Page), Body: page.HTML}
	count := field("X-Markdown-Tokens", strconv.Itoa(artifact.Tokens(page.Markdown)))
	twin := artifact.Variant{File: p.MarkdownPath()[1:], Fields: r.twinFields(p, page.view.Page, count), Body: page.Markdown}
	if plan.IsNotFound(p) {
		return []artifact.Resource{r.notFound(html, twin)}
	}
	file := twin
	file.Fields = r.fileFields(p, page.view.Page, count)
	resources := []artifact.Resource{
		{Path: p.Path, Kind: artifact.KindPage, Variants: []artifact.Variant{html, twin}},
		{Path: p.MarkdownPath(), Kind: artifact.KindFile, Variants: []artifact.Variant{file}},
	}
	for _, a := range p.Aliases {
		resources = append(resources, artifact.Resource{Path: a.Path, Kind: artifact.KindRedirect, Location: string(site.RefTo(p.Path))})
	}
	if r.isMarkdownMap(p) {
		resources = append(resources, artifact.Resource{Path: markdownMap, Kind: artifact.KindRedirect, Location: string(site.RefTo(p.MarkdownPath()))})
	}
	if image, ok := r.socialImage(p); ok {
		resources = append(resources, image)
	}
	return append(resources, page.texts...)
}

// markdownMap is the path at which some programs expect a list of all pages in Markdown.
const markdownMap = "/sitemap.md"

// isMarkdownMap reports whether markdownMap redirects to p's Markdown. It returns true if p is the search page in the
// site's default language, unless the site has its own resource at markdownMap.
func (r *Renderer) isMarkdownMap(p *site.Page) bool {
	return plan.IsSearch(p) && p.Path == plan.SearchPath && !r.index.Has(markdownMap)
}

// notFound returns the pair of representations for 404 responses. Error responses have no validator and no canonical
// URL, and caches must not store them.
func (r *Renderer) notFound(html, twin artifact.Variant) artifact.Resource {
	html.Fields = errorFields(html.Fields)
	twin.Fields = errorFields(twin.Fields)
	return artifact.Resource{Path: artifact.NotFoundIn(r.site.Language), Kind: artifact.KindFallback, Variants: []artifact.Variant{html, twin}}
}

func errorFields(fields []artifact.Field) []artifact.Field {
	var kept []artifact.Field
	for _, f := range fields {
		switch {
		case f.Name == "Cache-Control":
			kept = append(kept, field("Cache-Control", artifact.ErrorCacheControl))
		case f.Name == "CDN-Cache-Control", f.Name == "Link", f.Name == "X-Robots-Tag", f.Name == "Content-Signal", strings.HasPrefix(f.Name, "X-Markdown"):
		default:
			kept = append(kept, f)
		}
	}
	return kept
}

func (r *Renderer) assets() []artifact.Resource {
	var resources []artifact.Resource
	for path, body := range r.theme.Assets() {
		resources = append(resources, Asset(path, body))
	}
	return resources
}

// Kept returns a placeholder for an unchanged file of the search index. The build replaces the placeholder with the
// previous build's resource at path.
func Kept(path string) artifact.Resource {
	return artifact.Resource{Path: path, Kind: artifact.KindFile}
}

// IsKept reports whether r is a placeholder returned by Kept.
func IsKept(r *artifact.Resource) bool { return r.Kind == artifact.KindFile && len(r.Variants) == 0 }

// Asset returns the resource for a file with the content body at path. The path must contain a hash of body, because
// the resource's header fields allow caches to store the file forever.
func Asset(path string, body []byte) artifact.Resource {
	fields := []artifact.Field{
		field("Content-Type", media.Type(path)),
		field("Cache-Control", artifact.AssetCacheControl),
		field("Vary", varyCoding),
		noSniff,
		crossOrigin,
	}
	fields = append(fields, documentFields(media.Type(path))...)
	return artifact.Resource{Path: path, Kind: artifact.KindFile, Variants: []artifact.Variant{{
		File: path[1:], Fields: fields, Body: body,
	}}}
}

// File reads f, an author's file, from root, the site's folder, and returns the file's resource. It removes the
// metadata of images unless the settings disable this; see image.Published.
func (r *Renderer) File(root fs.FS, f site.File) (artifact.Resource, error) {
	body, err := fs.ReadFile(root, f.Source)
	if errors.Is(err, fs.ErrNotExist) {
		return artifact.Resource{}, fmt.Errorf("%s was removed during the build; build again", f.Source)
	}
	if err != nil {
		return artifact.Resource{}, fmt.Errorf("reading %s: %w", f.Source, err)
	}
	body = image.Published(body, r.site.Config.Images)
	kind := media.Type(f.Path)
	if f.Path == r.site.Config.License {
		kind = media.RSL
	}
	fields := publicFields(kind, varyCoding)
	if kind == media.HTML {
		fields = r.protected(fields)
	}
	return artifact.Resource{Path: f.Path, Kind: artifact.KindFile, Variants: []artifact.Variant{{
		File: f.Path[1:], Fields: fields, Body: body,
	}}}, nil
}
