// Package verify checks whether a live deployment satisfies the wire contract. It plays exchanges that also test the
// project's own servers. A quick run plays a selection that uses up only a small part of one request allowance. The
// package finds the site's pages through the discovery document. For each violation, it reports the request, the
// response, the expected value, and the solution, and names the host trait that is known to cause the violation.
package verify

import (
	"context"
	"net/http"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/contract"
	"vitrine/internal/edge/hosts"
	"vitrine/internal/verify/visit"
)

const (
	// quickRequests is the maximum number of requests in a quick run.
	quickRequests = 400
	// thoroughRequests is the maximum number of requests in a thorough run.
	thoroughRequests = 500_000
	// quickSample is the maximum number of links to follow in a quick run, and of representations to compare with a
	// build.
	quickSample = 50
)

// Options selects the deployment and the checks.
type Options struct {
	// URL is the URL of the deployment, which consists of a scheme, a host, and the site's base path.
	URL string
	// Build is the build that should be served, or nil if it is unknown.
	Build *artifact.Build
	// Host is the host of the site. Its declared differences aren't reported. If it is nil, the run detects the host
	// from the responses.
	Host *hosts.Host
	// Server makes Wait check only the build that the response at artifact.BuildPath names. Caches don't store this
	// response, so Wait doesn't wait for the caches in front of the server.
	Server bool
	// Thorough makes the run play the complete contract, follow every link, and compare every representation. The run
	// uses up the allowance, and waits for the window to end.
	Thorough bool
	// Timeout is the maximum time for one response; 0 means 10 seconds.
	Timeout time.Duration
	// Tell is called with a message before a long operation. It may be nil.
	Tell func(string)
	// Transport sends the requests; nil means the default transport.
	Transport http.RoundTripper
	// Sleep waits for a duration; nil means waiting in real time.
	Sleep func(context.Context, time.Duration) error
}

// A run is one execution of the checks against a deployment.
type run struct {
	options Options
	visitor *visit.Visitor
	tour    *visit.Tour
	report  *Report
	// host is the site's host, as set by the user or detected. The default is vitrined; see recognize.
	host     *hosts.Host
	settings settings
	// live reports whether the counters decrease by one with each request.
	live bool
	// unindexed reports whether the home page, and therefore the site, excludes itself from search engines.
	unindexed bool
	// chosen lists the options that the site enabled, according to its home page or the build.
	chosen []contract.Capability
}

// Run verifies a deployment. It returns an error if the run fails, for example because the site is unreachable. The
// report lists the site's problems.
func Run(ctx context.Context, options Options) (*Report, error) {
	if options.Tell == nil {
		options.Tell = func(string) {}
	}
	most := quickRequests
	if options.Thorough {
		most = thoroughRequests
	}
	visitor, err := visit.Open(options.URL, visit.Options{
		Timeout: options.Timeout, Most: most, Transport: options.Transport, Sleep: options.Sleep, Tell: options.Tell,
	})
	if err != nil {
		return nil, err
	}
	defer visitor.Close()
	r := &run{options: options, visitor: visitor, report: &Report{URL: visitor.URL(), Thorough: options.Thorough}}
	if options.Build != nil {
		r.report.Build = artifact.BuildName(options.Build.Manifest.Build)
	}
	if err := r.checks(ctx); err != nil {
		return nil, err
	}
	r.finish()
	return r.report, nil
}

// checks runs the checks in order, and stops at the first error.
func (r *run) checks(ctx context.Context) error {
	for _, step := range []func(context.Context) error{
		r.discovery, r.settle, r.recognize, r.indexing, r.counters, r.probes, r.links, r.same, r.contract, r.allowance, r.everyAnswer,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// finish adds the totals of the run to the report.
func (r *run) finish() {
	r.report.Requests, r.report.Counted, _ = r.visitor.Counts()
	r.report.Hosts = r.visitor.Hosts()
	r.report.Host = r.host.Name
	r.report.explain()
}
