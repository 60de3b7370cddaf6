//go:build proof

package runtimes

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"vitrine/internal/contract"
	"vitrine/internal/edge/hosts"
	"vitrine/internal/lab/rig"
)

// tool returns the path of a program installed for the tests. It fails the test if the program is missing, so that the
// test can't pass without proving anything.
func tool(t *testing.T, below string) string {
	t.Helper()
	folder := os.Getenv("VITRINE_EDGES")
	if folder == "" {
		folder = filepath.Join(rig.Root(t), ".tools/edges")
	}
	path := filepath.Join(folder, below)
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("a tool is missing: %v; install it with make proof-tools, or set VITRINE_EDGES", err)
	}
	return path
}

// project returns a folder that looks like a site's repository after a build, with netlify.toml and build/.
func project(t *testing.T, site string) string {
	t.Helper()
	dir := t.TempDir()
	if err := rig.BuildSite(t.Context(), site, filepath.Join(dir, "build"), rig.Options{}); err != nil {
		t.Fatal(err)
	}
	config, err := os.ReadFile("../../../netlify.toml")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "netlify.toml"), config, 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// mustRun runs a command to completion and returns its output.
func mustRun(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	out, err := rig.Run(cmd)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// offline returns the environment of a tool that has a temporary home folder and connects only to this machine.
func offline(t *testing.T, more ...string) []string {
	home := t.TempDir()
	return append([]string{
		"HOME=" + home, "XDG_CONFIG_HOME=" + home, "TMPDIR=" + home, "CI=1", "NO_COLOR=1",
		"PATH=" + filepath.Dir(rig.Node(t)) + ":/usr/bin:/bin",
		"WRANGLER_SEND_METRICS=false", "CLOUDFLARE_CF_FETCH_ENABLED=false",
	}, more...)
}

// started is a server started by a test.
type started struct {
	url string
	cmd *exec.Cmd
}

// start starts a server and waits until it prints its URL, which the first group of ready captures.
func start(t *testing.T, cmd *exec.Cmd, ready *regexp.Regexp) *started {
	t.Helper()
	// The server's processes form a group so that they end together.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = nil
	out, in := io.Pipe()
	cmd.Stdout, cmd.Stderr = in, in
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	urls := make(chan string, 1)
	said := make(chan string, 1)
	go func() {
		text := ""
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if len(text) < 1<<16 {
				text += lines.Text() + "\n"
			}
			if m := ready.FindStringSubmatch(lines.Text()); m != nil {
				select {
				case urls <- m[1]:
				default:
				}
			}
		}
		said <- text
	}()
	ended := make(chan error, 1)
	go func() {
		ended <- cmd.Wait()
		_ = in.Close()
	}()
	s := &started{cmd: cmd}
	t.Cleanup(s.stop)
	select {
	case s.url = <-urls:
	case err := <-ended:
		t.Fatalf("%v ended: %v\n%s", cmd.Args, err, <-said)
	case <-time.After(3 * time.Minute):
		s.stop()
		t.Fatalf("%v is not ready after three minutes\n%s", cmd.Args, <-said)
	}
	return s
}

// stop ends a server and all processes that it started. Later calls have no effect.
func (s *started) stop() {
	if s.cmd != nil {
		// The group may have ended by itself.
		_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL)
		s.cmd = nil
	}
}

