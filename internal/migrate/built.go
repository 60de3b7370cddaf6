package migrate

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"vitrine/internal/folder"
)

// Addresses says what became of the old site's.
type Addresses struct {
	Known      int `json:"known"`
	Answered   int `json:"answered"`
	Redirected int `json:"redirected"`
	// Gone neither answer nor redirect in the new site.
	Gone []string `json:"gone"`
}

// maxSitemap is how many bytes of a sitemap, or of a page that may redirect, are read.
const maxSitemap = 64 << 20

// oldAddresses are those of the old site as it was published: all of its HTML files,
// and what its sitemaps name. A page that only leads to another is a redirect.
func (im *importer) oldAddresses(ctx context.Context) ([]string, error) {
	if im.opt.Built == "" {
		return nil, nil
	}
	info, err := os.Stat(im.opt.Built)
	if err != nil {
		return nil, fmt.Errorf("reading the old site as it was published: %w", err)
	}
	dir, only := im.opt.Built, ""
	if !info.IsDir() {
		dir, only = filepath.Split(im.opt.Built)
		if dir == "" {
			dir = "."
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("reading the old site as it was published: %w", err)
	}
	defer root.Close()
	var list []string
	if only != "" {
		list, err = im.sitemap(root, only, nil)
	} else {
		list, err = im.builtFiles(ctx, root)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the old site as it was published: %w", err)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

func (im *importer) builtFiles(ctx context.Context, root *os.Root) (list []string, err error) {
	err = fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err != nil || entry.IsDir() || !entry.Type().IsRegular() {
			return err
		}
		if len(list) > maxFiles {
			return fmt.Errorf("there are more than %d files", maxFiles)
		}
		base := strings.ToLower(path.Base(name))
		switch {
		case strings.HasPrefix(base, "sitemap") && strings.HasSuffix(base, ".xml"):
			list, err = im.sitemap(root, name, list)
		case base == "404.html":
		case strings.HasSuffix(base, ".html"):
			address := im.basePath + "/" + strings.TrimSuffix(name, "index.html")
			list = append(list, address)
			if to := im.leadsTo(root, name); to != "" {
				if u, parsed := url.Parse(to); parsed == nil {
					im.redirects = append(im.redirects, [2]string{address, path.Join("/", u.Path)})
				}
			}
		case isAsset(name):
			list = append(list, im.basePath+"/"+name)
		}
		return err
	})
	return list, err
}

// leadsTo returns where a page leads that is nothing but a redirect.
func (im *importer) leadsTo(root *os.Root, name string) string {
	info, err := root.Stat(filepath.FromSlash(name))
	if err != nil || info.Size() > 8<<10 {
		return ""
	}
	data, err := folder.ReadFile(root, name)
	if err != nil {
		return ""
	}
	text := strings.ToLower(string(data))
	i := strings.Index(text, `http-equiv="refresh"`)
	if i < 0 {
		i = strings.Index(text, "http-equiv=refresh")
	}
	if i < 0 {
		return ""
	}
	_, rest, ok := strings.Cut(string(data)[i:], "url=")
	if !ok {
		_, rest, ok = strings.Cut(string(data)[i:], "URL=")
	}
	if !ok {
		return ""
	}
	rest = strings.TrimLeft(rest, `'" `)
	if end := strings.IndexAny(rest, `"'> `); end >= 0 {
		return rest[:end]
	}
	return ""
}

// sitemap reads the addresses that a sitemap names. Those of other sitemaps are read
// where they are found as files.
func (im *importer) sitemap(root *os.Root, name string, list []string) ([]string, error) {
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return list, err
	}
	defer f.Close()
	d := xml.NewDecoder(io.LimitReader(f, maxSitemap))
	in := false
	for {
		t, err := d.Token()
		switch {
		case errors.Is(err, io.EOF):
			return list, nil
		case err != nil:
			im.note(Note{File: name, What: "the rest of the sitemap", Why: err.Error(), Do: "give a sitemap that is well formed"})
			return list, nil
		}
		switch t := t.(type) {
		case xml.StartElement:
			in = t.Name.Local == "loc"
		case xml.EndElement:
			in = false
		case xml.CharData:
			if u, err := url.Parse(strings.TrimSpace(string(t))); in && err == nil && u.Path != "" && !strings.HasSuffix(u.Path, ".xml") && len(list) < maxFiles {
				list = append(list, u.Path)
			}
		}
	}
}

// answered finds what the new site answers at each old address, and adds the aliases
// that can be derived.
func (im *importer) answered(old []string) Addresses {
	a := Addresses{Known: len(old), Gone: []string{}}
	im.redirect()
	for _, address := range old {
		clean := cleanAddress(unescape(im.strip(address)))
		p, f := im.addressed(clean)
		if p == nil {
			if f = im.fileByAddress[strings.ToLower(cleanFile(unescape(im.strip(address))))]; f != nil {
				f.needed = true
			}
		}
		switch {
		case p != nil && p.path == clean, f != nil && f.path == clean:
			a.Answered++
		case p != nil && im.leads(p, address):
			a.Redirected++
		case f == nil && p == nil && strings.HasPrefix(clean, "/tags/") && im.hasTag(path.Base(clean)):
			a.Answered++
		default:
			a.Gone = append(a.Gone, address)
		}
	}
	return a
}

// redirect takes over the redirects that the built site has.
func (im *importer) redirect() {
	for _, r := range im.redirects {
		p, _ := im.addressed(unescape(im.strip(pathOf(r[1]))))
		key := strings.ToLower(cleanAddress(unescape(im.strip(pathOf(r[0])))))
		if p != nil && im.byAddress[key] == nil {
			p.others = append(p.others, r[0])
			im.byAddress[key] = p
		}
	}
}

// leads reports whether an old address can be an alias of a page, and makes it one.
func (im *importer) leads(p *page, address string) bool {
	alias, ok := im.alias(address)
	if !ok {
		return false
	}
	if alias != p.path && !slices.Contains(p.others, address) {
		p.others = append(p.others, address)
	}
	return true
}

func (im *importer) hasTag(slugged string) bool {
	for _, p := range im.pages {
		for _, t := range p.tags {
			if sluggish(t) == slugged {
				return true
			}
		}
	}
	return false
}
