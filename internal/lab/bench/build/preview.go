//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"vitrine/internal/lab/bench/corpus"
	"vitrine/internal/lab/bench/paired"
)

// preview measures the time from a save until a browser has received the page's new text. It includes the preview's
// "reload" event and the browser's request for the page.
func (s *suite) preview(ctx context.Context) error {
	small, large := 10, s.sizes(10000)[0]
	match := paired.Match{Rounds: s.times(15)}
	for _, posts := range []int{small, large} {
		root, err := s.site("preview", vitrine(), posts, corpus.Options{Highlight: true})
		if err != nil {
			return err
		}
		p, err := s.startPreview(ctx, root)
		if err != nil {
			return err
		}
		defer p.stop()
		match.Contestants = append(match.Contestants, p.saves(root, posts))
	}
	tell("preview: %s and %s posts, rounds: %d", thousands(small), thousands(large), match.Rounds)
	results, err := match.Run(ctx)
	if err != nil {
		return err
	}
	few, many := thousands(small), thousands(large)
	t := newTable("Preview: from a save to the new page")
	t.compare(fmt.Sprintf("one post changed, among %s ÷ among %s", many, few), atMost(2), results, many, few)
	fmt.Print(t)
	return nil
}

// saves returns a contestant that saves a post of the site in root: in each round, a different post.
func (p *previewing) saves(root string, posts int) paired.Contestant {
	return paired.Contestant{Name: thousands(posts), Run: func(ctx context.Context, round int) (paired.Sample, error) {
		post := corpus.At(round*7919%posts, seed)
		return p.save(ctx, root, post.Edited(round), corpus.EditedSentence(round))
	}}
}

// patience is the maximum wait for a preview.
const patience = 2 * time.Minute

// previewing is a running `vitrine preview`.
type previewing struct {
	cmd  *exec.Cmd
	base string
	// home is the event stream of the page at "/", which stays open.
	home *opened
	said bytes.Buffer
}

// opened is the event stream that a page in a browser keeps open.
type opened struct {
	// events receives the names of the stream's events. It is closed after the last event.
	events chan string
	stream io.Closer
}

// startPreview starts a preview and waits until it serves its first build.
func (s *suite) startPreview(ctx context.Context, root string) (_ *previewing, err error) {
	p := &previewing{}
	p.cmd = exec.CommandContext(ctx, s.vitrineProgram, "preview", "-root", root, "-addr", "127.0.0.1:0")
	p.cmd.Env = append(os.Environ(), "TMPDIR="+s.dir)
	p.cmd.Stderr = &p.said
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("starting a preview: %w", err)
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting a preview: %w", err)
	}
	defer func() {
		if err != nil {
			p.stop()
			err = fmt.Errorf("%w\n%s", err, bytes.TrimSpace(p.said.Bytes()))
		}
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("waiting for a preview's first build: %w", err)
	}
	if p.base = regexp.MustCompile(`http://[^/ ]+`).FindString(line); p.base == "" {
		return nil, fmt.Errorf("the preview's first output line contains no URL: %q", line)
	}
	p.home, err = p.open(ctx, "/")
	return p, err
}

// open opens the event stream for the page at path, as a browser would, and waits for the first event.
func (p *previewing) open(ctx context.Context, path string) (*opened, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.base+"/.vitrine/events?path="+path, nil)
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, fmt.Errorf("opening the preview's event stream: %w", err)
	}
	o := &opened{events: make(chan string, 16), stream: answer.Body}
	if kind := answer.Header.Get("Content-Type"); kind != "text/event-stream" {
		return nil, errors.Join(fmt.Errorf("the preview's event stream has the media type %q and status %d, want text/event-stream", kind, answer.StatusCode), o.stream.Close())
	}
	go func() {
		defer close(o.events)
		lines := bufio.NewScanner(answer.Body)
		lines.Buffer(nil, 16<<20)
		for lines.Scan() {
			if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				o.events <- name
			}
		}
	}()
	return o, o.await(ctx, "hello")
}

// await waits for the named event and skips other events.
func (o *opened) await(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		select {
		case <-ctx.Done():
			return fmt.Errorf("waiting for the preview's event %q: %w", name, ctx.Err())
		case event, ok := <-o.events:
			if !ok {
				return errors.New("the preview closed its event stream")
			}
			if event == name {
				return nil
			}
		}
	}
}

// save writes a post whose page is open and waits until the page shows text. The CPU time includes the complete build,
// which ends when the page at "/" receives the event "reload".
func (p *previewing) save(ctx context.Context, root string, post corpus.Post, text string) (paired.Sample, error) {
	path := "/blog/" + post.Name
	page, err := p.open(ctx, path)
	if err != nil {
		return paired.Sample{}, err
	}
	defer page.stream.Close()
	before := cpuTime(p.cmd.Process.Pid)
	start := time.Now()
	if err := corpus.WritePost(root, post); err != nil {
		return paired.Sample{}, err
	}
	took, err := p.reloaded(ctx, page, path, text, start)
	if err != nil {
		return paired.Sample{}, err
	}
	if err := p.home.await(ctx, "reload"); err != nil {
		return paired.Sample{}, err
	}
	return paired.Sample{Wall: took, CPU: cpuTime(p.cmd.Process.Pid) - before}, nil
}

// reloaded returns the time from start until an open page shows text. Like a browser, it loads the page after each
// event "reload".
func (p *previewing) reloaded(ctx context.Context, page *opened, path, text string, start time.Time) (time.Duration, error) {
	for {
		if err := page.await(ctx, "reload"); err != nil {
			return 0, err
		}
		body, err := fetch(ctx, p.base+path)
		if err != nil {
			return 0, err
		}
		if bytes.Contains(body, []byte(text)) {
			return time.Since(start), nil
		}
	}
}

// stop interrupts the preview and waits until it ends.
func (p *previewing) stop() {
	if p.home != nil {
		_ = p.home.stream.Close()
	}
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		_ = p.cmd.Process.Kill()
	}
	_ = p.cmd.Wait()
}

func fetch(ctx context.Context, url string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "text/html")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, fmt.Errorf("requesting a page: %w", err)
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("requesting %s: %s", url, answer.Status)
	}
	return io.ReadAll(answer.Body)
}

// cpuTime returns the CPU time used so far by all threads of a process, from /proc/PID/task/TID/schedstat, or 0 if the
// system doesn't report it.
func cpuTime(pid int) (total time.Duration) {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	for _, file := range files {
		data, _ := os.ReadFile(file)
		var nanoseconds int64
		if _, err := fmt.Sscan(string(data), &nanoseconds); err == nil {
			total += time.Duration(nanoseconds)
		}
	}
	return total
}
