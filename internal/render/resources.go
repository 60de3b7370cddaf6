package render

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"unicode/utf8"

	"vitrine/internal/artifact"
	"vitrine/internal/image"
	"vitrine/internal/plan"
	"vitrine/internal/site"
)

// Resources are what a rendered page is published as: the negotiated pair, the
// Markdown at its own URL, the redirects from old addresses, and the social
// image and the files for the search that are made for it.
func (r *Renderer) Resources(page *Rendered) []artifact.Resource {
	p := page.Page
	html := artifact.Variant{File: p.HTMLFile(), Fields: r.htmlFields(p), Body: page.HTML}
	count := field("X-Markdown-Tokens", strconv.Itoa(tokens(page.Markdown)))
	twin := artifact.Variant{File: p.MarkdownPath()[1:], Fields: r.twinFields(p, count), Body: page.Markdown}
	if p.Path == plan.NotFoundPath {
		return []artifact.Resource{r.notFound(html, twin)}
	}
	file := twin
	file.Fields = r.fileFields(p, count)
	resources := []artifact.Resource{
		{Path: p.Path, Kind: artifact.KindPage, Variants: []artifact.Variant{html, twin}},
		{Path: p.MarkdownPath(), Kind: artifact.KindFile, Variants: []artifact.Variant{file}},
	}
	for _, a := range p.Aliases {
		resources = append(resources, artifact.Resource{Path: a.Path, Kind: artifact.KindRedirect, Location: string(site.RefTo(p.Path))})
	}
	if image, ok := r.socialImage(p); ok {
		resources = append(resources, image)
	}
	return append(resources, page.texts...)
}

// tokens estimates how many tokens a language model makes of a text: one for
// four characters, the usual rule of thumb.
func tokens(text []byte) int {
	return (characters(text) + 3) / 4
}

// characters is utf8.RuneCount, eight bytes at a time where they are ASCII.
func characters(text []byte) int {
	const beyondASCII = 0x8080808080808080
	n := 0
	for len(text) > 0 {
		size := 8
		if len(text) < 8 || binary.LittleEndian.Uint64(text)&beyondASCII != 0 {
			_, size = utf8.DecodeRune(text)
			n++
		} else {
			n += 8
		}
		text = text[size:]
	}
	return n
}

// notFound is the pair that a 404 carries. An error has no validator, no
// canonical address, and is kept by no cache.
func (r *Renderer) notFound(html, twin artifact.Variant) artifact.Resource {
	html.Fields = errorFields(html.Fields)
	twin.Fields = errorFields(twin.Fields)
	return artifact.Resource{Path: artifact.NotFoundPage, Kind: artifact.KindFallback, Variants: []artifact.Variant{html, twin}}
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
	for _, a := range r.theme.assets {
		resources = append(resources, Asset(a.path, a.body))
	}
	return resources
}

// Asset is a file whose name changes with its bytes, so that caches may keep it
// for ever.
func Asset(path string, body []byte) artifact.Resource {
	fields := []artifact.Field{
		field("Content-Type", contentType(path)),
		field("Cache-Control", artifact.AssetCacheControl),
		field("Vary", varyCoding),
		noSniff,
		crossOrigin,
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
	body = image.Published(body, r.site.Config.Images)
	kind := contentType(f.Path)
	fields := publicFields(kind, varyCoding)
	if kind == typeHTML {
		fields = r.protected(fields)
	}
	return artifact.Resource{Path: f.Path, Kind: artifact.KindFile, Variants: []artifact.Variant{{
		File: f.Path[1:], Fields: fields, Body: body,
	}}}, nil
}
