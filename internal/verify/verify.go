// Package verify asks a live deployment whether it keeps the wire contract:
// the same exchanges that the project's own servers are tested with, chosen so
// that a run spends a small part of one request allowance. It learns the site
// from its own discovery document, reports each broken promise with what was
// sent, what came, what was wanted and what to do, and names the trait of the
// host that is known to break it.
//
// A check is a file of exchanges below probes, or a function for what exchanges
// cannot say: that counters are live, that every link answers, that the bytes
// are those of a build.
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

// How many requests a run sends at most, how many links it follows, and how
// many representations it compares with a build, unless it is thorough.
const (
	quickRequests    = 400
	thoroughRequests = 500_000
	quickSample      = 50
)

// Options say what is verified, and how.
type Options struct {
	// URL is the deployment: scheme and host, and the path that the site stands below.
	URL string
	// Build is what should be served; nil where that is not known.
	Build *artifact.Build
	// Host is what serves the site, whose declared differences are no findings; nil where it is to be told by what answers.
	Host *hosts.Host
	// Thorough plays the whole contract, follows every link and compares every
	// representation. It uses the allowance up, and waits for it.
	Thorough bool
	// Timeout is how long one answer may take; 0 is 10 seconds.
	Timeout time.Duration
	// Tell is called with a message where something takes long; nil for none.
	Tell func(string)
	// Transport sends the requests and Sleep waits; nil is the usual.
	Transport http.RoundTripper
	Sleep     func(context.Context, time.Duration) error
}

// run is one run of the checks.
type run struct {
	options Options
	visitor *visit.Visitor
	tour    *visit.Tour
	report  *Report
	// host is what serves the site, as it was said or told by its answers; vitrined where nothing tells.
	host *hosts.Host
	// live says that the counters count down by one.
	live bool
	// unindexed says that the home page asks search engines to leave it out, and the whole site so with it.
	unindexed bool
	// chosen are the choices of the site that its home page shows, or the build has.
	chosen []contract.Capability
}

// Run verifies a deployment. The error is of the run itself, such as a site
// that cannot be reached; what is wrong with the site is in the report.
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

// checks makes the checks, one after the other.
func (r *run) checks(ctx context.Context) error {
	for _, step := range []func(context.Context) error{
		r.discovery, r.recognise, r.indexing, r.counters, r.probes, r.links, r.same, r.contract, r.allowance, r.everyAnswer,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// finish writes down what the whole run showed.
func (r *run) finish() {
	r.report.Requests, r.report.Counted, _ = r.visitor.Counts()
	r.report.Hosts = r.visitor.Hosts()
	r.report.Host = r.host.Name
	r.report.explain()
}
