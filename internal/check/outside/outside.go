// Package outside checks whether the pages on other sites to which a site links still exist. To limit the load on the
// other sites, it sends one request at a time to each host, with pauses, and by default at most eight requests in total
// at the same time. It uses HEAD, and GET only if HEAD fails. It identifies itself in User-Agent. It caches good
// responses for a day and bad responses for an hour. An unreachable site is only a warning, because the network may be
// the cause. The check runs only on request, never as part of a build.
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

// Link is a link to another site with its position.
type Link struct {
	Path string
	Pos  site.Pos
	URL  string
}

// Options configure a check.
type Options struct {
	// Client sends the requests. It defaults to a client with a timeout of 20 seconds.
	Client *http.Client
	// Pause is the time between two requests to the same host. It defaults to half a second.
	Pause time.Duration
	// Total is the maximum number of concurrent requests to all hosts. It defaults to 8.
	Total int
	// Cache is the file of cached responses, or "" for no cache.
	Cache string
	// Now is the current time, which is used to compute the age of cached responses. It must be set if Cache is set.
	Now time.Time
}

// userAgent identifies the program and its purpose.
const userAgent = "Vitrine-linkcheck/1 (checks the links of a site for its editors; HEAD, one request at a time)"

// most is the maximum number of redirects to follow.
const most = 10

// checker is the state of one call to Check.
type checker struct {
	options Options
	slots   chan struct{}
	answers *answers
}

// Check requests each linked URL once, unless the cache contains a fresh response, and returns the problems in the
// order of the links. It returns an error if ctx ends or the cache file can't be read or written.
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
		return nil, fmt.Errorf("checking external links: %w", err)
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

// hosts returns the distinct URLs that have no fresh response in known, grouped by host.
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

// address returns a link without its fragment, because clients don't send fragments to servers. It returns an invalid
// link unchanged.
func address(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return link
	}
	u.Fragment, u.RawFragment = "", ""
	return u.String()
}

// ask requests URLs on different hosts concurrently, and URLs on the same host one after another.
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

// wait waits for d. It returns false if ctx ends first.
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

// one requests link with HEAD. If HEAD fails, it uses GET, because some servers don't support HEAD. It doesn't use GET
// after status 429.
func (c *checker) one(ctx context.Context, link string) answer {
	got := c.request(ctx, http.MethodHead, link)
	if got.Error != "" || got.Status >= 400 && got.Status != http.StatusTooManyRequests {
		got = c.request(ctx, http.MethodGet, link)
	}
	return got
}

// request sends one request and follows redirects. If the chain of redirects starts with permanent redirects (RFC 9110
// §15.4.2, §15.4.9), it records the target of the last of these.
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
	// Only the status and the redirects matter, so don't read the body.
	_ = response.Body.Close()
	got.Status = response.StatusCode
	return got
}

// problem returns the problem with l, given the response, or false if there is none. A response that requires a login
// or reports a rate limit isn't a problem.
func problem(l Link, got answer) (site.Problem, bool) {
	p := site.Problem{Path: l.Path, Pos: l.Pos, Severity: site.Warning, Code: rule.DeadOutside}
	switch {
	case got.Error != "":
		p.Text = fmt.Sprintf("%s does not respond: %s", l.URL, got.Error)
	case got.Status == http.StatusUnauthorized, got.Status == http.StatusForbidden, got.Status == http.StatusTooManyRequests,
		got.Status == http.StatusProxyAuthRequired, got.Status == 999:
		return p, false
	case got.Status >= 400:
		p.Text = fmt.Sprintf("%s returns %d %s; link to another page, or remove the link", l.URL, got.Status, http.StatusText(got.Status))
	case got.Moved != "" && got.Status != 0:
		p.Code = rule.MovedOutside
		p.Text = fmt.Sprintf("%s has moved permanently; write %s", l.URL, got.Moved)
	default:
		return p, false
	}
	return p, true
}
