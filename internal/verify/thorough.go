package verify

import (
	"context"
	"net/http"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/contract"
)

// contract plays the whole wire contract, which uses the allowance up.
func (r *run) contract(ctx context.Context) error {
	if !r.options.Thorough {
		return nil
	}
	target := r.target()
	var err error
	if target.Can, err = r.capabilities(ctx, target.Values["PAGE"]); err != nil {
		return err
	}
	r.options.Tell("playing the whole contract; with the waits for the request allowance this takes some minutes")
	r.visitor.Forward()
	played, err := contract.Play(ctx, target)
	if err != nil {
		return err
	}
	for _, f := range played.Files {
		name := strings.TrimSuffix(f.Name, ".txt")
		r.report.add(checkOf(probe{"contract/" + name, "the exchanges about " + name + " of the wire contract"}, f))
	}
	return nil
}

// capabilities finds out what the deployment can do and what its site chose,
// as far as that shows.
func (r *run) capabilities(ctx context.Context, page string) ([]contract.Capability, error) {
	var can []contract.Capability
	add := func(c contract.Capability, is bool) {
		if is {
			can = append(can, c)
		}
	}
	add(contract.LiveCounters, r.live)
	add(contract.Retirement, r.tour.Operation.Header.Get("Deprecation") != "")
	add(contract.Sunset, r.tour.Operation.Header.Get("Sunset") != "")
	// What stands before a server refuses in its own words, or not at all.
	refused, err := r.visitor.Ask(ctx, "HEAD", page, "Expect", "tea")
	if err != nil {
		return nil, err
	}
	for _, q := range []struct {
		capability    contract.Capability
		path, coding  string
		header, value string
	}{
		{contract.Gzip, page, "gzip", "Content-Encoding", "gzip"},
		{contract.Brotli, page, "br", "Content-Encoding", "br"},
		{contract.NoindexMarkdown, page + ".md", "identity", "X-Robots-Tag", "noindex"},
	} {
		a, err := r.visitor.Ask(ctx, "HEAD", q.path, "Accept-Encoding", q.coding)
		if err != nil {
			return nil, err
		}
		add(q.capability, a.Header.Get(q.header) == q.value)
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
	// Behind a host or a proxy, some bytes and fields are not for the site to decide.
	direct := len(r.visitor.Hosts()) == 0
	add(contract.Origin, direct)
	add(contract.Raw, direct)
	add(contract.Framing, direct && refused.Status == http.StatusExpectationFailed && refused.Header.Get("Content-Type") == artifact.ProblemMediaType)
	return can, nil
}
