package preview

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// heartbeat is the interval between writes that keep an event stream open and detect disconnected clients.
const heartbeat = 15 * time.Second

// Names of the events in the stream at EventsPath (server-sent events, HTML §9.2). Each event's data is a View as JSON.
const (
	// EventHello is the first event of every stream, with the current state.
	EventHello = "hello"
	// EventReload announces a new version of the page or the build.
	EventReload = "reload"
	// EventProblems announces the problems after a build that changed no bytes of the page, for example because the
	// site has errors.
	EventProblems = "problems"
)

// stream sends events to the page at the path in the query until the page is closed or the server ends.
func (s *Server) stream(w http.ResponseWriter, r *http.Request) {
	control := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	path := r.URL.Query().Get("path")
	name, shown := EventHello, (*state)(nil)
	for {
		now, err := s.stage.wait(r.Context())
		if err != nil {
			return
		}
		if shown != nil {
			name = EventProblems
			if now.identity(path) != shown.identity(path) {
				name = EventReload
			}
		}
		if !now.confirms(shown, path) {
			if err := writeEvent(w, name, s.view(now, path)); err != nil {
				return
			}
		}
		shown = now
		if control.Flush() != nil || !s.rest(w, r, control, now) {
			return
		}
	}
}

// confirms reports whether the page at path already shows everything in s because the page was shown early. shown is
// the last state that the page received, or nil if the page hasn't received a state.
func (s *state) confirms(shown *state, path string) bool {
	return shown != nil && !shown.Failed() && !s.Failed() && shown.ahead().isAt(decodedPath(path)) && s.identity(path) == shown.identity(path) && slices.Equal(s.Problems, shown.Problems)
}

// rest writes heartbeats until another state replaces now. It returns false if the stream must end.
func (s *Server) rest(w http.ResponseWriter, r *http.Request, control *http.ResponseController, now *state) bool {
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		select {
		case <-now.replaced:
			return true
		case <-beat.C:
			if _, err := fmt.Fprint(w, ": here\n\n"); err != nil || control.Flush() != nil {
				return false
			}
		case <-r.Context().Done():
			return false
		}
	}
}

func writeEvent(w http.ResponseWriter, name string, view View) error {
	data, err := json.Marshal(view)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "event: %s\nid: %d\ndata: %s\n\n", name, view.Number, data)
	return err
}
