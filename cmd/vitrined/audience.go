package main

import (
	"maps"
	"strings"
	"sync"
	"sync/atomic"

	"vitrine/internal/readers"
	"vitrine/internal/serve"
)

// audience says who asks. It keeps what it found of some hundred names, as most
// requests come with few. It is safe for concurrent use.
type audience struct {
	index *readers.Index
	// found is replaced, never changed, so that asking neither waits nor allocates.
	found   atomic.Pointer[map[string]readers.Family]
	growing sync.Mutex
}

// mostFound is how many User-Agents are kept, longestFound how long one may be.
const (
	mostFound    = 256
	longestFound = 512
)

func newAudience() *audience {
	a := &audience{index: readers.NewIndex()}
	a.forget()
	return a
}

// forget lets go of what was found: another build may have another tool.
func (a *audience) forget() { a.found.Store(&map[string]readers.Family{}) }

// of finds the family of a User-Agent.
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
		return // others came first
	}
	found := maps.Clone(*a.found.Load())
	// The request's memory is used again for the next one.
	found[strings.Clone(userAgent)] = family
	a.found.Store(&found)
}

// isTool reports whether the name is that of the command-line tool which the site
// publishes; the tool asks as "parley/1.4.0".
func isTool(userAgent string, site *serve.Handler) bool {
	name, _, found := strings.Cut(userAgent, "/")
	if !found || name == "" || len(name) > 64 {
		return false
	}
	return site.Site().Find(&serve.Request{Method: "GET", Path: site.Site().Mount() + "/cli/" + name + ".mjs"}).Class() == serve.ClassFile
}

// representation is what was sent, or would have been to a client that has it already.
func representation(r *serve.Request, a *serve.Answer) readers.Representation {
	if a.Class == serve.ClassOperation {
		return readers.JSON
	}
	if a.Class != serve.ClassPage {
		return readers.KindOf(r.Path)
	}
	if a.Markdown {
		return readers.Markdown
	}
	return readers.HTML
}
