package verify

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/contract"
	"vitrine/internal/verify/visit"
)

// contract plays every exchange of the wire contract. Because this uses up the request allowance, contract does nothing
// unless the run is thorough.
func (r *run) contract(ctx context.Context) error {
	if !r.options.Thorough {
		return nil
	}
	target := r.target()
	page, err := r.compressed(ctx, target.Values["PAGE"])
	if err != nil {
		return err
	}
	target.Values["PAGE"] = page
	if target.Can, err = r.capabilities(ctx, target.Values["PAGE"]); err != nil {
		return err
	}
	r.options.Tell("checking the complete contract; this takes several minutes, because it waits for the request allowance")
	r.visitor.Forward()
	files, err := r.exchanges()
	if err != nil {
		return err
	}
	played, err := contract.PlayFiles(ctx, target, files)
	if err != nil {
		return err
	}
	for _, f := range played.Files {
		name := strings.TrimSuffix(f.Name, ".txt")
		if r.saysNothing(name, target.Can) {
			continue
		}
		r.report.add(r.checkOf(contractProbe(f.Name), f))
	}
	return nil
}

// candidates is the maximum number of pages to request to find one with compressed representations.
const candidates = 20

// compressed returns the path of a page whose HTML and Markdown are both compressed with gzip. Short pages aren't
// compressed, so compressed tries several pages, at most candidates. If it finds no such page, it returns first.
func (r *run) compressed(ctx context.Context, first string) (string, error) {
	pages := slices.DeleteFunc(slices.Clone(r.tour.Pages), func(path string) bool {
		return path == "/" || path == "/blog" || strings.HasPrefix(path, "/blog/") || r.tour.Translated[path]
	})
	for _, page := range pages[:min(len(pages), candidates)] {
		if ok, err := r.gzips(ctx, page, page+".md"); ok || err != nil {
			return page, err
		}
	}
	return first, nil
}

// gzips reports whether the site compresses the response at every path with gzip.
func (r *run) gzips(ctx context.Context, paths ...string) (bool, error) {
	for _, path := range paths {
		a, err := r.visitor.Ask(ctx, "HEAD", path, "Accept-Encoding", "gzip")
		if err != nil || a.Header.Get("Content-Encoding") != "gzip" {
			return false, err
		}
	}
	return true, nil
}

// exchanges returns the contract's files, except files that can't be played with the site's allowance; see
// settings.omits. It reports the omitted files as skipped checks.
func (r *run) exchanges() ([]*contract.File, error) {
	files, err := contract.Load(contract.Files())
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(files, func(f *contract.File) bool {
		p := contractProbe(f.Name)
		why := r.settings.omits(strings.TrimPrefix(p.name, contractPrefix), f.Counted())
		if why == "" {
			return false
		}
		r.report.add(&Check{Name: p.name, Proves: p.proves, Why: why})
		return true
	}), nil
}

// contractPrefix is the prefix of the names of the checks that play files of the contract.
const contractPrefix = "contract/"

// contractProbe returns the check that plays a file of the contract.
func contractProbe(file string) probe {
	name := strings.TrimSuffix(file, ".txt")
	return probe{contractPrefix + name, "the exchanges about " + name + " in the wire contract"}
}

// saysNothing reports whether a file of exchanges tests only a page or an option that the site lacks.
func (r *run) saysNothing(name string, can []contract.Capability) bool {
	has := func(c contract.Capability) bool { return slices.Contains(can, c) }
	switch name {
	case "languages":
		return len(r.tour.Translated) == 0
	case "digest":
		return !has(contract.ReprDigest)
	case "agents":
		return !has(contract.Agents)
	case "preferences":
		return !has(contract.ContentUsage) && !has(contract.License)
	}
	return false
}

// notice reads the site's options from the home page's header section. It also looks in the build for negotiation by
// User-Agent, because a proxy may have removed User-Agent from Vary.
func (r *run) notice(home *visit.Answer) {
	vary := strings.ToLower(strings.Join(home.Header.Values("Vary"), ","))
	if strings.Contains(vary, "user-agent") || r.options.Build != nil && r.options.Build.Manifest.Agents != nil {
		r.chosen = append(r.chosen, contract.Agents)
	}
	if home.Header.Get("Content-Usage") != "" {
		r.chosen = append(r.chosen, contract.ContentUsage)
	}
	if strings.Contains(strings.Join(home.Header.Values("Link"), ","), `rel="license"`) {
		r.chosen = append(r.chosen, contract.License)
	}
}

// capabilities detects the deployment's capabilities and the site's options, as far as responses show them.
func (r *run) capabilities(ctx context.Context, page string) ([]contract.Capability, error) {
	can := slices.Clone(r.chosen)
	add := func(c contract.Capability, is bool) {
		if is {
			can = append(can, c)
		}
	}
	add(contract.LiveCounters, r.live && r.settings.countable())
	add(contract.Retirement, r.tour.Operation.Header.Get("Deprecation") != "")
	add(contract.Sunset, r.tour.Operation.Header.Get("Sunset") != "")
	gzip, err := r.gzips(ctx, page, page+".md", artifact.OperationPath)
	if err != nil {
		return nil, err
	}
	// A platform that compresses responses itself doesn't send the build's encodings.
	add(contract.Gzip, gzip && r.host.Codes())
	// A server in front of vitrined rejects this request with its own message, or accepts it.
	refused, err := r.visitor.Ask(ctx, "HEAD", page, "Expect", "tea")
	if err != nil {
		return nil, err
	}
	for _, q := range []struct {
		capability    contract.Capability
		path, coding  string
		header, value string
	}{
		{contract.Brotli, artifact.OperationPath, "br", "Content-Encoding", "br"},
		{contract.BrotliPages, page, "br", "Content-Encoding", "br"},
		{contract.ReprDigest, page, "identity", artifact.FieldReprDigest, "*"},
		{contract.NoindexMarkdown, page + ".md", "identity", "X-Robots-Tag", "noindex"},
	} {
		a, err := r.visitor.Ask(ctx, "HEAD", q.path, "Accept-Encoding", q.coding)
		if err != nil {
			return nil, err
		}
		got := a.Header.Get(q.header)
		add(q.capability, (got == q.value || q.value == "*" && got != "") && (q.coding != "br" || r.host.Codes()))
	}
	robots, err := r.visitor.Ask(ctx, "GET", "/robots.txt")
	if err != nil {
		return nil, err
	}
	add(contract.ContentSignal, strings.Contains(string(robots.Body), "Content-Signal:"))
	security, err := r.visitor.Ask(ctx, "HEAD", "/.well-known/security.txt")
	if err != nil {
		return nil, err
	}
	add(contract.SecurityContact, security.Status == http.StatusOK)
	// Behind another host or a proxy, the site doesn't control all bytes and fields.
	direct := r.options.Host != nil || len(r.visitor.Hosts()) == 0
	for _, c := range []contract.Capability{contract.Origin, contract.Raw} {
		add(c, direct && slices.Contains(r.host.Can, c))
	}
	add(contract.Framing, direct && slices.Contains(r.host.Can, contract.Framing) && refused.Status == http.StatusExpectationFailed && refused.Header.Get("Content-Type") == artifact.ProblemMediaType)
	return can, nil
}
