//go:build proof && unix

package docs_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"vitrine/internal/lab/rig"
	"vitrine/internal/lab/storage"
)

// TestCommands runs every command of every page, and checks every sample, like a reader who follows the page from its
// top: in a clean folder, in one shell, with both programs first in PATH. Exceptions need a comment in the page:
//
//	<!-- run: in a new site -->         the page starts in the folder of a site made by vitrine new site
//	<!-- run: in the sample site -->    the page starts in a copy of the repository's site
//	<!-- run: with a built site -->     the folder old-site contains the output of another generator, next to its sitemap
//	<!-- run: with a release -->        the folder has the archive of a release, with its checksums, from here on
//	<!-- run: after Ctrl-C -->          the reader ends the server before the next block
//	<!-- run: fails 1 -->               the next block ends with this exit code
//	<!-- run: reports V024 -->          the next sample is wrong, and check reports this code
//	<!-- not run: why -->               the next block can't run here; it is counted, and the reason printed
//
// A `console` block has its output after each command. A line of … matches any lines, and … in a line matches any text.
// A sample with a title is the file of that name. Other samples are checked in a separate site: YAML as settings,
// facts, or front matter, depending on its keys, and Markdown as a page. Servers continue in the background until the
// page ends. The environment has the credentials and the address of an object storage bucket.
func TestCommands(t *testing.T) {
	r := newReader(t)
	all := tally{reasons: make(map[string]int)}
	t.Cleanup(func() { all.report(t) })
	for _, name := range pagesWithCommands(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(filepath.Join(rig.Root(t), name))
			if err != nil {
				t.Fatal(err)
			}
			run(t, name, readBlocks(string(text)), r, &all)
		})
	}
}

// tally counts all commands and samples, the commands run, and the samples checked.
type tally struct {
	mu                            sync.Mutex
	commands, run, samples, tried int
	left                          []string
	reasons                       map[string]int // number of commands not run, keyed by requirement
}

func (a *tally) report(t *testing.T) {
	slices.Sort(a.left)
	for _, reason := range a.left {
		t.Log("not run:", reason)
	}
	byReason := slices.SortedFunc(maps.Keys(a.reasons), func(x, y string) int {
		return cmp.Or(a.reasons[y]-a.reasons[x], strings.Compare(x, y))
	})
	for _, reason := range byReason {
		t.Logf("%d not run: %s", a.reasons[reason], reason)
	}
	t.Logf("commands: %d of %d run; samples: %d of %d read", a.run, a.commands, a.tried, a.samples)
}

// need returns the requirement under which the report counts a block that isn't run. It is the first word in this list
// that the reason contains, or otherwise the entire reason.
func need(reason string) string {
	for _, n := range []string{"account", "ssh", "systemd", "root", "release", "minutes", "registry", "certificate", "test"} {
		if strings.Contains(reason, n) {
			return n
		}
	}
	return reason
}

// packRelease packs the programs into an archive like a release's, with a list of checksums that also names another
// archive.
const packRelease = `name=vitrine_1.2.3_linux_amd64
mkdir "$name" && cp "$VITRINE" "$VITRINED" "$name"/ && tar -czf "$name.tar.gz" "$name" && rm -r "$name" || exit 96
{ sha256sum "$name.tar.gz" && echo "$(printf '%064d' 0)  vitrine_1.2.3_darwin_arm64.tar.gz"; } >SHA256SUMS || exit 96
`

// endServers stops the servers that the page started, and waits until their port is free.
const endServers = `for file in "$SERVERS"/*.pid; do kill "$(cat "$file")" && rm "$file"; done
for _ in $(seq 100); do "$CURL" -s -o "$SERVERS/answer" "http://127.0.0.1:$PORT/" || break; sleep 0.1; done
`

