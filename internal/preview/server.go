// Package preview shows authors their site while they write it. It watches the site's folder, rebuilds the site after
// every change, serves the newest good build as production would, and reloads open pages. It adds a toolbar to every
// page, and an overlay that shows the problems with their positions and source lines.
//
// The preview doesn't lose changes, regardless of their order and speed. While the site has errors, it serves the last
// good build. It includes drafts, so it rejects requests from other sites in the same browser. A Server doesn't write
// files: its caller provides the function that builds the site.
package preview

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/serve/decide"
	"vitrine/internal/site"
)

const (
	// Prefix is the prefix of the preview's internal paths. No page's path can start with it, because hidden folders
	// aren't content.
	Prefix = "/.vitrine/"
	// EventsPath is the path of the event stream.
	EventsPath = Prefix + "events"
	// openPath is the path that receives pages' requests to open a source in the editor.
	openPath = Prefix + "open"
	// waitingPath is the path of the list of pages that would not be published.
	waitingPath = Prefix + "waiting"
)

// Options configures a preview.
type Options struct {
	// Root is the site's folder.
	Root string
	// Addr is the configured listening address. The server accepts requests for the host in this address.
	Addr string
	// Build builds the site. If files change during the build, the server may cancel the context. Build should then
	// return an error as soon as possible.
	Build func(context.Context) (Built, error)
	// Last opens the build of the previous preview if the sources haven't changed since, and returns the site's
	// problems. It returns nil if there is no such build. The server serves that build while the first call of Build
	// loads the site. Last may be nil.
	Last func(context.Context) (*artifact.Build, []site.Problem)
	// Early renders a changed page before the build is complete, or returns nil if more than the text of one page
	// changed. Early is called only if the last build succeeded. Early may be nil.
	Early func(changed []string) *Early
	// Report is called with every outcome. It may be nil.
	Report func(Outcome)
	// Words counts the words of a page, given its source. It may be nil.
	Words func(page *site.Page, text []byte) int
	// Title returns the title of a rule. It may be nil.
	Title func(site.Code) string
	// Environment reads $VISUAL and $EDITOR. It defaults to the process's environment.
	Environment func(string) string
	// Poll and Notice are the options of the same names in WatchOptions.
	Poll   time.Duration
	Notice func(string)
}

// A Server serves the preview of a site. It is an http.Handler.
type Server struct {
	options   Options
	root      *os.Root
	stage     *stage
	guard     guard
	editor    editor
	token     string
	allowance *decide.Allowance
	// ending is closed to end waiting requests.
	ending chan struct{}
	// end closes ending. It may be called repeatedly.
	end    func()
	number int
	client map[string][]byte
}

// New returns the preview of a site. It doesn't build the site; see Server.Watch. The caller must call Close.
func New(options Options) (*Server, error) {
	whole, err := filepath.Abs(options.Root)
	if err != nil {
		return nil, fmt.Errorf("determining the absolute path of the site's folder: %w", err)
	}
	options.Root = whole
	if options.Environment == nil {
		options.Environment = os.Getenv
	}
	root, err := os.OpenRoot(whole)
	if err != nil {
		return nil, fmt.Errorf("opening the site: %w", err)
	}
	s := &Server{
		options: options, root: root, stage: newStage(), guard: newGuard(options.Addr),
		editor: newEditor(options.Environment), token: rand.Text(),
		allowance: decide.NewAllowance(artifact.DefaultLimit, artifact.DefaultWindow), ending: make(chan struct{}),
	}
	s.end = sync.OnceFunc(func() { close(s.ending) })
	if s.client, err = clientFiles(); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return s, nil
}

// Watch shows the previous preview's build, builds the site, and rebuilds it after every change until ctx ends. It
// returns once the build in progress has ended.
func (s *Server) Watch(ctx context.Context) error {
	watcher, err := Watch(ctx, s.options.Root, WatchOptions{Poll: s.options.Poll, Notice: s.options.Notice})
	if err != nil {
		return err
	}
	build := func(ctx context.Context, changed []string) Outcome {
		o := s.build(ctx, changed)
		watcher.Also(o.Included)
		return o
	}
	s.showLast(ctx)
	l := loop{changes: watcher.Changes(), build: build, done: s.show}
	l.run(ctx)
	return nil
}

// showLast shows the build of the previous preview, if that build is up to date.
func (s *Server) showLast(ctx context.Context) {
	if s.options.Last == nil {
		return
	}
	last, problems := s.options.Last(ctx)
	if last == nil {
		return
	}
	served, err := newUnloaded(last, s.allowance)
	if err != nil {
		// Ignore damaged files: the first build reports them.
		_ = last.Close()
		return
	}
	next := &state{served: served, found: described(s.root, problems, s.options.Title)}
	next.Problems = problems
	// This is the first state, so put has no previous build to close.
	_ = s.stage.put(next)
}

// End ends all requests waiting for a change or a build, so that an HTTP server can shut down.
func (s *Server) End() { s.end() }

// Close closes the site's folder and the served build. The server must not receive requests afterward.
func (s *Server) Close() error {
	var build error
	if s.stage.state != nil && s.stage.state.served != nil {
		build = s.stage.state.served.build.Close()
	}
	return errors.Join(build, s.root.Close())
}

// Ready waits until the previous preview's build is shown or the first build has ended, successfully or not. It returns
// an error only if ctx ends first.
func (s *Server) Ready(ctx context.Context) error {
	_, err := s.stage.wait(ctx)
	return err
}

// Mount returns the base path of the newest good build, or "" if the site is at the root of its host or there is no
// good build.
func (s *Server) Mount() string {
	if now := s.stage.now(); now != nil && now.served != nil {
		return now.served.mount
	}
	return ""
}

// ServeHTTP responds as the production server would, and adds the toolbar to pages. It also serves the preview's
// internal paths, and rejects requests from other sites.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("X-Robots-Tag", "noindex")
	header.Set("Cache-Control", "no-store")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("X-Content-Type-Options", "nosniff")
	if reason := s.guard.rejects(r); reason != "" {
		http.Error(w, reason, http.StatusForbidden)
		return
	}
	// Streams are endless, and the first build may take a long time, so responses have no deadline.
	control := http.NewResponseController(w)
	_ = errors.Join(control.SetReadDeadline(time.Time{}), control.SetWriteDeadline(time.Time{}))
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	go func() {
		select {
		case <-s.ending:
			cancel()
		case <-ctx.Done():
		}
	}()
	r = r.WithContext(ctx)
	switch {
	case r.URL.Path == EventsPath && r.Method == http.MethodGet:
		s.stream(w, r)
	case r.URL.Path == waitingPath && r.Method == http.MethodGet:
		s.waiting(w, r)
	case r.URL.Path == openPath:
		s.open(w, r)
	case strings.HasPrefix(r.URL.Path, Prefix):
		s.serveClient(w, r)
	case r.URL.Path == "/" && s.Mount() != "":
		// The site isn't at the root, so redirect to its home page.
		http.Redirect(w, r, s.Mount()+"/", http.StatusFound)
	default:
		s.page(w, r)
	}
}
