package main

import (
	"maps"
	"strings"
	"sync"
	"sync/atomic"

	"vitrine/internal/readers"
	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
)

// audience identifies readers by User-Agent. It caches the results for the first mostFound User-Agents, because most
// requests have one of a few User-Agents. It is safe for concurrent use.
type audience struct {
	index *readers.Index
	// found is the cache, keyed by User-Agent. Each addition replaces the map with an extended copy, so that lookups
	// neither lock nor allocate.
	found atomic.Pointer[map[string]readers.Family]
	// growing serializes additions to found.
	growing sync.Mutex
}

// mostFound is the maximum number of cached User-Agents, and longestFound is their maximum length in bytes.
const (
	mostFound    = 256
	longestFound = 512
)

func newAudience() *audience {
	a := &audience{index: readers.NewIndex()}
	a.forget()
	return a
}

// forget clears the cache. It is called after a reload because the new build's command-line tool may have a different
// name.
func (a *audience) forget() { a.found.Store(&map[string]readers.Family{}) }

// of returns the family of readers that userAgent belongs to, from the cache if possible.
func (a *audience) of(userAgent string, site *serve.Handler) readers.Family {
	found := *a.found.Load()
	if family, ok := found[userAgent]; ok {
		return family
	}
	family, _ := a.index.Of(userAgent)
	if family == readers.Other && isTool(userAgent, site) {
		family = readers.Tool
	}
	if len(found) < mostFound && len(userAgent) <= longestFound {
		a.keep(userAgent, family)
	}
	return family
}

func (a *audience) keep(userAgent string, family readers.Family) {
	a.growing.Lock()
	defer a.growing.Unlock()
	if len(*a.found.Load()) == mostFound {
		return // another goroutine filled the cache
	}
	found := maps.Clone(*a.found.Load())
	// Clone the string because the next request reuses its memory.
	found[strings.Clone(userAgent)] = family
	a.found.Store(&found)
}

// isTool reports whether a User-Agent, such as "parley/1.4.0", belongs to the site's command-line tool. To do so, it
// looks for the tool's file on the site, such as /cli/parley.mjs.
func isTool(userAgent string, site *serve.Handler) bool {
	name, _, found := strings.Cut(userAgent, "/")
	if !found || name == "" || len(name) > 64 {
		return false
	}
	return site.Site().Find(&decide.Request{Method: "GET", Path: site.Site().Mount() + "/cli/" + name + ".mjs"}).Class() == decide.ClassFile
}

// representation returns the kind of the representation that was sent or, for a 304, that the client already has.
func representation(r *decide.Request, a *decide.Answer) readers.Representation {
	if a.Class == decide.ClassOperation {
		return readers.JSON
	}
	if a.Class != decide.ClassPage {
		return readers.KindOf(r.Path)
	}
	if a.Markdown {
		return readers.Markdown
	}
	return readers.HTML
}
