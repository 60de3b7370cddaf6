package preview

import (
	"context"
	"sync"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/serve"
	"vitrine/internal/site"
)

// Built is what came of compiling the site.
type Built struct {
	// Build is the new build, opened; nil where there is none, such as for errors.
	// It is closed when the next one is served.
	Build *artifact.Build
	// Unchanged says that the build before is what the site would be built to;
	// then there is no Build, and Site need not be whole.
	Unchanged bool
	// Site is the site as it was read; nil where it is too wrong for that.
	Site *site.Site
	// Problems are all that is wrong with it.
	Problems []site.Problem
}

// Outcome is what came of a build.
type Outcome struct {
	Built
	// Number counts the builds of this preview, from 1.
	Number int
	// Changed are the files that the build was made for; none for the first.
	Changed []string
	// Took is how long it took, from the moment that the change was noticed.
	Took time.Duration
	// Err is what kept the site from being compiled, other than its content.
	Err error
}

// Failed reports whether the last good build stays served.
func (o *Outcome) Failed() bool { return o.Err != nil || site.HasErrors(o.Problems) }

// state is what there is to show at a moment. It does not change; another one
// takes its place.
type state struct {
	Outcome
	// found are the problems as pages show them.
	found []Problem
	// served is nil before the first good build.
	served *served
	// early is the page that is shown ahead of the build that is being made, nil
	// for none.
	early *Early
	// replaced is closed when there is another state.
	replaced chan struct{}
}

// ahead is the page that is shown ahead of a build, nil for none.
func (s *state) ahead() *Early {
	if s == nil {
		return nil
	}
	return s.early
}

// served is a good build with the pages that are in it.
type served struct {
	handler *serve.Handler
	build   *artifact.Build
	// pages and files are by their paths on the host, which begin with mount.
	pages  map[string]*site.Page
	files  map[string]string
	mount  string
	config site.Config
	// id tells builds apart, by their content.
	id uint64
	// shown is the page that was shown as it is here before there was this build,
	// nil for none.
	shown *Early
	// moved is where pages went whose files were renamed, by the paths at which
	// they were; see movedTo.
	moved map[string]string
	// open counts who reads from the build, so that it is closed by the last.
	open sync.WaitGroup
}

func newServed(b Built, allowance *serve.Allowance) (*served, error) {
	whole, err := serve.NewSite(b.Build)
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

// stage holds the newest state.
type stage struct {
	mu    sync.Mutex
	state *state
	// first is closed when there is a state.
	first chan struct{}
}

func newStage() *stage { return &stage{first: make(chan struct{})} }

// now returns the newest state, nil where there is none yet.
func (s *stage) now() *state {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state
}

// wait returns the newest state, which the first build may have to make.
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

// borrow returns the newest state and lends its build until release is called.
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

// put makes a state the newest. The build of the one before is closed, where it
// is another, when nobody reads from it any longer.
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
