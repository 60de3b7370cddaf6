package visit

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/lazyregexp"
)

// Tour is a site's description of itself: its discovery document, its sitemap, and its llms.txt.
type Tour struct {
	// Base is the base URL in the absolute links of the description, without a trailing slash, or the visited URL if
	// there are no such links.
	Base string
	// Pages lists the paths in the sitemap, and Texts lists the paths in llms.txt that are on the site.
	Pages, Texts []string
	// Elsewhere is the number of links in llms.txt to other hosts.
	Elsewhere int
	// Translated contains the paths in Pages whose language isn't the site's default language.
	Translated map[string]bool
	// Unread is the number of sitemaps in the sitemap index that weren't read.
	Unread int
	// Operation is the response at artifact.DiscoveryPath, the path of the discovery document.
	Operation *Answer
	Flaws     []Flaw
	// mount is the base path under which the site was visited.
	mount string
}

// Flaw is a missing or wrong part of a site's description of itself.
type Flaw struct {
	// Discovery reports whether the flaw is in the discovery document.
	Discovery bool
	// Check describes what was checked. Got is the actual value, and Want is the expected value.
	Check, Got, Want string
}

// Tour reads a site's description of itself. most is the maximum number of parts to read, both of a sitemap index and
// of a split llms.txt; 0 means all. It returns an error if the site doesn't respond.
func (v *Visitor) Tour(ctx context.Context, most int) (*Tour, error) {
	t := &Tour{Translated: make(map[string]bool), mount: v.mount.Path}
	var err error
	if t.Operation, err = v.Ask(ctx, "GET", artifact.DiscoveryPath, "Accept", "application/json"); err != nil {
		return nil, err
	}
	t.discover()
	if err := v.readSitemap(ctx, t, most); err != nil {
		return nil, err
	}
	if err := v.readTexts(ctx, t, most); err != nil {
		return nil, err
	}
	if t.Base == "" {
		t.Base = v.URL()
	}
	return t, nil
}

func (t *Tour) flaw(discovery bool, check, got, want string) {
	t.Flaws = append(t.Flaws, Flaw{discovery, check, got, want})
}

// discover reads the base URL from the discovery document, and checks the document's Link field.
func (t *Tour) discover() {
	request := "GET " + artifact.DiscoveryPath
	if t.Operation.Status != http.StatusOK {
		t.flaw(true, request, t.Operation.Describe(), "200 with the product information")
		return
	}
	var members map[string]any
	if err := json.Unmarshal(t.Operation.Body, &members); err != nil {
		t.flaw(true, request, t.Operation.Header.Get("Content-Type")+" that is not a JSON object", "the product information as JSON")
		return
	}
	description, _ := members[artifact.DescriptionMember].(string)
	base, ok := strings.CutSuffix(description, artifact.DescriptionPath)
	if u, err := url.Parse(base); !ok || err != nil || u.Host == "" {
		t.flaw(true, request, fmt.Sprintf("%s: %q", artifact.DescriptionMember, description), "the absolute URL of "+artifact.DescriptionPath)
		return
	}
	t.Base = base
	link := strings.Join(t.Operation.Header.Values("Link"), ", ")
	for _, relation := range []string{"service-desc", "service-doc", "api-catalog"} {
		if !strings.Contains(link, relation) {
			t.flaw(true, request+" header Link", "Link: "+link, "a link with rel="+relation)
		}
	}
}

// readSitemap reads the pages from the sitemap, and the base URL if the discovery document doesn't contain it.
func (v *Visitor) readSitemap(ctx context.Context, t *Tour, most int) error {
	queue := []string{"/sitemap.xml"}
	for read := 0; read < len(queue); read++ {
		a, err := v.Ask(ctx, "GET", queue[read])
		if err != nil {
			return err
		}
		maps := t.sitemap(a, "GET "+queue[read])
		if read > 0 {
			continue // an index lists sitemaps, never another index
		}
		for _, l := range maps {
			path, ok := t.Local(l)
			switch {
			case !ok:
				t.flaw(false, "GET /sitemap.xml", l, "only sitemaps on "+t.Base)
			case most > 0 && len(queue) > most:
				t.Unread++
			default:
				queue = append(queue, path)
			}
		}
	}
	return nil
}

