package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"vitrine/internal/build"
	"vitrine/internal/folder"
	"vitrine/internal/site"
)

// Files of a site.
const (
	productFile = folder.Content + "/product.yaml"
	configFile  = folder.Content + "/site.yaml"
	// questionsFile is the path of the file with the questions that the site must answer.
	questionsFile = folder.Content + "/questions.yaml"
)

// document is a file open in the editor.
type document struct {
	*text
	project *project
	uri     string
	version *int
	// name is the file's path relative to the site's root, with forward slashes.
	name string
}

// project is a site that is in the client's folders or has open files.
type project struct {
	server *Server
	root   string
	// live is the checked site, or nil before the first check ends.
	live *build.Live
	open map[string]*document
	// problems maps the names of files to the problems in the files.
	problems map[string][]site.Problem
	// published maps the names of files to the diagnostics most recently sent to the client, as JSON.
	published map[string]string
	// changed is true if the problems must be computed again. running is true during a check of the site, and stale is
	// true if the site must be checked again after that check. waiting is true if a check is scheduled.
	changed, running, stale, waiting bool
	// took is the duration of the most recent check of the complete site.
	took time.Duration
}

// projectOf returns the site that contains the file, or nil if there is none. It opens the site if necessary.
func (s *Server) projectOf(file string) *project {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		if base := filepath.Base(dir); base == folder.Content || base == folder.Templates {
			root := filepath.Dir(dir)
			if p := s.projects[root]; p != nil {
				return p
			}
			for _, name := range []string{configFile, productFile} {
				if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(name))); err != nil {
					continue
				}
				p := &project{server: s, root: root, open: make(map[string]*document), published: make(map[string]string)}
				s.projects[root] = p
				go s.event(p.again)
				return p
			}
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

// edited updates the named file's text after a change in the editor. It schedules a check of the complete site if the
// change requires one.
func (p *project) edited(name string, source []byte) {
	if p.live == nil {
		// The method checked updates the file's text when the first check of the site ends.
		return
	}
	if p.changed = true; !p.live.Text(name, source) {
		p.later()
	}
}

// closed replaces the text that the editor sent for a closed file with the file's content on disk.
func (p *project) closed(name string) {
	if p.live == nil {
		p.stale = true
		return
	}
	p.live.Forget(name)
	if source, err := os.ReadFile(p.file(name)); err == nil {
		p.edited(name, source)
	}
	p.later()
}

func (p *project) file(name string) string { return filepath.Join(p.root, filepath.FromSlash(name)) }

// later schedules a check of the complete site. The delay is the duration of the most recent check, but at least 200 ms
// and at most 3 s.
func (p *project) later() {
	if p.waiting {
		return
	}
	p.waiting = true
	time.AfterFunc(min(max(200*time.Millisecond, p.took), 3*time.Second), func() {
		p.server.event(func(ctx context.Context) {
			p.waiting = false
			p.again(ctx)
		})
	})
}

// event runs do in the goroutine that owns the server's state. It does nothing if the server has ended.
func (s *Server) event(do func(context.Context)) {
	select {
	case s.events <- do:
	case <-s.ended:
	}
}

// again starts a check of the complete site, or schedules one after the current check. Until the check ends, requests
// use the current state of the site.
func (p *project) again(ctx context.Context) {
	if p.running {
		p.stale = true
		return
	}
	p.running, p.stale = true, false
	instead := make(map[string][]byte)
	for name, d := range p.open {
		instead[name] = d.source
	}
	check := func(ctx context.Context) (*build.Live, error) {
		return build.OpenLive(ctx, build.Source{Root: p.root}, instead, build.Observer{})
	}
	if p.live != nil {
		last := p.live.Snapshot()
		check = func(ctx context.Context) (*build.Live, error) { return last.Again(ctx, instead) }
	}
	began := time.Now()
	go func() {
		live, err := check(ctx)
		p.server.event(func(context.Context) { p.checked(live, err, instead, time.Since(began)) })
	}()
}

// checked replaces the project's state with live, the result of a check of the complete site, and applies the edits
// made since the check began. If the check failed, but wasn't canceled, it schedules another check instead. instead
// contains the text that each open file had when the check began.
func (p *project) checked(live *build.Live, err error, instead map[string][]byte, took time.Duration) {
	p.running, p.took = false, took
	if err != nil {
		if !errors.Is(err, context.Canceled) {
			p.server.logger.Error("checking the site failed; trying again", "root", p.root, "error", err)
			p.later()
		}
		return
	}
	p.live, p.changed = live, true
	for name, d := range p.open {
		before, known := instead[name]
		if !known || string(before) != string(d.source) || !live.Publishes(name) {
			p.stale = !live.Text(name, d.source) && string(before) != string(d.source) || p.stale
		}
	}
	for name := range instead {
		if p.open[name] == nil {
			p.stale = true
		}
	}
	if p.stale {
		p.later()
	}
}

// publish computes the problems if necessary, and sends each file's problems to the client if they have changed.
func (p *project) publish() {
	if !p.changed || p.live == nil {
		return
	}
	p.changed = false
	problems, complete := p.live.Problems()
	if !complete {
		p.later()
	}
	before := p.problems
	p.problems = make(map[string][]site.Problem)
	for _, problem := range problems {
		p.problems[problem.Path] = append(p.problems[problem.Path], problem)
	}
	names := maps.Clone(p.published)
	for name := range p.problems {
		names[name] = ""
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if p.open[name] == nil && before != nil && slices.Equal(before[name], p.problems[name]) {
			// Don't read the file if the client already has the file's current problems.
			continue
		}
		params := publishParams{URI: uriOf(p.file(name)), Diagnostics: []diagnostic{}}
		if d := p.open[name]; d != nil {
			params.URI, params.Version = d.uri, d.version
		}
		if found := p.problems[name]; len(found) > 0 {
			params.Diagnostics = p.diagnostics(name, found)
		}
		written, err := json.Marshal(params.Diagnostics)
		if err != nil || p.published[name] == string(written) {
			continue
		}
		if p.published[name] = string(written); len(params.Diagnostics) == 0 {
			delete(p.published, name)
		}
		p.server.conn.notify("", "textDocument/publishDiagnostics", params)
	}
}

func (p *project) diagnostics(name string, problems []site.Problem) []diagnostic {
	t := p.text(name)
	diagnostics := make([]diagnostic, len(problems))
	for i, problem := range problems {
		d := diagnostic{t.from(problem.Pos), 2, string(problem.Code), "vitrine", problem.Text}
		if problem.Severity == site.Error {
			d.Severity = 1
		}
		if fix := problem.Fix; fix.Old != "" && fix.Start >= t.at(problem.Pos) && fix.Start+len(fix.Old) <= len(t.source) {
			d.Range.End = t.position(fix.Start + len(fix.Old))
		}
		diagnostics[i] = d
	}
	return diagnostics
}

// text returns the named file's text in the editor or, if the file isn't open, on disk. The text is empty if the file
// can't be read.
func (p *project) text(name string) *text {
	if d := p.open[name]; d != nil {
		return d.text
	}
	// Reading by path is safe, because every caller passes a name under content/ or templates/.
	source, _ := os.ReadFile(p.file(name))
	return newText(source, p.server.utf8)
}

// uri returns the URI of a file, in the client's spelling if the file is open.
func (p *project) uri(name string) string {
	if d := p.open[name]; d != nil {
		return d.uri
	}
	return uriOf(p.file(name))
}
