package preview

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/folder"
	"vitrine/internal/site"
)

// View describes the site and a page to the page's script.
type View struct {
	// Build identifies the content at the page's path, or is "none" before the first good build. A page loaded with
	// another value is out of date.
	Build string `json:"build"`
	// Number counts the builds of this preview, from 1. It is 0 for the build of the previous preview.
	Number int `json:"number"`
	// Took is the time in milliseconds from noticing the change to the end of the newest build.
	Took float64 `json:"took"`
	// Changed contains up to 20 of the files whose changes triggered the build.
	Changed []string `json:"changed,omitempty"`
	// Failed reports whether the newest build failed. The page is then from the last good build.
	Failed   bool `json:"failed"`
	Errors   int  `json:"errors"`
	Warnings int  `json:"warnings"`
	// Problems contains at most 500 of the current problems. Problems in this page's source come first.
	Problems []Problem `json:"problems,omitempty"`
	Page     PageView  `json:"page"`
	// Base is the site's base URL. Links to URLs under Base stay in the preview.
	Base   string     `json:"base,omitempty"`
	Editor EditorView `json:"editor"`
	// Token is required in requests to open a file.
	Token string `json:"token"`
}

// PageView describes a page to its script.
type PageView struct {
	// Source is the path of the source. It is "" for generated pages and 404s, and until the site is loaded.
	Source string `json:"source,omitempty"`
	// Own reports whether the source is in the site's folder rather than in the theme.
	Own bool `json:"own"`
	// Missing reports whether there is no page or file at the path.
	Missing bool `json:"missing"`
	// Moved is the new path of a page that used to be at this path, or "" if there is none.
	Moved string `json:"moved,omitempty"`
	Words int    `json:"words"`
	// Twin is the path of the page's Markdown, or "" if there is none.
	Twin string `json:"twin,omitempty"`
	// Waits is the reason why the page would not be published ("draft" or "scheduled"), or "" if it would be.
	Waits string `json:"waits,omitempty"`
	// Due is the publication time of a scheduled page, formatted for people, or "" for other pages.
	Due string `json:"due,omitempty"`
}

// most is the maximum number of problems to send to a page. Further problems are only counted.
const most = 500

// dueFormat is the format of PageView.Due.
const dueFormat = "2 January 2006, 15:04 MST"

// identity returns an ID for the content at a requested path: the ID of the early page if a page was shown early at
// this path, otherwise the ID of the served build. It returns "none" before the first good build.
func (s *state) identity(path string) string {
	if s.served == nil {
		return "none"
	}
	for _, e := range []*Early{s.early, s.served.shown} {
		if e.isAt(decodedPath(path)) {
			return e.identity
		}
	}
	return strconv.FormatUint(s.served.id, 16)
}

// view returns the description of the page at a requested path for its script.
func (s *Server) view(now *state, path string) View {
	v := View{
		Build: now.identity(path), Number: now.Number, Took: float64(now.Took.Microseconds()) / 1000,
		Changed: now.Changed[:min(len(now.Changed), 20)], Failed: now.Failed(),
		Page: s.pageView(now, path), Base: now.base(), Editor: s.editor.view(s.options.Root), Token: s.token,
	}
	var here, elsewhere []Problem
	for _, p := range now.found {
		if p.Severity == site.Error.String() {
			v.Errors++
		} else {
			v.Warnings++
		}
		if p.Here = p.Path == v.Page.Source; p.Here {
			here = append(here, p)
		} else {
			elsewhere = append(elsewhere, p)
		}
	}
	v.Problems = append(here, elsewhere...)
	v.Problems = v.Problems[:min(len(v.Problems), most)]
	return v
}

