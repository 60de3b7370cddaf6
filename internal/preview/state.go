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
	// Build is the new, open build, or nil if there is none, for example because of errors. The server closes it when
	// it serves the next build.
	Build *artifact.Build
	// Unchanged reports whether the previous build is still up to date. If so, Build is nil, and Site may be
	// incomplete.
	Unchanged bool
	// Site is the loaded site, or nil if its errors prevent loading.
	Site *site.Site
	// Problems are all problems of the site.
	Problems []site.Problem
	// Included maps the files from which pages include code to the hashes of the contents that the build read. The files
	// may be outside the watched folders.
	Included map[string]uint64
}

// Outcome is the outcome of a build.
type Outcome struct {
	Built
	// Number counts the builds of this preview, from 1.
	Number int
	// Changed are the files whose changes triggered the build. It is empty for the first build.
	Changed []string
	// Took is the time from noticing the change to the end of the build.
	Took time.Duration
	// Err is the error that prevented the build, other than problems in the site's content.
	Err error
}

// Failed reports whether the build failed, so that the server continues to serve the last good build.
func (o *Outcome) Failed() bool { return o.Err != nil || site.HasErrors(o.Problems) }

// state contains all data that the preview shows at one time. It doesn't change after stage.put; a new state replaces
// it.
type state struct {
	Outcome
	// found are the problems as pages show them.
	found []Problem
	// served is the last good build, or nil before the first.
	served *served
	// early is the page that is shown before the current build is complete, or nil if there is none.
	early *Early
	// replaced is closed when another state replaces this one.
	replaced chan struct{}
}

// ahead returns the page that is shown before its build is complete, or nil if there is none.
func (s *state) ahead() *Early {
	if s == nil {
		return nil
	}
	return s.early
}

// served is a good build with its pages.
type served struct {
	handler *serve.Handler
	build   *artifact.Build
	// pages maps decoded paths on the host, which begin with mount, to pages.
	pages map[string]*site.Page
	// files maps decoded paths on the host, which begin with mount, to the sources of files.
	files map[string]string
	// mount is the site's base path.
	mount  string
	config site.Config
	// id identifies the build by its content.
	id uint64
	// shown is the page that was shown early, if this build contains exactly the same page. Otherwise, it is nil.
	shown *Early
	// moved maps the old paths of moved pages to their new paths; see movedTo.
	moved map[string]string
	// open counts the requests that read the build. put waits for them before it closes the build.
	open sync.WaitGroup
}

func newServed(b Built, allowance *decide.Allowance) (*served, error) {
	whole, err := decide.NewSite(b.Build)
	if err != nil {
		return nil, err
	}
	s := &served{
		handler: serve.NewHandler(whole, serve.HandlerOptions{Allowance: allowance}),
		build:   b.Build, config: b.Site.Config, id: whole.Build(),
		mount: b.Site.Config.Mount(),
		pages: make(map[string]*site.Page, len(b.Site.Pages)), files: make(map[string]string, len(b.Site.Files)),
	}
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
	// first is closed when the first state is available.
	first chan struct{}
}

func newStage() *stage { return &stage{first: make(chan struct{})} }

// now returns the newest state, or nil if there is none yet.
func (s *stage) now() *state {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state
}

// wait waits until the first build has ended, and returns the newest state. It returns the error of ctx if ctx ends
// first.
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

// put replaces the newest state. If the new state serves a different build, put waits for the requests that read the
// previous build, closes that build, and returns the error.
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
