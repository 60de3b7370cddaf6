//go:build linux

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/publish"
)

// Sizes of the requested bodies in bytes.
const (
	htmlSize     = 20 << 10
	markdownSize = 6 << 10
	jsonSize     = 2500
)

// writeSite publishes a build to dir. The build contains the given number of HTML pages of size bytes each, their
// Markdown, and the resources that every build contains.
func writeSite(ctx context.Context, dir string, pages, size int) error {
	stage, err := publish.Begin(ctx, dir, publish.Options{Codings: []artifact.Coding{artifact.Gzip}})
	if err != nil {
		return err
	}
	stage.Expect(pages)
	random := rand.New(rand.NewPCG(1, 2))
	add := func(r ...artifact.Resource) {
		var p *publish.Prepared
		if p, err = stage.Prepare(r...); err == nil {
			err = stage.Append(p)
		}
	}
	for i := 0; i < pages && err == nil; i++ {
		name := fmt.Sprintf("page-%d", i)
		twin := artifact.Variant{
			File: name + ".md", Body: text(random, "", size*markdownSize/htmlSize),
			Fields: append(pageFields("text/markdown; charset=utf-8"), artifact.Field{Name: artifact.FieldMarkdownTokens, Value: strconv.Itoa(size/10 + i%1000)}),
		}
		own := twin
		own.Fields = append(slices.Clone(twin.Fields), link("<https://bench.example/%s>; rel=\"canonical\"", name))
		html := artifact.Variant{
			File: name + ".html", Body: text(random, "<p>", size), Fields: append(pageFields("text/html; charset=utf-8"),
				link("</%[1]s.md>; rel=\"alternate\"; type=\"text/markdown\", <https://bench.example/%[1]s>; rel=\"canonical\", "+
					"</openapi.json>; rel=\"service-desc\"; type=\"application/json\", </feed.xml>; rel=\"alternate\"; type=\"application/atom+xml\"", name)),
		}
		add(
			artifact.Resource{Path: "/" + name, Kind: artifact.KindPage, Variants: []artifact.Variant{html, twin}},
			artifact.Resource{Path: "/" + name + ".md", Kind: artifact.KindFile, Variants: []artifact.Variant{own}},
		)
	}
	add(artifact.Resource{Path: artifact.NotFoundPage, Kind: artifact.KindFallback, Variants: []artifact.Variant{
		{File: "404.html", Body: text(random, "<p>", 1000), Fields: pageFields("text/html; charset=utf-8")},
		{File: "404.md", Body: text(random, "", 1000), Fields: pageFields("text/markdown; charset=utf-8")},
	}})
	for _, path := range artifact.OperationPaths() {
		add(artifact.Resource{Path: path, Kind: artifact.KindOperation, Variants: []artifact.Variant{
			{File: path[1:] + ".json", Body: text(random, "", jsonSize), Fields: operationFields()},
		}})
	}
	for _, p := range artifact.ProblemTypes() {
		add(artifact.Resource{Path: artifact.ProblemPrefix + p.Slug, Kind: artifact.KindFallback, Variants: []artifact.Variant{
			{Body: p.Body("https://bench.example"), Fields: []artifact.Field{
				{Name: "Content-Type", Value: artifact.ProblemMediaType}, {Name: "Cache-Control", Value: artifact.ErrorCacheControl},
			}},
		}})
	}
	if err != nil {
		return fmt.Errorf("creating a site of %d pages: %w", pages, err)
	}
	_, err = stage.Commit(artifact.DefaultLimit, artifact.DefaultWindow)
	return err
}

func link(format, name string) artifact.Field {
	return artifact.Field{Name: "Link", Value: fmt.Sprintf(format, name)}
}

// pageFields returns header fields about as large as a real page's fields.
func pageFields(mediaType string) []artifact.Field {
	return []artifact.Field{
		{Name: "Content-Type", Value: mediaType},
		{Name: "Vary", Value: "Accept, Accept-Encoding"},
		{Name: "Cache-Control", Value: artifact.PageCacheControl},
		{Name: "CDN-Cache-Control", Value: artifact.CDNCacheControl},
		{Name: "Content-Security-Policy", Value: "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"},
		{Name: "Referrer-Policy", Value: "strict-origin-when-cross-origin"},
		{Name: "X-Content-Type-Options", Value: "nosniff"},
	}
}

func operationFields() []artifact.Field {
	return append([]artifact.Field{
		{Name: "Content-Type", Value: "application/json"},
		{Name: "Cache-Control", Value: "private, max-age=300"},
		{Name: "Vary", Value: "Accept-Encoding"},
		{Name: "Link", Value: artifact.OperationLinks("/docs/api")},
		{Name: "X-Content-Type-Options", Value: "nosniff"},
	}, artifact.CORSFields()...)
}

// text returns prose of invented words, which compresses about as well as real prose.
func text(random *rand.Rand, prefix string, size int) []byte {
	var b strings.Builder
	for b.Len() < size {
		b.WriteString(prefix)
		for range 12 {
			for range 1 + random.IntN(3) {
				b.WriteByte("bcdfghklmnprstvw"[min(random.IntN(16), random.IntN(16))])
				b.WriteByte("aeiou"[min(random.IntN(5), random.IntN(5))])
			}
			b.WriteByte(' ')
		}
		b.WriteByte('\n')
	}
	return []byte(b.String()[:size])
}

// folderSize returns the total size of all files in a folder in bytes.
func folderSize(dir string) (total int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			total += info.Size()
		}
		return err
	})
	return total, err
}
