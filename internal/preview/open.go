package preview

import (
	"crypto/subtle"
	"encoding/json"
	"errors"
	"net/http"
)

// openRequest asks for a source at a place.
type openRequest struct {
	Path   string `json:"path"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// open starts the editor. Who asks must be a page of the preview: no other can
// know the token.
func (s *Server) open(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "opening a source takes a POST", http.StatusMethodNotAllowed)
		return
	}
	if subtle.ConstantTimeCompare([]byte(r.Header.Get("X-Vitrine-Token")), []byte(s.token)) != 1 {
		http.Error(w, "only a page of this preview may open a source; reload it", http.StatusForbidden)
		return
	}
	var asked openRequest
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<12)).Decode(&asked); err != nil {
		http.Error(w, "the request cannot be read", http.StatusBadRequest)
		return
	}
	err := s.editor.open(s.root, asked.Path, asked.Line, asked.Column)
	switch {
	case errors.Is(err, errRefused):
		http.Error(w, err.Error(), http.StatusBadRequest)
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
	default:
		w.WriteHeader(http.StatusNoContent)
	}
}
