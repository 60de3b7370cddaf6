//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"vitrine/internal/lab/bench/paired"
)

// extent is a number of files, excluding folders, and their total size in bytes.
type extent struct {
	files, bytes int64
	// held is the space that the files take up on disk, rounded up to blocks, in bytes.
	held int64
}

func (e *extent) add(info fs.FileInfo) {
	e.files++
	e.bytes += info.Size()
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		e.held += stat.Blocks * 512
	}
}

// walk calls each for every file in dir, with its path relative to dir.
func walk(dir string, each func(name string, info fs.FileInfo)) error {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			each(strings.TrimPrefix(filepath.ToSlash(path), filepath.ToSlash(dir)+"/"), info)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("counting files: %w", err)
	}
	return nil
}

// count measures the build's files, grouped by purpose.
func (m *sized) count(out string) error {
	return walk(out, func(name string, info fs.FileInfo) {
		m.all.add(info)
		room, name, _ := strings.Cut(name, "/")
		switch room {
		case "manifest":
			m.manifest.add(info)
		case "coded":
			m.coded.add(info)
		case "cache":
			m.cache.add(info)
		case "cloudflare":
			m.table.add(info)
		case "public":
			m.public.add(info)
			m.kind(name, info)
		}
	})
}

// kind adds a public file to the extent for the file's purpose.
func (m *sized) kind(name string, info fs.FileInfo) {
	base := path.Base(name)
	html := strings.HasSuffix(base, ".html")
	if html {
		m.pages++
	}
	switch {
	case html && (strings.HasPrefix(name, "tags/") || path.Base(path.Dir(name)) == "page"):
		m.lists.add(info)
	case strings.HasPrefix(name, "sitemap") && strings.HasSuffix(name, ".xml"):
		m.sitemaps.add(info)
	case strings.HasPrefix(base, "llms") || strings.HasPrefix(name, "llms/"):
		m.llms.add(info)
	case strings.HasPrefix(name, "assets/search") && strings.HasSuffix(name, ".bin"):
		m.index.add(info)
	}
}

// newer counts the files in dir that were modified after since.
func newer(dir string, since time.Time) (extent, error) {
	var e extent
	err := walk(dir, func(_ string, info fs.FileInfo) {
		if info.ModTime().After(since) {
			e.add(info)
		}
	})
	return e, err
}

// query is the search query: two words that occur in many posts, as in typical queries.
const query = "feedback question"

// search returns the number and size of the index files loaded by the first search on a page, or zero if Node.js is
// missing. It runs the same script as browsers.
func (s *suite) search(ctx context.Context, out string) (extent, error) {
	node, err := exec.LookPath(s.nodeProgram)
	if err != nil {
		tell("skipping searches, because %s is missing", s.nodeProgram)
		return extent{}, nil
	}
	public := filepath.Join(out, "public")
	data, err := os.ReadFile(filepath.Join(public, "search.json"))
	if err != nil {
		return extent{}, fmt.Errorf("reading search.json: %w", err)
	}
	var start map[string]any
	if err := json.Unmarshal(data, &start); err != nil {
		return extent{}, fmt.Errorf("reading search.json: %w", err)
	}
	// Node.js recognizes a module by its file extension.
	scripts := map[string]string{}
	for _, name := range []string{"engine", "stemmer"} {
		published, _ := start[name].(string)
		body, err := os.ReadFile(filepath.Join(public, filepath.FromSlash(published)))
		if err != nil {
			return extent{}, fmt.Errorf("reading the search script: %w", err)
		}
		scripts[name] = filepath.Join(s.dir, name+".mjs")
		if err := os.WriteFile(scripts[name], body, 0o666); err != nil {
			return extent{}, err
		}
	}
	start["stemmer"] = scripts["stemmer"]
	question, err := json.Marshal(map[string]any{"engine": scripts["engine"], "folder": public, "start": start, "queries": []string{query}, "fresh": true})
	if err != nil {
		return extent{}, err
	}
	cmd := exec.CommandContext(ctx, node, "internal/search/testdata/find.mjs")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(question), os.Stderr
	said, err := cmd.Output()
	if err != nil {
		return extent{}, fmt.Errorf("searching: %w", err)
	}
	var found struct{ Count, Bytes, Files int64 }
	if err := json.Unmarshal(said, &found); err != nil {
		return extent{}, fmt.Errorf("searching: %w", err)
	}
	if found.Count == 0 {
		return extent{}, fmt.Errorf("the search for %q returned no results", query)
	}
	return extent{files: found.Files, bytes: found.Bytes}, nil
}

// serve measures vitrined's time to the first response, its memory at that point, and its CPU time until it exits. It
// records the medians of five runs.
func (m *sized) serve(ctx context.Context, server, out string) error {
	var clock, cpu, memory []float64
	for range 5 {
		if err := m.serveOnce(ctx, server, out, &clock, &cpu, &memory); err != nil {
			return fmt.Errorf("serving %s posts: %w", thousands(m.posts), err)
		}
	}
	m.start, m.startCPU, m.resident = paired.Median(clock), paired.Median(cpu), paired.Median(memory)
	return nil
}

func (m *sized) serveOnce(ctx context.Context, server, out string, clock, cpu, memory *[]float64) (err error) {
	address, err := paired.FreeAddress()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, server, "-dir", out, "-addr", address)
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		return err
	}
	defer func() {
		_ = cmd.Process.Signal(os.Interrupt)
		err = errors.Join(err, cmd.Wait())
		*cpu = append(*cpu, (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds())
	}()
	for {
		answer, err := http.Get("http://" + address + m.shape.URL(0))
		if err != nil {
			if time.Since(begun) > time.Minute {
				return fmt.Errorf("no response: %w", err)
			}
			time.Sleep(200 * time.Microsecond)
			continue
		}
		_, err = io.Copy(io.Discard, answer.Body)
		_ = answer.Body.Close()
		*clock = append(*clock, time.Since(begun).Seconds())
		if err != nil || answer.StatusCode != http.StatusOK {
			return errors.Join(err, fmt.Errorf("the first response has the status %s, want 200", answer.Status))
		}
		*memory = append(*memory, float64(paired.Resident(cmd.Process.Pid)))
		return nil
	}
}