// play plays the complete contract against a platform, and prints a line with the counts. Exchanges about languages run
// on a site in four languages, and all others on the sample. deploy prepares a project and returns a function that
// starts an instance of it.
func play(t *testing.T, platform string, h *hosts.Host, deploy func(dir string) func() *started) {
	t.Helper()
	files, err := contract.Load(contract.Files())
	if err != nil {
		t.Fatal(err)
	}
	ask := func(dir, below string, target contract.Target, about func(*contract.File) bool) *contract.Report {
		var last *started
		begin := deploy(dir)
		target.Fresh = func() (string, error) {
			if last != nil {
				last.stop()
			}
			last = begin()
			return last.url + below, nil
		}
		part, err := contract.PlayFiles(t.Context(), target, slices.DeleteFunc(slices.Clone(files), func(f *contract.File) bool { return !about(f) }))
		if err != nil {
			t.Fatal(err)
		}
		return part
	}
	languages := func(f *contract.File) bool { return f.Name == "languages.txt" }
	report := ask(project(t, rig.Root(t)), "", contract.Target{
		Base: "https://parley.example",
		Can:  append([]contract.Capability{contract.ContentSignal, contract.SecurityContact}, h.Can...),
		Values: map[string]string{
			"ALIAS": "/blog/handling-objections", "ALIASED": "/blog/objection-practice",
			"DRAFT": "/blog/talk-ratio-as-a-signal", "UNLISTED": "/welcome",
		},
	}, func(f *contract.File) bool { return !languages(f) })
	target := contract.Target{
		Base: "https://acorn.example", Can: h.Can,
		Values: map[string]string{"LANGUAGE": "de", "TRANSLATED": "/de/preise", "ORIGINAL": "/pricing"},
	}
	report.Files = append(report.Files, ask(project(t, rig.Site(t, rig.LanguagesSite())), "", target, languages).Files...)
	// A site under a path of its host works too: repeat the exchanges that depend on its address.
	site := rig.LanguagesSite()
	site["content/site.yaml"] = strings.Replace(site["content/site.yaml"], target.Base, "https://user.example/a/b", 1)
	target.Base = "https://user.example/a/b"
	below := ask(project(t, rig.Site(t, site)), "/a/b", target, func(f *contract.File) bool {
		return slices.Contains([]string{"build.txt", "discovery.txt", "languages.txt", "missing.txt", "operation.txt", "pages.txt", "redirect.txt"}, f.Name)
	})
	for _, f := range below.Files {
		for _, c := range f.Cases {
			for _, failure := range c.Failures {
				if h.Explains(failure) == nil && failure.Answered != "" {
					t.Errorf("below a path: %v", failure)
				}
			}
		}
	}
	if exact, otherwise, left := below.Counts(); exact < 50 {
		t.Errorf("below a path %d exchanges alone are exact", exact)
	} else {
		fmt.Printf("%s, below a path: %d exact, %d otherwise as declared, %d not applicable\n", platform, exact, otherwise, left)
	}
	order := func(r *contract.FileReport) int {
		return slices.IndexFunc(files, func(f *contract.File) bool { return f.Name == r.Name })
	}
	slices.SortFunc(report.Files, func(a, b *contract.FileReport) int { return order(a) - order(b) })
	for _, f := range report.Files {
		for _, c := range f.Cases {
			for _, n := range c.NotApplicable {
				t.Logf("not applicable: %s:%d: %s", c.File, n.Line, n.Why)
			}
		}
	}
	declared := hold(t, report, h)
	checkTable(t, platform, report, h)
	exact, failed, notApplicable := report.Counts()
	fmt.Printf("%s: %d exact, %d otherwise as declared, %d failed, %d not applicable\n",
		platform, exact, declared, failed-declared, notApplicable)
}

// hold reports failures that aren't declared, and declared failures that didn't occur. It returns the number of
// exchanges that failed as declared.
func hold(t *testing.T, report *contract.Report, h *hosts.Host) int {
	t.Helper()
	seen := make(map[*hosts.Difference]bool)
	declared := 0
	for _, f := range report.Files {
		for _, c := range f.Cases {
			undeclared := 0
			for _, failure := range c.Failures {
				d := h.Explains(failure)
				if d == nil {
					undeclared++
					t.Error(failure)
				}
				seen[d] = true
			}
			if undeclared == 0 {
				declared += c.Failed
			}
		}
	}
	for _, d := range h.Differences {
		if !seen[d] && !d.Random {
			t.Errorf("no exchange shows this difference; remove it from edge/hosts (%s)", d.Why)
		}
	}
	return declared
}

// vitrined serves a build without an allowance until the test ends, and returns its address.
func vitrined(t *testing.T, dir string) string {
	t.Helper()
	programs, err := rig.Compile()
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	cmd := exec.CommandContext(t.Context(), programs.Vitrined, "-dir", dir, "-addr", address, "-allowance", "0")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() }) // ended by its context
	rig.Listens(t, address)
	return address
}

// testWriter writes a process's output to its test's log.
type testWriter struct{ t *testing.T }

func (w testWriter) Write(p []byte) (int, error) {
	w.t.Logf("%s", p)
	return len(p), nil
}
