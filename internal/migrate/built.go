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
	"vitrine/internal/lazyregexp"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"
)

// Addresses reports how the new site handles the old site's addresses.
type Addresses struct {
	// Known is the number of old addresses that the import checked.
	Known int `json:"known"`
	// Answered is the number of old addresses that the new site serves unchanged.
	Answered int `json:"answered"`
	// Redirected is the number of old addresses that the new site redirects to moved pages.
	Redirected int `json:"redirected"`
	// Gone lists the old addresses that the new site neither serves nor redirects.
	Gone []string `json:"gone"`
}

// maxSitemap is the maximum number of bytes that the import reads from a sitemap.
const maxSitemap = 64 << 20

// oldAddresses returns the sorted addresses of the published old site: those of its HTML files and assets, and those in
// its sitemaps. If Options.Built is a file, oldAddresses reads only that sitemap. It also records a redirect for each
// HTML file that only redirects.
func (im *importer) oldAddresses(ctx context.Context) ([]string, error) {
	if im.opt.Built == "" {
		return nil, nil
	}
	list, err := im.readBuilt(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading the published copy of the old site: %w", err)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

func (im *importer) readBuilt(ctx context.Context) ([]string, error) {
	info, err := os.Stat(im.opt.Built)
	if err != nil {
		return nil, err
	}
	dir := im.opt.Built
	if !info.IsDir() {
		dir = filepath.Dir(dir)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if !info.IsDir() {
		return im.sitemap(root, filepath.Base(im.opt.Built), nil)
	}
	return im.builtFiles(ctx, root)
}

func (im *importer) builtFiles(ctx context.Context, root *os.Root) (list []string, err error) {
	err = fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err := errors.Join(ctx.Err(), err); err != nil || !entry.Type().IsRegular() {
			return err
		}
		if len(list) > source.MaxFiles {
			return fmt.Errorf("found more than %d files in %s; specify the folder that contains only the published site, or its sitemap.xml", source.MaxFiles, im.opt.Built)
		}
		base := strings.ToLower(path.Base(name))
		switch {
		case strings.HasPrefix(base, "sitemap") && strings.HasSuffix(base, ".xml"):
			list, err = im.sitemap(root, name, list)
		case base == "404.html":
		case strings.HasSuffix(base, ".html"):
			address := im.BasePath + "/" + strings.TrimSuffix(name, "index.html")
			list = append(list, address)
			if to := im.redirectTarget(root, name); to != "" {
				im.Redirected(address, path.Join("/", pathOf(to)))
			}
		case source.IsAsset(name):
			list = append(list, im.BasePath+"/"+name)
		}
		return err
	})
	return list, err
}

// refresh matches the meta refresh of a page that only redirects, and captures the target.
var refresh = lazyregexp.New(`(?is)http-equiv="?refresh"?[^>]*?url=['" ]*([^"'> ]+)`)

// redirectTarget returns the redirect target of the named page, or "" if the page doesn't redirect. It doesn't read
// pages larger than 8 KiB, because pages that only redirect are small.
func (im *importer) redirectTarget(root *os.Root, name string) string {
	info, err := root.Stat(filepath.FromSlash(name))
	if err != nil || info.Size() > 8<<10 {
		return ""
	}
	data, err := folder.ReadFile(root, name)
	m := refresh.FindSubmatch(data)
	if err != nil || m == nil {
		return ""
	}
	return string(m[1])
}

// sitemap appends the addresses in the named sitemap to list. It ignores the sitemaps listed in a sitemap index,
// because builtFiles finds these sitemaps as files. If the XML is invalid, it adds a note and returns the addresses
// read so far.
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
			im.Note(convert.Note{File: name, What: "the rest of the sitemap", Why: err.Error(), Do: "use a well-formed sitemap"})
			return list, nil
		}
		switch t := t.(type) {
		case xml.StartElement:
			in = t.Name.Local == "loc"
		case xml.EndElement:
			in = false
		case xml.CharData:
			if u, err := url.Parse(strings.TrimSpace(string(t))); in && err == nil && u.Path != "" && !strings.HasSuffix(u.Path, ".xml") && len(list) < source.MaxFiles {
				list = append(list, u.Path)
			}
		}
	}
}

// answered returns how the new site handles the addresses in old. It adds an alias for each address of a moved page.
func (im *importer) answered(old []string) Addresses {
	a := Addresses{Known: len(old), Gone: []string{}}
	im.takeRedirects()
	for _, address := range old {
		clean := source.CleanAddress(source.Unescape(im.Strip(address)))
		p, f := im.addressed(clean)
		if p == nil {
			if f = im.fileByAddress[strings.ToLower(cleanFile(source.Unescape(im.Strip(address))))]; f != nil {
				f.Needed = true
			}
		}
		switch {
		case p != nil && p.Path == clean, f != nil && f.Path == clean:
			a.Answered++
		case p != nil && im.addAlias(p, address):
			a.Redirected++
		case f == nil && p == nil && strings.HasPrefix(clean, "/tags/") && im.hasTag(path.Base(clean)):
			a.Answered++
		default:
			a.Gone = append(a.Gone, address)
		}
	}
	return a
}

// addAlias makes address an alias of p, unless address is p's own address. It reports whether address can be an alias.
func (im *importer) addAlias(p *oldsite.Page, address string) bool {
	alias, ok := im.alias(address)
	if !ok {
		return false
	}
	if alias != p.Path && !slices.Contains(p.Others, address) {
		p.Others = append(p.Others, address)
	}
	return true
}

func (im *importer) hasTag(slugged string) bool {
	return slices.ContainsFunc(im.Pages, func(p *oldsite.Page) bool {
		return slices.ContainsFunc(p.Tags, func(tag string) bool { return source.Sluggish(tag) == slugged })
	})
}
