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

	"vitrine/internal/bench/corpus"
	"vitrine/internal/bench/paired"
)

// patience is how long a preview may take for anything.
const patience = 2 * time.Minute

// previewing is a running `vitrine preview` and an open page of it.
type previewing struct {
	cmd  *exec.Cmd
	base string
	// events are the names of what the page is told; closed when it is told no
	// more.
	events chan string
	page   io.Closer
	said   bytes.Buffer
}

// startPreview starts a preview and waits until its first build is served.
func (s *suite) startPreview(ctx context.Context, root string) (_ *previewing, err error) {
	p := &previewing{events: make(chan string, 16)}
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
		return nil, fmt.Errorf("the preview does not say where it is: %q", line)
	}
	return p, p.listen(ctx)
}

// listen opens the stream of events that a page of the preview opens, and waits
// for the first.
func (p *previewing) listen(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.base+"/.vitrine/events?path=/", nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("listening to a preview: %w", err)
	}
	p.page = answer.Body
	if kind := answer.Header.Get("Content-Type"); kind != "text/event-stream" {
		return fmt.Errorf("the preview's events are %s with status %d", kind, answer.StatusCode)
	}
	go func() {
		defer close(p.events)
		lines := bufio.NewScanner(answer.Body)
		lines.Buffer(nil, 16<<20)
		for lines.Scan() {
			if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				p.events <- name
			}
		}
	}()
	return p.await(ctx, "hello")
}

// await waits for an event.
func (p *previewing) await(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		select {
		case <-ctx.Done():
			return fmt.Errorf("waiting for the preview's %q: %w", name, ctx.Err())
		case event, ok := <-p.events:
			if !ok {
				return errors.New("the preview ended the stream of events")
			}
			if event == name {
				return nil
			}
		}
	}
}

// save writes a post and waits until its page has the text.
func (p *previewing) save(ctx context.Context, root string, post corpus.Post, text string) (paired.Sample, error) {
	before := cpuTime(p.cmd.Process.Pid)
	start := time.Now()
	if err := corpus.WritePost(root, post); err != nil {
		return paired.Sample{}, err
	}
	for {
		if err := p.await(ctx, "reload"); err != nil {
			return paired.Sample{}, err
		}
		page, err := fetch(ctx, p.base+"/blog/"+post.Name)
		if err != nil {
			return paired.Sample{}, err
		}
		if bytes.Contains(page, []byte(text)) {
			took := time.Since(start)
			return paired.Sample{Wall: took, CPU: cpuTime(p.cmd.Process.Pid) - before}, nil
		}
	}
}

// stop ends the preview.
func (p *previewing) stop() {
	if p.page != nil {
		_ = p.page.Close()
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
		return nil, fmt.Errorf("asking for a page: %w", err)
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("asking for %s: %s", url, answer.Status)
	}
	return io.ReadAll(answer.Body)
}

// cpuTime is what all threads of a process have had of the processors so far; 0
// where the system does not tell (Linux does, in /proc/PID/task/TID/schedstat).
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
