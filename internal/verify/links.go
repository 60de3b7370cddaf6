package verify

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"vitrine/internal/verify/visit"
)

// links requests the URLs in the sitemap and in llms.txt: all of them in a thorough run, otherwise a sample.
func (r *run) links(ctx context.Context) error {
	c := &Check{Name: "links", Proves: "every link in llms.txt and the sitemap works without redirects and returns the correct type"}
	defer r.report.add(c)
	all := slices.Concat(r.tour.Pages, r.tour.Texts)
	slices.Sort(all)
	all = slices.Compact(all)
	if len(all) == 0 {
		c.Why = "the sitemap and llms.txt have no links"
		return nil
	}
	chosen := all
	if !r.options.Thorough {
		chosen = visit.Sample(all, quickSample)
	}
	if len(chosen) < len(all) {
		c.Notes = append(c.Notes, fmt.Sprintf("%d of %d links were checked, spread evenly; --thorough checks all", len(chosen), len(all)))
	}
	if r.tour.Elsewhere > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("links in llms.txt to other hosts were not checked: %d", r.tour.Elsewhere))
	}
	findings, err := visit.Each(ctx, chosen, r.link)
	for _, f := range findings {
		if f != nil {
			c.Findings = append(c.Findings, f)
		}
	}
	return err
}

// unanswered converts err, the error of a failed request, to a finding. If the run must end, it returns err instead.
func unanswered(ctx context.Context, check string, err error) (*Finding, error) {
	if ctx.Err() != nil || errors.Is(err, visit.ErrEnough) {
		return nil, err
	}
	return &Finding{Symptom: Unreachable, Check: check, Got: err.Error(), Want: "a response"}, nil
}

// link requests the target of a link. It returns a finding if the request fails, the status isn't 200, or the media
// type is wrong. Otherwise, it returns nil.
func (r *run) link(ctx context.Context, target string) (*Finding, error) {
	a, err := r.visitor.Ask(ctx, "HEAD", target)
	if err != nil {
		return unanswered(ctx, "HEAD "+target, err)
	}
	f := &Finding{Check: "HEAD " + target, Symptom: DeadLink, Got: a.Describe(), Want: "200 OK"}
	if a.Status != http.StatusOK {
		if s := refusal(f.Got); s != "" {
			f.Symptom = s
		}
		return f, nil
	}
	want := ""
	switch {
	case strings.HasSuffix(target, ".md"):
		want = "text/markdown; charset=utf-8"
	case slices.Contains(r.tour.Pages, target):
		want = "text/html; charset=utf-8"
	}
	if got := a.Header.Get("Content-Type"); want != "" && got != want {
		f.Symptom = WrongType
		if strings.HasPrefix(got, "text/plain") && strings.HasPrefix(want, "text/markdown") {
			f.Symptom = PlainText
		}
		f.Check, f.Got, f.Want = f.Check+" header Content-Type", got, want
		return f, nil
	}
	return nil, nil
}
