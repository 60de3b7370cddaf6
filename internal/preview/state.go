package preview

import (
	"context"
	"sync"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/serve"
	"vitrine/internal/serve/decide"
	"vitrine/internal/site"
)

// Built is the result of building the site.
type Built struct {
	// Build is the new, open build, or nil if there is none, for example because of errors. The server closes the build
	// once it serves the next build.
	Build *artifact.Build
	// Unchanged reports whether the previous build is still up to date. If so, Build is nil, and Site may be
	// incomplete.
	Unchanged bool
	// Site is the loaded site, or nil if its errors prevent loading.
	Site *site.Site
	// Problems contains all problems of the site.
	Problems []site.Problem
	// Included contains the hashes of the files from which pages include code, as read by the build, keyed by file
	// name. The files may be outside the watched folders.
	Included map[string]uint64
}

// Outcome describes a finished build, successful or not.
type Outcome struct {
	Built
	// Number counts the builds of this preview, from 1. It is 0 for the build of the previous preview.
	Number int
	// Changed contains the files whose changes triggered the build. It is empty for the first build.
	Changed []string
	// Took is the time from noticing the change to the end of the build.
	Took time.Duration
	// Err is the error that prevented the build, other than problems in the site's content.
	Err error
}

// Failed reports whether the build failed. The server then continues to serve the last good build.
func (o *Outcome) Failed() bool { return o.Err != nil || site.HasErrors(o.Problems) }

// state contains everything that the preview shows at one time. It doesn't change after stage.put; a new state replaces
// it.
type state struct {
	Outcome
	// found contains the problems in the form shown by pages.
	found []Problem
	// served is the last good build, or nil before the first good build.
	served *served
	// early is the page shown before the current build is complete, or nil if there is none.
	early *Early
	// replaced is closed when another state replaces this one.
	replaced chan struct{}
}

// ahead returns the page shown before its build is complete, or nil if there is none.
func (s *state) ahead() *Early {
	if s == nil {
		return nil
	}
	return s.early
}

// served is a successful build that the server serves, with its pages.
type served struct {
	handler *serve.Handler
	build   *artifact.Build
	// pages contains the pages, keyed by decoded path on the host, including mount. It is nil until the site is loaded.
	pages map[string]*site.Page
	// files contains the source paths of files, keyed by decoded path on the host, including mount.
	files map[string]string
	// mount is the site's base path.
	mount  string
	config site.Config
	// id identifies the build by its content.
	id uint64
	// shown is the page shown early if this build contains exactly the same page, otherwise nil.
	shown *Early
	// moved contains the new paths of moved pages, keyed by their old paths; see movedTo.
	moved map[string]string
	// open counts the requests reading the build. put waits for them before closing the build.
	open sync.WaitGroup
}

// unloaded reports whether the site isn't loaded yet.
func (s *served) unloaded() bool { return s.pages == nil }

// newUnloaded returns a build whose site isn't loaded yet.
func newUnloaded(b *artifact.Build, allowance *decide.Allowance) (*served, error) {
	whole, err := decide.NewSite(b)
	if err != nil {
		return nil, err
	}
	return &served{
		handler: serve.NewHandler(whole, serve.HandlerOptions{Allowance: allowance}),
		build:   b, id: whole.Build(), mount: b.Manifest.Mount,
	}, nil
}

func newServed(b Built, allowance *decide.Allowance) (*served, error) {
	s, err := newUnloaded(b.Build, allowance)
	if err != nil {
		return nil, err
	}
	s.config = b.Site.Config
	s.pages, s.files = make(map[string]*site.Page, len(b.Site.Pages)), make(map[string]string, len(b.Site.Files))
	for _, p := range b.Site.Pages {
		s.pages[s.mount+p.Path] = p
	}
	for _, f := range b.Site.Files {
		s.files[s.mount+f.Path] = f.Source
	}
	return s, nil
}

// stage stores the newest state. It is safe for concurrent use.
type stage struct {
	mu    sync.Mutex
	state *state
	// first is closed when the first state is available, which may show the previous preview's build.
	first chan struct{}
}

func newStage() *stage { return &stage{first: make(chan struct{})} }

// now returns the newest state, or nil if there is none yet.
func (s *stage) now() *state {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state
}

// wait waits for the first state and returns the newest state, or the error of ctx if ctx ends first.
func (s *stage) wait(ctx context.Context) (*state, error) {
	select {
	case <-s.first:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state, nil
}

// waitBuilt is like wait, but doesn't return the state that shows the previous preview's build.
func (s *stage) waitBuilt(ctx context.Context) (*state, error) {
	now, err := s.wait(ctx)
	for err == nil && now.Number == 0 {
		select {
		case <-now.replaced:
			now = s.now()
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	return now, err
}

// borrow returns the newest state and keeps its build open until release is called.
func (s *stage) borrow(ctx context.Context) (now *state, release func(), err error) {
	if _, err := s.wait(ctx); err != nil {
		return nil, nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state.served == nil {
		return s.state, func() {}, nil
	}
	s.state.served.open.Add(1)
	return s.state, s.state.served.open.Done, nil
}

// put replaces the newest state. If the new state serves a different build, put waits for the requests reading the
// previous build, closes that build, and returns any error from closing it.
func (s *stage) put(next *state) error {
	next.replaced = make(chan struct{})
	s.mu.Lock()
	before := s.state
	s.state = next
	s.mu.Unlock()
	if before == nil {
		close(s.first)
		return nil
	}
	close(before.replaced)
	if before.served == nil || before.served == next.served {
		return nil
	}
	before.served.open.Wait()
	return before.served.build.Close()
}
