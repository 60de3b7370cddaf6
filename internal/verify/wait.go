package verify

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/verify/visit"
)

const (
	// waitPause is the delay between two attempts.
	waitPause = 200 * time.Millisecond
	// waitSteady is the number of consecutive matching responses that an attempt requires. By default, each request
	// uses a new connection, because an address may have several servers, and a reloaded proxy briefly sends old
	// responses.
	waitSteady = 5
)

// Wait waits, for at most patience, until the site at options.URL serves the build named want in several consecutive
// responses: artifact.BuildPath must name the build through all caches and, if options.Build is this build, the home
// page must have the bytes in the build. If the time runs out, Wait returns an error that describes the last
// difference.
func Wait(ctx context.Context, options Options, want string, patience time.Duration) error {
	if options.Tell == nil {
		options.Tell = func(string) {}
	}
	if options.Transport == nil {
		options.Transport = &http.Transport{DisableCompression: true, DisableKeepAlives: true, Proxy: http.ProxyFromEnvironment}
	}
	if options.Sleep == nil {
		options.Sleep = visit.Sleep
	}
	timeout := options.Timeout
	if timeout == 0 || timeout > patience {
		timeout = min(10*time.Second, patience)
	}
	visitor, err := visit.Open(options.URL, visit.Options{Timeout: timeout, Transport: options.Transport, Sleep: options.Sleep})
	if err != nil {
		return err
	}
	defer visitor.Close()
	build := options.Build
	if build != nil && artifact.BuildName(build.Manifest.Build) != want {
		build = nil
	}
	told := ""
	for end := time.Now().Add(patience); ; {
		instead := difference(ctx, visitor, build, want, options.Server)
		if instead == "" {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("after %s, build %s is not served at %s: %s", patience, want, visitor.URL(), instead)
		}
		if instead != told {
			options.Tell(fmt.Sprintf("waiting for build %s: %s", want, instead))
			told = instead
		}
		if err := options.Sleep(ctx, waitPause); err != nil {
			return err
		}
	}
}

// difference describes the first response that doesn't belong to the build called want, or returns "" if there is none.
func difference(ctx context.Context, v *visit.Visitor, build *artifact.Build, want string, server bool) string {
	for range waitSteady {
		a, err := v.Ask(ctx, "GET", artifact.BuildPath)
		if err != nil {
			return err.Error()
		}
		var named struct{ Build string }
		if err := json.Unmarshal(a.Body, &named); a.Status != http.StatusOK || err != nil || named.Build == "" {
			return artifact.BuildPath + " returned " + a.Describe() + ", which does not name a build"
		}
		if named.Build != want {
			return "build " + named.Build + " is served"
		}
		if server {
			continue
		}
		for of := range strings.SplitSeq(strings.Join(a.Header.Values(artifact.FieldBuild), ","), ",") {
			if of = strings.TrimSpace(of); of != want && of != "" {
				return "a cache in front of the server still has build " + of
			}
		}
	}
	if build == nil || server {
		return ""
	}
	home, ok := build.Manifest.Lookup("/")
	if !ok || home.Variants() == 0 {
		return ""
	}
	body, ok := build.Manifest.BodyIn(home.Variant(0), artifact.Identity)
	if !ok {
		return ""
	}
	a, err := v.Ask(ctx, "GET", "/", "Accept", "text/html", "Accept-Encoding", "identity")
	switch {
	case err != nil:
		return err.Error()
	case a.Status != http.StatusOK:
		return "the home page returned " + a.Describe()
	case artifact.Hash(a.Body) != build.Manifest.Body(body).Hash:
		return "the home page belongs to another build, or was changed in transit"
	}
	return ""
}

// BuildCache returns the title of a cache in front of a site, "nginx as a cache" or "Varnish", if the cache uses a
// configuration from `vitrine config`, which is valid for only one build. It returns "" if the responses show no such
// cache or the site doesn't respond with 200.
func BuildCache(ctx context.Context, url string) string {
	v, err := visit.Open(url, visit.Options{Timeout: 5 * time.Second})
	if err != nil {
		return ""
	}
	defer v.Close()
	a, err := v.Ask(ctx, http.MethodGet, artifact.BuildPath)
	if err != nil || a.Status != http.StatusOK {
		return ""
	}
	for name, title := range map[string]string{"vitrine-nginx": "nginx as a cache", "vitrine-varnish": "Varnish"} {
		if strings.HasPrefix(a.Header.Get("Cache-Status"), name+";") {
			return title
		}
	}
	return ""
}
