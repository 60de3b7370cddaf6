package compare

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// IndexNow submits pages whose text has changed, and pages that were added, removed, or moved. It doesn't submit pages
// of which only the design has changed, pages excluded from search engines, or files.
func TestIndexNow(t *testing.T) {
	page := func(path, html, markdown string, hidden bool) Resource {
		return Resource{Path: path, Variants: []Variant{{Type: "text/html; charset=utf-8", Hash: html, Hidden: hidden}, {Type: "text/markdown; charset=utf-8", Hash: markdown}}}
	}
	old := &Snapshot{Base: "https://x.example", Resources: []Resource{
		page("/gone", "1", "1", false), page("/gone-hidden", "1", "1", true), page("/hidden", "1", "1", true), page("/look", "1", "1", false),
		page("/moved", "1", "1", false), page("/same", "1", "1", false), {Path: "/style.css", Variants: []Variant{{Type: "text/css", Hash: "1"}}}, page("/text", "1", "1", false),
	}}
	new := &Snapshot{Base: "https://x.example", Resources: []Resource{
		page("/hidden", "2", "2", true), page("/look", "2", "1", false), {Path: "/moved", Location: "/new"}, page("/new", "1", "1", false),
		page("/same", "1", "1", false), {Path: "/style.css", Variants: []Variant{{Type: "text/css", Hash: "2"}}}, page("/text", "2", "2", false),
	}}
	dir := t.TempDir()
	if _, err := IndexNow(old, new, dir); err == nil || !strings.Contains(err.Error(), "set indexNow to a key in site.yaml") {
		t.Errorf("without a key: %v", err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "public"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "public", IndexNowFile), []byte("0123456789abcdef"), 0o666); err != nil {
		t.Fatal(err)
	}
	all, err := IndexNow(old, new, dir)
	want := []string{"https://x.example/gone", "https://x.example/moved", "https://x.example/new", "https://x.example/text"}
	if err != nil || len(all) != 1 || !slices.Equal(all[0].URLs, want) {
		t.Fatalf("got %+v, %v, want %q", all, err, want)
	}
	if all, err := IndexNow(new, new, dir); err != nil || len(all) != 0 {
		t.Errorf("without changes: %+v, %v", all, err)
	}
	var got Submission
	status := http.StatusAccepted
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil || r.Method != http.MethodPost {
			t.Errorf("%s: %v", r.Method, err)
		}
		w.WriteHeader(status)
	}))
	defer server.Close()
	if err := SendIndexNow(t.Context(), server.URL, all); err != nil {
		t.Error(err)
	}
	if got.Host != "x.example" || got.Key != "0123456789abcdef" || got.KeyLocation != "https://x.example/indexnow.txt" || len(got.URLs) != len(want) {
		t.Errorf("sent %+v", got)
	}
	status = http.StatusForbidden
	if err := SendIndexNow(t.Context(), server.URL, all); err == nil || !strings.Contains(err.Error(), "deploy first") {
		t.Errorf("status 403: %v", err)
	}
}
