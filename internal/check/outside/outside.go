// Package outside asks other sites whether they still have what a site links
// to. It promises to be polite: one request at a time for each host and eight
// in all, with a pause between two for one host; HEAD first, GET only where a
// host does not answer HEAD; a name in User-Agent; what a host has answered is
// kept and not asked again for a day. A site that does not answer is told as a
// warning: the network may be at fault. Only those ask who want to: nothing of
// it is ever a part of a build.
package outside

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// Link is a link to another site, and where it is written.
type Link struct {
	Path string
	Pos  site.Pos
	URL  string
}

// Options are how a check goes about it. The zero value of a member stands for
// what its comment says.
type Options struct {
	// Client makes the requests; one with a time limit of 20 seconds.
	Client *http.Client
	// Pause is between two requests for one host; half a second.
	Pause time.Duration
	// Total is how many requests are under way at once; 8.
	Total int
	// Cache is the file in which answers are kept; none where it is "".
	Cache string
	// Now is the moment from which the age of answers is counted.
	Now time.Time
}

// userAgent says who asks, and why.
const userAgent = "Vitrine-linkcheck/1 (checks the links of a site for its editors; HEAD, one request at a time)"

// most is how many redirects are followed.
const most = 10

// checker is one run.
type checker struct {
	options Options
	slots   chan struct{}
	answers *answers
}

// Check asks for every link, each URL once, and returns what is wrong in the
// order of the links. The error is the context's, or that of the cache's file.
func Check(ctx context.Context, links []Link, options Options) ([]site.Problem, error) {
	if options.Client == nil {
		options.Client = &http.Client{Timeout: 20 * time.Second}
	}
	if options.Pause == 0 {
		options.Pause = 500 * time.Millisecond
	}
	if options.Total == 0 {
		options.Total = 8
	}
	known, err := openAnswers(options.Cache, options.Now)
	if err != nil {
		return nil, err
	}
	c := &checker{options: options, slots: make(chan struct{}, options.Total), answers: known}
	c.ask(ctx, hosts(links, known))
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("checking outside links: %w", err)
	}
	if err := known.save(); err != nil {
		return nil, err
	}
	var problems []site.Problem
	for _, l := range links {
		if p, wrong := problem(l, known.of(address(l.URL))); wrong {
			problems = append(problems, p)
		}
	}
	return problems, nil
}

// hosts are the addresses to ask for, each once, by their hosts.
func hosts(links []Link, known *answers) map[string][]string {
	byHost := make(map[string][]string)
	seen := make(map[string]bool)
	for _, l := range links {
		link := address(l.URL)
		if seen[link] || known.fresh(link) {
			continue
		}
		seen[link] = true
		host := ""
		if u, err := url.Parse(link); err == nil {
			host = u.Host
		}
		byHost[host] = append(byHost[host], link)
	}
	return byHost
}

// address is a link without its fragment, which no server is told of.
func address(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return link
	}
	u.Fragment, u.RawFragment = "", ""
	return u.String()
}

// ask asks every host, one address of it after the other.
func (c *checker) ask(ctx context.Context, byHost map[string][]string) {
	var all sync.WaitGroup
	for _, links := range byHost {
		all.Go(func() {
			for i, link := range links {
				if i > 0 && !wait(ctx, c.options.Pause) {
					return
				}
				select {
				case c.slots <- struct{}{}:
				case <-ctx.Done():
					return
				}
				got := c.one(ctx, link)
				<-c.slots
				if ctx.Err() != nil {
					return
				}
				c.answers.put(link, got)
			}
		})
	}
	all.Wait()
}

// wait lets time pass; it returns false where the context ends first.
func wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// one asks for an address with HEAD, and with GET where HEAD is not answered as
// GET would be: some servers know no HEAD.
func (c *checker) one(ctx context.Context, link string) answer {
	got := c.request(ctx, http.MethodHead, link)
	if got.Error != "" || got.Status >= 400 && got.Status != http.StatusTooManyRequests {
		got = c.request(ctx, http.MethodGet, link)
	}
	return got
}

// request makes one request and follows redirects, noting where one that is
// permanent leads (RFC 9110 §15.4.2, §15.4.9).
func (c *checker) request(ctx context.Context, method, link string) answer {
	got := answer{At: c.options.Now}
	client := *c.options.Client
	permanent := true
	client.CheckRedirect = func(next *http.Request, via []*http.Request) error {
		if len(via) >= most {
			return fmt.Errorf("more than %d redirects", most)
		}
		status := next.Response.StatusCode
		permanent = permanent && (status == http.StatusMovedPermanently || status == http.StatusPermanentRedirect)
		if permanent {
			got.Moved = next.URL.String()
		}
		return nil
	}
	request, err := http.NewRequestWithContext(ctx, method, link, nil)
	if err != nil {
		got.Error = err.Error()
		return got
	}
	request.Header.Set("User-Agent", userAgent)
	request.Header.Set("Accept", "*/*")
	response, err := client.Do(request)
	if err != nil {
		got.Error = plain(err)
		return got
	}
	// The body is not read: what it says is not asked for.
	_ = response.Body.Close()
	got.Status = response.StatusCode
	return got
}

// problem says what an answer means for a link. That a host wants to know who
// asks, or wants fewer questions, says nothing of the link.
func problem(l Link, got answer) (site.Problem, bool) {
	p := site.Problem{Path: l.Path, Pos: l.Pos, Severity: site.Warning, Code: rule.DeadOutside}
	switch {
	case got.Error != "":
		p.Text = fmt.Sprintf("%s does not answer: %s", l.URL, got.Error)
	case got.Status == http.StatusUnauthorized, got.Status == http.StatusForbidden, got.Status == http.StatusTooManyRequests,
		got.Status == http.StatusProxyAuthRequired, got.Status == 999:
		return p, false
	case got.Status >= 400:
		p.Text = fmt.Sprintf("%s answers %d %s; link something else, or take the link out", l.URL, got.Status, http.StatusText(got.Status))
	case got.Moved != "" && got.Status != 0:
		p.Code = rule.MovedOutside
		p.Text = fmt.Sprintf("%s has moved for good; write %s", l.URL, got.Moved)
	default:
		return p, false
	}
	return p, true
}