// sitemap adds the pages in a sitemap to t. For an index of sitemaps, it returns the URLs of these sitemaps.
func (t *Tour) sitemap(a *Answer, request string) []string {
	if a.Status != http.StatusOK {
		t.flaw(false, request, a.Describe(), "200 with the sitemap")
		return nil
	}
	var found struct {
		Maps []string `xml:"sitemap>loc"`
		URLs []struct {
			Location   string `xml:"loc"`
			Alternates []struct {
				Language string `xml:"hreflang,attr"`
				URL      string `xml:"href,attr"`
			} `xml:"link"`
		} `xml:"url"`
	}
	if err := xml.Unmarshal(a.Body, &found); err != nil {
		t.flaw(false, request, "not XML: "+err.Error(), "a sitemap")
		return nil
	}
	all := slices.Clone(found.Maps)
	for _, u := range found.URLs {
		all = append(all, u.Location)
	}
	for _, l := range all {
		if u, err := url.Parse(l); err == nil && u.Host != "" && t.Base == "" {
			t.Base = u.Scheme + "://" + u.Host + t.mount
		}
	}
	for _, u := range found.URLs {
		path, ok := t.Local(u.Location)
		if !ok {
			t.flaw(false, request, u.Location, "only URLs on "+t.Base)
			continue
		}
		t.Pages = append(t.Pages, path)
		for _, a := range u.Alternates {
			if a.Language == "x-default" && a.URL != u.Location {
				t.Translated[path] = true
			}
		}
	}
	return found.Maps
}

var markdownLink = lazyregexp.New(`\]\(\s*(https?://[^)\s]+)`)

// readTexts collects the links in llms.txt and, if llms.txt is split, in its parts. most is the maximum number of parts
// to read; 0 means all.
func (v *Visitor) readTexts(ctx context.Context, t *Tour, most int) error {
	queue := []string{"/llms.txt"}
	for read := 0; read < len(queue); read++ {
		a, err := v.Ask(ctx, "GET", queue[read])
		if err != nil {
			return err
		}
		if a.Status != http.StatusOK {
			t.flaw(false, "GET "+queue[read], a.Describe(), "200")
			continue
		}
		for _, m := range markdownLink.FindAllSubmatch(a.Body, -1) {
			path, ok := t.Local(string(m[1]))
			if !ok {
				t.Elsewhere++
				continue
			}
			// Parts link to each other, so skip known links.
			if path == queue[0] || slices.Contains(t.Texts, path) {
				continue
			}
			t.Texts = append(t.Texts, path)
			if read == 0 && isPart(path) && (most == 0 || len(queue) <= most) {
				queue = append(queue, path)
			}
		}
	}
	return nil
}

// isPart reports whether a link in llms.txt points to a part of llms.txt that contains more links: the llms.txt of a
// folder, or a file under llms/ whose name doesn't end with -full.md.
func isPart(path string) bool {
	return strings.HasSuffix(path, "/llms.txt") ||
		strings.Contains(path, "/llms/") && strings.HasSuffix(path, ".md") && !strings.HasSuffix(path, "-full.md")
}

// Local returns the target of an absolute URL of the site, percent-encoded and without a fragment. It returns false for
// a URL that isn't on the site.
func (t *Tour) Local(absolute string) (string, bool) {
	rest, ok := strings.CutPrefix(absolute, t.Base)
	if !ok || t.Base == "" || rest != "" && !strings.ContainsAny(rest[:1], "/?#") {
		return "", false
	}
	rest, _, _ = strings.Cut(rest, "#")
	if !strings.HasPrefix(rest, "/") {
		rest = "/" + rest
	}
	return rest, true
}

// Describe returns a response's status in words, and its redirect target if there is one.
func (a *Answer) Describe() string {
	text := fmt.Sprintf("%d %s", a.Status, http.StatusText(a.Status))
	if location := a.Header.Get("Location"); location != "" {
		text += " to " + location
	}
	return text
}
