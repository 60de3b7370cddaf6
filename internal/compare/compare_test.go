package compare_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/compare"
	"vitrine/internal/lab/rig"
	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
	"vitrine/internal/verify/visit"
)

const base = "https://parley.example"

// page returns a negotiated page, and its Markdown at a separate URL.
func page(path, file, html, markdown string, more ...artifact.Field) []artifact.Resource {
	first := variant(file+".html", "text/html; charset=utf-8", artifact.PageCacheControl, html)
	first.Fields = append(first.Fields, more...)
	second := variant(file+".md", "text/markdown; charset=utf-8", artifact.PageCacheControl, markdown)
	return []artifact.Resource{
		{Path: path, Kind: artifact.KindPage, Variants: []artifact.Variant{first, second}},
		{Path: "/" + file + ".md", Kind: artifact.KindFile, Variants: []artifact.Variant{second}},
	}
}

func variant(file, mediaType, cache, body string) artifact.Variant {
	return artifact.Variant{File: file, Body: []byte(body), Fields: []artifact.Field{{Name: "Content-Type", Value: mediaType}, {Name: "Cache-Control", Value: cache}}}
}

func asset(path string) artifact.Resource {
	return artifact.Resource{Path: path, Kind: artifact.KindFile, Variants: []artifact.Variant{variant(path[1:], "text/css; charset=utf-8", artifact.AssetCacheControl, path)}}
}

func text(path, body string) artifact.Resource {
	return artifact.Resource{Path: path, Kind: artifact.KindFile, Variants: []artifact.Variant{variant(path[1:], "text/plain; charset=utf-8", artifact.PageCacheControl, body)}}
}

func redirect(path, location string) artifact.Resource {
	return artifact.Resource{Path: path, Kind: artifact.KindRedirect, Location: location}
}

// publishSite publishes resources and the files that every site has. facts is the body of the operation's response.
func publishSite(t *testing.T, facts string, groups ...[]artifact.Resource) *artifact.Build {
	t.Helper()
	all := slices.Concat(groups...)
	discovery, err := artifact.DiscoveryBody([]byte(facts), base)
	if err != nil {
		t.Fatal(err)
	}
	for path, body := range map[string]string{artifact.OperationPath: facts, artifact.AliasPath: facts, artifact.DiscoveryPath: string(discovery)} {
		all = append(all, artifact.Resource{Path: path, Kind: artifact.KindOperation,
			Variants: []artifact.Variant{variant(path[1:]+".json", "application/json", artifact.OperationCacheControl, body)}})
	}
	all = append(all, rig.Problems(func(p artifact.ProblemType) artifact.Variant {
		return artifact.Variant{Body: p.Body(base), Fields: []artifact.Field{
			{Name: "Content-Type", Value: artifact.ProblemMediaType}, {Name: "Cache-Control", Value: artifact.ErrorCacheControl},
		}}
	})...)
	missing := page("404", "404", "nothing", "nothing")[0]
	missing.Kind = artifact.KindFallback
	all = append(all, missing)
	dir := t.TempDir()
	rig.Publish(t, dir, nil, all)
	return rig.Open(t, dir)
}

// sitemapOf returns a sitemap of paths.
func sitemapOf(paths ...string) artifact.Resource {
	list := `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`
	for _, p := range paths {
		list += "<url><loc>" + base + p + "</loc></url>"
	}
	return artifact.Resource{Path: "/sitemap.xml", Kind: artifact.KindFile,
		Variants: []artifact.Variant{variant("sitemap.xml", "application/xml", artifact.PageCacheControl, list+"</urlset>")}}
}