func (s *Server) pageView(now *state, path string) PageView {
	if now.served == nil {
		return PageView{Missing: true}
	}
	page, file := now.served.find(path)
	if now.early.isAt(decodedPath(path)) {
		page = now.early.page
	}
	switch {
	case now.served.unloaded():
		return PageView{Twin: now.served.twinOf(path)}
	case page == nil && file == "":
		return PageView{Missing: true, Moved: now.served.movedTo(path)}
	case page == nil:
		return PageView{Source: file, Own: true}
	}
	v := PageView{Source: page.Source, Twin: escapedPath(now.served.mount + page.MarkdownPath()), Own: page.Source != "" && page.Text == nil}
	if v.Own && s.options.Words != nil {
		if text, err := folder.ReadFile(s.root, page.Source); err == nil && page.Body <= len(text) {
			v.Words = s.options.Words(page, text)
		}
	}
	if v.Waits = waits(page); v.Waits == scheduled {
		v.Due = page.Date.In(now.served.config.Location).Format(dueFormat)
	}
	return v
}

// Reasons why a page would not be published.
const (
	draft     = "draft"
	scheduled = "scheduled"
)

// waits returns why p would not be published (draft or scheduled), or "" if it would be.
func waits(p *site.Page) string {
	switch {
	case p.Draft:
		return draft
	case p.Scheduled:
		return scheduled
	}
	return ""
}

// waiting responds with a JSON object that maps the escaped path of each page that would not be published to the
// reason. A script uses it to mark links to these pages.
func (s *Server) waiting(w http.ResponseWriter, r *http.Request) {
	now, err := s.stage.waitBuilt(r.Context())
	if err != nil {
		http.Error(w, "the preview has ended", http.StatusServiceUnavailable)
		return
	}
	all := make(map[string]string)
	if now.served != nil {
		for path, page := range now.served.pages {
			if why := waits(page); why != "" {
				all[escapedPath(path)] = why
			}
		}
	}
	w.Header().Set("Content-Type", "application/json")
	// Ignore the error: the client has disconnected.
	_ = json.NewEncoder(w).Encode(all)
}

// base returns the site's base URL, or "" if no build is served or the site isn't loaded yet.
func (s *state) base() string {
	if s.served == nil {
		return ""
	}
	return s.served.config.BaseURL
}

// find returns the page at a requested path or, if there is none, the source of the file at the path. It returns nil,
// "" if there is neither.
func (s *served) find(path string) (page *site.Page, file string) {
	path = decodedPath(path)
	if page = s.pages[path]; page != nil {
		return page, ""
	}
	return nil, s.files[path]
}

// twinOf returns the path of the Markdown of the page at a requested path, or "" if there is none.
func (s *served) twinOf(path string) string {
	if !s.hasTwin(path) {
		return ""
	}
	page := site.Page{Path: strings.TrimPrefix(decodedPath(path), s.mount)}
	return escapedPath(s.mount + page.MarkdownPath())
}

// script returns the HTML to add to a page: an element containing v as JSON and the script that displays it.
func script(v View) ([]byte, error) {
	// Marshal escapes "<", so the data can't end the element.
	data, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encoding the description of a page: %w", err)
	}
	return fmt.Appendf(nil, "<script type=\"application/json\" id=\"vitrine-preview\">%s</script>\n<script type=\"module\" src=\"%smain.mjs\"></script>\n",
		data, Prefix), nil
}

// inserted returns an HTML document with addition inserted before its last </body>, or at its end if it contains no
// such tag.
func inserted(document, addition []byte) []byte {
	end := []byte("</body>")
	at := len(document)
	for i := bytes.LastIndexByte(document, '<'); i >= 0; i = bytes.LastIndexByte(document[:i], '<') {
		if len(document)-i >= len(end) && bytes.EqualFold(document[i:i+len(end)], end) {
			at = i
			break
		}
	}
	return slices.Concat(document[:at], addition, document[at:])
}

// decodedPath returns a requested path without percent-encoding, like site.Page.Path.
func decodedPath(path string) string {
	if decoded, err := url.PathUnescape(path); err == nil {
		return decoded
	}
	return path
}

func escapedPath(path string) string { return (&url.URL{Path: path}).EscapedPath() }
