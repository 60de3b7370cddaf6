package main

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"io"
	"iter"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/preview"
)

// previewed is a site with a running preview, which ends with the test.
type previewed struct {
	t    *testing.T
	root string
	url  string
	// next returns the next event in the stream of /week.
	next func() (preview.Event, error, bool)
	// said receives the lines that the preview writes to the terminal.
	said chan string
}

// lines is a writer that sends each write, which must be a complete line, to the channel.
type lines chan string

func (l lines) Write(b []byte) (int, error) {
	l <- string(b)
	return len(b), nil
}

const previewPage = "---\ntitle: The week\ndescription: What Acorn does on Mondays, so that the rest of the week is quiet.\nunlisted: true\n---\n\n"

// startPreview previews a scaffolded site with one additional page until the end of the test. The test fails if the
// preview leaves temporary files other than its own folder or a build in the site.
func startPreview(t *testing.T) *previewed {
	t.Helper()
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	p := &previewed{t: t, root: filepath.Join(t.TempDir(), "site"), said: make(chan string, 100)}
	if code := run(t.Context(), []string{"new", "site", p.root, "--title", "Acorn"}, io.Discard, testWriter{t}); code != exitOK {
		t.Fatalf("vitrine new site exits %d", code)
	}
	p.write("week.md", previewPage+"On Mondays.\n")
	ctx, cancel := context.WithCancel(t.Context())
	said, stdout := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"preview", "--root", p.root, "--addr", "127.0.0.1:0"}, stdout, io.MultiWriter(testWriter{t}, lines(p.said)))
		_ = stdout.Close()
	}()
	line := make([]byte, 1<<10)
	n, err := said.Read(line)
	if err != nil {
		t.Fatalf("the preview ended with %d", <-ended)
	}
	p.url = strings.TrimSuffix(regexp.MustCompile(`http:\S+/`).FindString(string(line[:n])), "/")
	next, stop := iter.Pull2(preview.Follow(ctx, p.url, "/week"))
	p.next = next
	t.Cleanup(func() {
		stop()
		cancel()
		if code := <-ended; code != exitOK {
			t.Errorf("vitrine preview exits %d", code)
		}
		if left, _ := filepath.Glob(filepath.Join(temp, "*")); len(left) != 1 || !strings.HasPrefix(filepath.Base(left[0]), "vitrine-preview-") {
			t.Errorf("left behind: %v", left)
		}
		if _, err := os.Stat(filepath.Join(p.root, "build")); err == nil {
			t.Error("the site has a build")
		}
	})
	return p
}

func (p *previewed) write(name, text string) {
	p.t.Helper()
	if err := os.WriteFile(filepath.Join(p.root, "content", name), []byte(text), 0o666); err != nil {
		p.t.Fatal(err)
	}
}

// rebuilt waits until the preview reports a successful rebuild.
func (p *previewed) rebuilt() {
	for line := range p.said {
		if strings.HasPrefix(line, "rebuilt in ") {
			return
		}
	}
}

// event waits for the next event and fails the test unless it has the given name.
func (p *previewed) event(name string) preview.View {
	p.t.Helper()
	event, err, ok := p.next()
	if err != nil || !ok || event.Name != name {
		p.t.Fatalf("the next event is %q (%v), want %q: %+v", event.Name, err, name, event.View)
	}
	return event.View
}

func (p *previewed) get(path string) string {
	p.t.Helper()
	request, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, p.url+path, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(body)
}