// builds returns an older and a newer state of a site. They differ by every kind of change.
func builds(t *testing.T) (older, newer *artifact.Build) {
	llms := text("/llms.txt", "# Parley\n\n- [Same]("+base+"/same.md)\n")
	older = publishSite(t, `{"price":1}`,
		page("/", "index", "home", "home"), page("/same", "same", "s", "s"), page("/html", "html", "1", "m"), page("/both", "both", "1", "1"),
		page("/headers", "headers", "h", "h"), page("/moved", "moved", "m", "m"), page("/gone", "gone", "g", "g"), page("/café", "café", "1", "m"),
		[]artifact.Resource{sitemapOf("/", "/same", "/html", "/both", "/headers", "/moved", "/gone", "/caf%C3%A9"), llms,
			asset("/assets/s.1.css"), asset("/assets/t.1.css"), redirect("/kept", "/same"), redirect("/turned", "/same"), redirect("/lost", "/same"), redirect("/back", "/same")})
	newer = publishSite(t, `{"price":2}`,
		page("/", "index", "home", "home"), page("/same", "same", "s", "s"), page("/html", "html", "2", "m"), page("/both", "both", "2", "2"),
		page("/headers", "headers", "h", "h", artifact.Field{Name: "Referrer-Policy", Value: "no-referrer"}), page("/added", "added", "a", "a"), page("/café", "café", "2", "m"),
		page("/back", "back", "b", "b"),
		[]artifact.Resource{sitemapOf("/", "/same", "/html", "/both", "/headers", "/added", "/caf%C3%A9", "/back"), llms,
			asset("/assets/s.2.css"), asset("/assets/t.1.css"), redirect("/kept", "/same"), redirect("/turned", "/both"), redirect("/moved", "/added")})
	return older, newer
}