// run runs the commands of a page and checks its samples.
func run(t *testing.T, name string, blocks []block, r reader, all *tally) {
	dir, state := filepath.Join(t.TempDir(), "work"), t.TempDir()
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	port := freePort(t)
	script := &strings.Builder{}
	fmt.Fprintf(script, "set -u\ncd %q\n", dir)
	script.WriteString("check() { # line, wanted exit code, found\n[ \"$2\" = \"$3\" ] || { echo \"line $1 exits $3, not $2\"; exit 99; }\n}\n")
	var commands []command
	titled := make(map[string]string)
	for i, b := range blocks {
		switch {
		case b.newSite:
			script.WriteString("vitrine new site --root . Acorn >/dev/null || exit 98\n")
			script.WriteString("[ -d acorn ] && { shopt -s dotglob; mv acorn/* . && rmdir acorn; }\n")
		case b.ourOwn:
			if err := os.CopyFS(filepath.Join(dir, "content"), os.DirFS(filepath.Join(rig.Root(t), "content"))); err != nil {
				t.Fatal(err)
			}
		case b.oldSite:
			fmt.Fprintf(script, "cp -R %q/. . || exit 98\n", filepath.Join(rig.Root(t), "internal/lab/docs/testdata/old-site"))
		}
		if b.ended {
			script.WriteString(endServers)
		}
		if b.release {
			script.WriteString(packRelease)
		}
		switch {
		case b.isShell():
			list := b.commands()
			all.mu.Lock()
			all.commands += len(list)
			if b.notRun != "" {
				all.left = append(all.left, fmt.Sprintf("%s:%d, %d: %s", name, b.line, len(list), b.notRun))
				all.reasons[need(b.notRun)] += len(list)
			}
			all.mu.Unlock()
			if b.notRun != "" {
				continue
			}
			for _, c := range list {
				fmt.Fprintf(script, "{\n%s\n} >%s/%d.out 2>&1; check %d %d $?\n", c.text, state, len(commands), c.line, c.fails)
				commands = append(commands, c)
			}
		case slices.Contains([]string{"yaml", "markdown", "html", "json", "toml", "css", "js", "txt", "text"}, b.language):
			isSample := b.language == "yaml" || b.language == "markdown"
			if isSample {
				all.mu.Lock()
				all.samples++
				if b.notRun != "" {
					all.left = append(all.left, fmt.Sprintf("%s:%d, a sample: %s", name, b.line, b.notRun))
				} else {
					all.tried++
				}
				all.mu.Unlock()
			}
			switch {
			case b.notRun != "":
			case b.title != "":
				titled[b.title] = b.text
				// The script copies the file to the reader's current folder at this point.
				source := filepath.Join(state, fmt.Sprintf("file%d", i))
				if err := os.WriteFile(source, []byte(b.text), 0o666); err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(script, "mkdir -p \"$(dirname %q)\" && cp %q %q || exit 97\n", b.title, source, b.title)
			case isSample:
				trySample(t, name, b, titled)
			}
		}
	}
	if len(commands) == 0 {
		if len(titled) > 0 {
			tryFiles(t, name, block{line: 1}, titled)
		}
		return
	}
	ctx, cancel := context.WithTimeout(t.Context(), 12*time.Minute) // a build from source is slow if Go's cache is empty
	defer cancel()
	shell := exec.CommandContext(ctx, "bash", "-c", script.String())
	shell.Dir = dir
	bucket := httptest.NewServer(&storage.Memory{})
	t.Cleanup(bucket.Close)
	shell.Env = append(environment(r, state, port, freePort(t)),
		"AWS_ENDPOINT_URL="+bucket.URL, "AWS_REGION=eu-central-1", "AWS_ACCESS_KEY_ID=key", "AWS_SECRET_ACCESS_KEY=secret")
	shell.WaitDelay = time.Second
	var out bytes.Buffer
	shell.Stdout, shell.Stderr = &out, &out
	err := shell.Run()
	stopServers(state)
	printed := func(i int) string {
		text, _ := os.ReadFile(filepath.Join(state, fmt.Sprintf("%d.out", i)))
		return string(text)
	}
	done := 0
	for i := range commands {
		if _, err := os.Stat(filepath.Join(state, fmt.Sprintf("%d.out", i))); err == nil {
			done++
		}
	}
	if err != nil {
		last := max(done-1, 0)
		t.Fatalf("%s:%d: %s\n%s\n%s(%v)", name, commands[last].line, commands[last].text, strings.TrimSpace(out.String()), printed(last), err)
	}
	all.mu.Lock()
	all.run += done
	all.mu.Unlock()
	for i, c := range commands {
		got := strings.ReplaceAll(strings.ReplaceAll(printed(i), dir+"/", ""), fmt.Sprint(port), "8080")
		if c.checked && !matches(c.want, got) {
			t.Errorf("%s:%d: %s prints\n%s\nthe page says\n%s", name, c.line, c.text, got, c.want)
		}
	}
}

// matches reports whether output matches the expected output. A … matches any text in a line, and a line that
// contains only … matches any number of lines.
func matches(want, got string) bool {
	pattern := regexp.QuoteMeta(strings.TrimSpace(want))
	pattern = regexp.MustCompile(`(?m)^…$`).ReplaceAllString(pattern, `(?s:.*)`)
	pattern = strings.ReplaceAll(pattern, "…", ".*")
	return regexp.MustCompile(`^(?:` + pattern + `)$`).MatchString(strings.TrimSpace(got))
}

// environment returns the environment of a reader who has the programs but no settings, in a terminal without
// prompts.
func environment(r reader, state string, port, admin int) []string {
	return append([]string{
		"PATH=" + r.bin + string(filepath.ListSeparator) + os.Getenv("PATH"), "HOME=" + state, "TMPDIR=" + state, "LANG=C.UTF-8", "TERM=dumb",
		"SERVERS=" + state, fmt.Sprintf("PORT=%d", port), fmt.Sprintf("ADMIN=%d", admin),
	}, r.tools...)
}

// reader contains the folder that comes first in a reader's PATH, and environment variables for the scripts in that
// folder.
type reader struct {
	bin   string
	tools []string
}

func newReader(t *testing.T) reader {
	t.Helper()
	programs, err := rig.Compile()
	if err != nil {
		t.Fatal(err)
	}
	r := reader{t.TempDir(), []string{
		"VITRINE=" + programs.Vitrine, "VITRINED=" + programs.Vitrined, "CURL=" + rig.Tool(t, "curl"),
		"GO=" + rig.Tool(t, "go"), "CHECKOUT=" + rig.Root(t),
	}}
	// Reuse Go's caches, although the reader has a different home folder.
	for _, name := range []string{"GOCACHE", "GOMODCACHE"} {
		value, err := rig.Run(exec.Command("go", "env", name))
		if err != nil {
			t.Fatal(err)
		}
		r.tools = append(r.tools, name+"="+strings.TrimSpace(value))
	}
	// The programs from sudo on are never run, because they would change the machine or send requests to other hosts.
	for _, name := range strings.Fields("vitrine vitrined go curl " +
		"sudo systemctl systemd-run service useradd apt-get make npm npx docker nginx caddy varnishd apache2 ssh fly aws git") {
		if err := os.Symlink(filepath.Join(rig.Root(t), "internal/lab/docs/testdata/reader.sh"), filepath.Join(r.bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// stopServers stops the servers that a page left running.
func stopServers(state string) {
	files, _ := filepath.Glob(filepath.Join(state, "*.pid"))
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil {
			if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil {
				if process, err := os.FindProcess(pid); err == nil {
					_ = process.Kill()
				}
			}
		}
	}
}