// The stream of a page sends the current state, and then an event after each change: a reload if the page differs,
// otherwise the problems. The event contains the duration and the changed files. When an event arrives, the server
// already serves the announced page.
func TestPreviewStream(t *testing.T) {
	p := startPreview(t)
	hello := p.event(preview.EventHello)
	if hello.Page.Source != "content/week.md" || hello.Page.Words != 2 || hello.Page.Twin != "/week.md" || hello.Failed {
		t.Errorf("the page is told %+v", hello)
	}

	p.write("week.md", previewPage+"On Tuesdays.\n")
	changed := p.event(preview.EventReload)
	if changed.Number <= hello.Number || changed.Took <= 0 || changed.Build == hello.Build || !slices.Equal(changed.Changed, []string{"content/week.md"}) {
		t.Errorf("a change is told as %+v", changed)
	}
	if body := p.get("/week"); !strings.Contains(body, "On Tuesdays.") || !strings.Contains(body, changed.Build) {
		t.Error("the page is not the one that the reload was told for")
	}
	// The page was shown before the build was complete. The build contains the same page, so the stream sends no event
	// for the build.
	p.rebuilt()
	if body := p.get("/week"); !strings.Contains(body, "On Tuesdays.") || !strings.Contains(body, changed.Build) {
		t.Error("the build has another page than was shown ahead of it")
	}

	p.write("week.md", previewPage+"[x](nowhere.md)\n")
	broken := p.event(preview.EventProblems)
	if !broken.Failed || broken.Errors != 1 || broken.Build != changed.Build || !broken.Problems[0].Here || broken.Problems[0].Line != 7 {
		t.Errorf("an error is told as %+v", broken)
	}
	if body := p.get("/week"); !strings.Contains(body, "On Tuesdays.") {
		t.Error("the last good build is not served")
	}

	p.write("week.md", previewPage+"On Tuesdays.\n")
	if mended := p.event(preview.EventProblems); mended.Failed || mended.Build != changed.Build {
		t.Errorf("an error that is taken back is told as %+v", mended)
	}
}

// The preview reports an unusable address, a missing folder, and invalid arguments.
func TestPreviewUsage(t *testing.T) {
	for _, c := range []struct {
		arguments []string
		code      int
		want      string
	}{
		{[]string{"--addr", "256.0.0.1:0", "--root", "../.."}, exitFailed, "choose another address with --addr"},
		{[]string{"--root", "no-such-folder", "--addr", "127.0.0.1:0"}, exitFailed, "no such file or directory"},
		{[]string{"now"}, exitUsage, `unexpected argument "now"; vitrine preview takes no arguments`},
		{[]string{"--poll", "-1s"}, exitUsage, "--poll: want a positive duration such as 1s, found -1s"},
	} {
		var stderr strings.Builder
		if code := run(t.Context(), append([]string{"preview"}, c.arguments...), io.Discard, &stderr); code != c.code || !strings.Contains(stderr.String(), c.want) {
			t.Errorf("preview %v exits %d with\n%s", c.arguments, code, stderr.String())
		}
	}
}

// If only the text of a page changes, the page is shown before the build is complete. The build contains the same page,
// so it isn't announced again. Other changes are shown after the build.
func TestPreviewAhead(t *testing.T) {
	p := startPreview(t)
	p.event(preview.EventHello)
	if err := os.WriteFile(filepath.Join(p.root, "content", "dot.png"), dot(t), 0o666); err != nil {
		t.Fatal(err)
	}
	p.event(preview.EventReload)
	p.rebuilt()
	for _, c := range []struct {
		name, text, shown string
		ahead             bool
	}{
		{"text", previewPage + "On Tuesdays.\n", "On Tuesdays.", true},
		{"links, headings, code and facts", previewPage + "## Days\n\n[Home](index.md), [days](#days), {{ name }}\n\n```go\nx := 1\n```\n", "Acorn", true},
		{"an image that no page showed", previewPage + "![A dot](dot.png)\n", "dot.png", true},
		{"the description", strings.Replace(previewPage, "Mondays", "Fridays", 1) + "![A dot](dot.png)\n", "Fridays", false},
		{"text after the description", strings.Replace(previewPage, "Mondays", "Fridays", 1) + "On Fridays.\n", "On Fridays.", true},
	} {
		p.write("week.md", c.text)
		view := p.event(preview.EventReload)
		if ahead := strings.HasPrefix(view.Build, "page-"); ahead != c.ahead {
			t.Errorf("%s: shown ahead of the build: %t, want %t", c.name, ahead, c.ahead)
		}
		for _, when := range []string{"when it was told", "when the site was built"} {
			if body := p.get("/week"); !strings.Contains(body, c.shown) || !strings.Contains(body, view.Build) {
				t.Errorf("%s: %s, the page was another", c.name, when)
			}
			if !strings.HasPrefix(when, "when the site") {
				p.rebuilt()
			}
		}
	}
	p.write("week.md", previewPage+"On Tuesdays.\n")
	if view := p.event(preview.EventReload); view.Number != 8 {
		t.Errorf("the event after all these is of build %d, want 8: a page was told twice", view.Number)
	}
}

// dot returns a PNG image of one pixel.
func dot(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
