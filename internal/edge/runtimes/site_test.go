//go:build edges

package runtimes

import (
	"bufio"
	"fmt"
	"io"
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
	"vitrine/internal/lab/rig"
)

// tool returns the path of something that is installed for the tests. A test
// that lacks it fails: it must not look as if it had proven anything.
func tool(t *testing.T, below string) string {
	t.Helper()
	folder := os.Getenv("VITRINE_EDGES")
	if folder == "" {
		folder = filepath.Join(rig.Root(t), ".tools/edges")
	}
	path := filepath.Join(folder, below)
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("a tool is missing: %v; run make edges, or set VITRINE_EDGES", err)
	}
	return path
}

// project is a folder as a site's repository is after its build: netlify.toml
// and build/, of the sample site.
func project(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := rig.BuildSite(t.Context(), rig.Root(t), filepath.Join(dir, "build"), rig.Options{}); err != nil {
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

// mustRun runs a command to its end and returns what it wrote.
func mustRun(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	out, err := rig.Run(cmd)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// offline is the environment of a tool: its home is a folder of the test, and
// it neither sends nor asks for anything that is not of this machine.
func offline(t *testing.T, more ...string) []string {
	home := t.TempDir()
	return append([]string{
		"HOME=" + home, "XDG_CONFIG_HOME=" + home, "TMPDIR=" + home, "CI=1", "NO_COLOR=1",
		"PATH=" + filepath.Dir(rig.Node(t)) + ":/usr/bin:/bin",
		"WRANGLER_SEND_METRICS=false", "CLOUDFLARE_CF_FETCH_ENABLED=false",
	}, more...)
}

// started is a server that a test has started.
type started struct {
	url string
	cmd *exec.Cmd
}

// start starts a server and waits until it prints its URL in a line that the
// expression's first group finds it in.
func start(t *testing.T, cmd *exec.Cmd, ready *regexp.Regexp) *started {
	t.Helper()
	// Its processes are a group of their own, so that they end together.
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
	case <-time.After(time.Minute):
		s.stop()
		t.Fatalf("%v is not ready after a minute\n%s", cmd.Args, <-said)
	}
	return s
}

// stop ends a server and all that it has started; once is enough.
func (s *started) stop() {
	if s.cmd != nil {
		// The group may have ended by itself.
		_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL)
		s.cmd = nil
	}
}

// trait is a way in which a platform's runtime answers otherwise than the
// contract says, and that nothing of ours can change. Every failure must be of
// a declared trait, and every declared trait must still be there.
type trait struct {
	// file is the file of exchanges, request and check are regular expressions
	// for the first line of the request and for the line that does not hold.
	file, request, check string
	why                  string
}

func (x trait) fits(f *contract.Failure) bool {
	request, _, _ := strings.Cut(f.Sent, "\n")
	return x.file == f.File && regexp.MustCompile(`\A(?:`+x.request+`)\z`).MatchString(request) &&
		regexp.MustCompile(`\A(?:`+x.check+`)\z`).MatchString(f.Check)
}

// play plays the whole contract against a platform, every file on an instance
// with an untouched allowance, and prints a line with the counts.
func play(t *testing.T, platform string, can []contract.Capability, traits []trait, fresh func() *started) {
	t.Helper()
	var last *started
	report, err := contract.Play(t.Context(), contract.Target{
		Base: "https://parley.example",
		Can:  append(can, contract.ContentSignal, contract.SecurityContact),
		Values: map[string]string{
			"ALIAS": "/blog/handling-objections", "ALIASED": "/blog/objection-practice",
			"DRAFT": "/blog/talk-ratio-as-a-signal", "UNLISTED": "/welcome",
		},
		Fresh: func() (string, error) {
			if last != nil {
				last.stop()
			}
			last = fresh()
			return last.url, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Files {
		for _, c := range f.Cases {
			for _, n := range c.NotApplicable {
				t.Logf("not applicable: %s:%d: %s", c.File, n.Line, n.Why)
			}
		}
	}
	declared := hold(t, report, traits)
	checkTable(t, platform, report, traits)
	exact, failed, notApplicable := report.Counts()
	fmt.Printf("%s: %d exact, %d otherwise as declared, %d failed, %d not applicable\n",
		platform, exact, declared, failed-declared, notApplicable)
}

// hold reports what fails without being declared, and what is declared without
// failing. It returns how many exchanges fail as declared.
func hold(t *testing.T, report *contract.Report, traits []trait) int {
	t.Helper()
	seen := make([]bool, len(traits))
	declared := 0
	for _, f := range report.Files {
		for _, c := range f.Cases {
			undeclared := 0
			for _, failure := range c.Failures {
				i := slices.IndexFunc(traits, func(x trait) bool { return x.fits(failure) })
				if i < 0 {
					undeclared++
					t.Error(failure)
					continue
				}
				seen[i] = true
			}
			if undeclared == 0 {
				declared += c.Failed
			}
		}
	}
	for i, x := range traits {
		if !seen[i] {
			t.Errorf("%s: %s holds %q now: take it out of the declared traits (%s)", x.file, x.request, x.check, x.why)
		}
	}
	return declared
}

// testWriter shows what a process writes in the log of its test.
type testWriter struct{ t *testing.T }

func (w testWriter) Write(p []byte) (int, error) {
	w.t.Logf("%s", p)
	return len(p), nil
}
