package preview

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
)

//go:embed client
var client embed.FS

// clientFiles returns the preview's own scripts and stylesheet, keyed by name. It converts the stylesheet to a
// JavaScript module that exports the text, because a script adds this text to shadow trees.
func clientFiles() (map[string][]byte, error) {
	files := make(map[string][]byte)
	entries, err := client.ReadDir("client")
	if err != nil {
		return nil, fmt.Errorf("reading the preview's own files: %w", err)
	}
	for _, e := range entries {
		text, err := fs.ReadFile(client, "client/"+e.Name())
		if err != nil {
			return nil, fmt.Errorf("reading the preview's own files: %w", err)
		}
		name := e.Name()
		if strings.HasSuffix(name, ".css") {
			quoted, err := json.Marshal(string(text))
			if err != nil {
				return nil, err
			}
			name, text = strings.TrimSuffix(name, ".css")+".css.mjs", fmt.Appendf(nil, "export default %s;\n", quoted)
		}
		files[name] = text
	}
	return files, nil
}

func (s *Server) serveClient(w http.ResponseWriter, r *http.Request) {
	text, ok := s.client[strings.TrimPrefix(r.URL.Path, Prefix)]
	if !ok || r.Method != http.MethodGet {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	_, _ = w.Write(text)
}
