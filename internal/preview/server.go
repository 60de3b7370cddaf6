// Package preview shows editors their site while they write it: it watches the
// site's folder, builds it again when something in it changes, serves the
// newest good build as production does, and has open pages reload. Under
// every page it puts a bar, and over it what is wrong, with the place and the
// line.
//
// It promises that no change is lost, whatever comes between and however fast;
// that the last good build stays served while the site has errors; that what it
// serves, drafts among it, can be read by this machine's user alone, and by no
// page of another site that the same browser has open; and that it writes
// nothing at all: where a build goes is the affair of who gives it one.
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
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/serve"
	"vitrine/internal/site"
)

// Prefix is where the preview's own paths begin; no page of a site can be
// there, as hidden folders are no content. EventsPath is the stream of what
// becomes of the site, openPath opens a source in the editor.
const (
	Prefix     = "/.vitrine/"
	EventsPath = Prefix + "events"
	openPath   = Prefix + "open"
	// waitingPath names the pages that would not be published.
	waitingPath = Prefix + "waiting"
)

// Options say what a preview shows, and how.
type Options struct {
	// Root is the site's folder.
	Root string
	// Addr is where the preview was asked to listen.
	Addr string
	// Build compiles the site. The context ends when the files change before it
	// has; the error then wraps context.Canceled.
	Build func(context.Context) (Built, error)
	// Early makes the page that a change concerns ahead of the build; it is asked
	// only while the last build is served. It returns nil where more than the text
	// of one page has changed, and may be nil itself.
	Early func(changed []string) *Early
	// Report is given every build; nil for nobody.
	Report func(Outcome)
	// Words counts the words of a page, whose source is given; nil for none.
	Words func(page *site.Page, text []byte) int
	// Title is what a rule is called; nil for nothing.
	Title func(site.Code) string
	// Environment is how $VISUAL and $EDITOR are read; nil for the process's.
	Environment func(string) string
	// Poll and Notice are those of WatchOptions.
	Poll   time.Duration
	Notice func(string)
}

// Server shows a site while it is written.
type Server struct {
	options   Options
	root      *os.Root
	stage     *stage
	guard     guard
	editor    editor
	token     string
	allowance *serve.Allowance
	// ending is done when no request is to be waited for any longer.
	ending context.Context
	end    context.CancelFunc
	number int
	client map[string][]byte
}

// New prepares a preview.
func New(options Options) (*Server, error) {
	whole, err := filepath.Abs(options.Root)
	if err != nil {
		return nil, fmt.Errorf("finding the site's folder: %w", err)
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
		allowance: serve.NewAllowance(artifact.DefaultLimit, artifact.DefaultWindow),
	}
	s.ending, s.end = context.WithCancel(context.Background())
	if s.client, err = clientFiles(); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return s, nil
}

// Watch builds the site and builds it again whenever it changes, until ctx
// ends. It returns when the last build has ended.
func (s *Server) Watch(ctx context.Context) error {
	watcher, err := Watch(ctx, s.options.Root, WatchOptions{Poll: s.options.Poll, Notice: s.options.Notice})
	if err != nil {
		return err
	}
	l := loop{changes: watcher.Changes(), build: s.build, done: s.show}
	l.run(ctx)
	return nil
}

// End ends the requests that wait for something, so that a server can come to
// its end.
func (s *Server) End() { s.end() }

// Close lets go of the site and of the build. Nothing may be asked any longer.
func (s *Server) Close() error {
	var build error
	if s.stage.state != nil && s.stage.state.served != nil {
		build = s.stage.state.served.build.Close()
	}
	return errors.Join(build, s.root.Close())
}

// Ready returns when the first build has ended, well or not.
func (s *Server) Ready(ctx context.Context) error {
	_, err := s.stage.wait(ctx)
	return err
}

// Mount is the path that the newest good build stands below; "" for the root, and while there is none.
func (s *Server) Mount() string {
	if now := s.stage.now(); now != nil && now.served != nil {
		return now.served.mount
	}
	return ""
}

// ServeHTTP answers as production does, with what a preview adds.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("X-Robots-Tag", "noindex")
	header.Set("Cache-Control", "no-store")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("X-Content-Type-Options", "nosniff")
	if reason := s.guard.refuses(r); reason != "" {
		http.Error(w, reason, http.StatusForbidden)
		return
	}
	// A stream has no end, and the first build may take long: the limits of usual
	// answers fit neither.
	control := http.NewResponseController(w)
	_ = errors.Join(control.SetReadDeadline(time.Time{}), control.SetWriteDeadline(time.Time{}))
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.ending, cancel)()
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
		// Who types the address of the preview alone means the site.
		http.Redirect(w, r, s.Mount()+"/", http.StatusFound)
	default:
		s.page(w, r)
	}
}