func snapshot(t *testing.T, b *artifact.Build) *compare.Snapshot {
	t.Helper()
	s, err := compare.OfBuild(b)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// wanted returns the difference that Between must find between the two builds.
func wanted() *compare.Diff {
	return &compare.Diff{
		Base:  base,
		Added: []string{"/added"},
		Changed: []compare.Change{
			{Path: "/api", What: []string{"application/json"}},
			{Path: "/api/marketing", What: []string{"application/json"}},
			{Path: "/api/v1/marketing", What: []string{"application/json"}},
			{Path: "/back", What: []string{"no longer a redirect"}},
			{Path: "/both", What: []string{"HTML", "Markdown"}},
			{Path: "/caf%C3%A9", What: []string{"HTML"}},
			{Path: "/headers", What: []string{"HTML header fields"}},
			{Path: "/html", What: []string{"HTML"}},
			{Path: "/sitemap.xml", What: []string{"application/xml"}},
			{Path: "/turned", What: []string{"redirect to /both"}},
		},
		Moved:     []compare.Move{{Path: "/moved", Location: "/added"}},
		Removed:   []string{"/gone", "/lost"},
		NewAssets: []string{"/assets/s.2.css"},
		OldAssets: []string{"/assets/s.1.css"},
		Purge: []string{"/back", "/back.html", "/back/", "/both", "/both.md", "/caf%C3%A9", "/gone", "/gone.html", "/gone.md", "/gone/",
			"/headers", "/html", "/lost", "/lost.html", "/lost/", "/moved", "/moved.html", "/moved.md", "/moved/", "/sitemap.xml",
			"/turned", "/turned.html", "/turned/"},
	}
}

// The difference lists the change of each URL. The purge list omits resources that shared caches don't store (the
// operation) and resources that never change (assets with hashed names).
func TestBuilds(t *testing.T) {
	older, newer := builds(t)
	got := compare.Between(snapshot(t, older), snapshot(t, newer))
	if want := wanted(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if d := compare.Between(snapshot(t, newer), snapshot(t, newer)); !d.Empty() || len(d.Purge) > 0 {
		t.Errorf("difference of a build with itself: %+v", d)
	}
}

// The difference is the same for an exported snapshot and for the build from which it was exported.
func TestExport(t *testing.T) {
	older, newer := builds(t)
	var file bytes.Buffer
	if err := snapshot(t, older).Write(&file); err != nil {
		t.Fatal(err)
	}
	read, err := compare.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	if got := compare.Between(read, snapshot(t, newer)); !reflect.DeepEqual(got, wanted()) {
		t.Errorf("got %+v", got)
	}
	for _, bad := range []string{"", "{}", `{"vitrine":2}`, "<p>"} {
		if _, err := compare.Read(strings.NewReader(bad)); !errors.Is(err, compare.ErrSnapshot) {
			t.Errorf("%q: got %v, want %v", bad, err, compare.ErrSnapshot)
		}
	}
}

// serveBuild serves a build and returns a visitor to the server.
func serveBuild(t *testing.T, b *artifact.Build) *visit.Visitor {
	t.Helper()
	site, err := decide.NewSite(b)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(serve.NewHandler(site, serve.HandlerOptions{}))
	t.Cleanup(server.Close)
	v, err := visit.Open(server.URL, visit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The difference between a live site and a newer build includes all listed or requested pages. It omits other
// resources, such as a removed redirect or asset, and header fields, because hosts add fields.
func TestLive(t *testing.T) {
	older, newer := builds(t)
	after := snapshot(t, newer)
	live, err := compare.OfSite(t.Context(), serveBuild(t, older), after)
	if err != nil {
		t.Fatal(err)
	}
	want := wanted()
	want.Partial = true
	want.Removed, want.OldAssets = []string{"/gone"}, []string{}
	want.Changed = slices.DeleteFunc(want.Changed, func(c compare.Change) bool { return c.Path == "/headers" })
	want.Purge = slices.DeleteFunc(want.Purge, func(p string) bool { return p == "/headers" || strings.HasPrefix(p, "/lost") })
	if got := compare.Between(live, after); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	same, err := compare.OfSite(t.Context(), serveBuild(t, newer), after)
	if err != nil {
		t.Fatal(err)
	}
	if d := compare.Between(same, after); !d.Empty() {
		t.Errorf("difference of a live site with its own build: %+v", d)
	}
}

// WritePurge writes the purge list in each host's format.
func TestPurge(t *testing.T) {
	d := &compare.Diff{Base: base, Purge: []string{"/", "/a.b", "/c,d(e)"}}
	for range 29 {
		d.Purge = append(d.Purge, "/x")
	}
	written := func(host string) string {
		var out bytes.Buffer
		if err := d.WritePurge(&out, host); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	lines := strings.Split(strings.TrimSpace(written("cloudflare")), "\n")
	var first struct{ Files []string }
	if err := json.Unmarshal([]byte(lines[0]), &first); err != nil || len(lines) != 2 || len(first.Files) != 30 || first.Files[1] != base+"/a.b" {
		t.Errorf("cloudflare: %v, %q", err, lines)
	}
	if got, want := written("varnish"), "ban req.url ~ \"^/([?]|$)\"\nban req.url ~ \"^/a\\\\.b([?]|$)\"\nban req.url ~ \"^/c,d\\\\(e\\\\)([?]|$)\"\n"; !strings.HasPrefix(got, want) {
		t.Errorf("varnish: got %s, want %s", got, want)
	}
	if got, want := written("cloudfront"), "/\n/a.b\n/c,d(e)\n/x\n"; !strings.HasPrefix(got, want) {
		t.Errorf("cloudfront: %s", got)
	}
	if got, want := written("fastly"), base+"/\n"+base+"/a.b\n"; !strings.HasPrefix(got, want) {
		t.Errorf("fastly: %s", got)
	}
	if err := d.WritePurge(&bytes.Buffer{}, "akamai"); err == nil || !strings.Contains(err.Error(), "cloudflare, cloudfront, fastly, varnish") {
		t.Errorf("akamai: got %v", err)
	}
	d.Purge = nil
	for _, host := range compare.Purgers() {
		if got := written(host); got != "" {
			t.Errorf("%s: %q for an empty list", host, got)
		}
	}
}
