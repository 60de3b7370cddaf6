//go:build unix

package faults

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// StopOptions are the options of Stop.
type StopOptions struct {
	Program Program
	// Dir is an empty folder for the site and its builds.
	Dir string
	// Builds is the number of cold builds.
	Builds int
	// Seed determines the times of the stops.
	Seed uint64
	// Log receives a line after every 20 builds.
	Log io.Writer
}

// StopReport counts builds and their disturbances.
type StopReport struct {
	// Builds is the number of builds that are byte-for-byte equal to an undisturbed build. Stops is the number of times
	// that a build was stopped and continued.
	Builds, Stops int
	// Loaded is the number of builds run while four other threads kept processors busy. Single is the number of builds
	// run with GOMAXPROCS=1.
	Loaded, Single int
}

// String returns the report as one line.
func (r StopReport) String() string {
	return fmt.Sprintf("%d cold builds, stopped %d times in total; %d builds on a busy machine and %d with GOMAXPROCS=1; all builds equal to an undisturbed build", r.Builds, r.Stops, r.Loaded, r.Single)
}

// Stop runs cold builds of a small site with many code blocks. During each build, it stops and continues the process.
// Every second build runs with GOMAXPROCS=1. During every third build, four other threads keep processors busy. Stop
// returns an error if a build differs from an undisturbed build.
func Stop(ctx context.Context, o StopOptions) (report StopReport, err error) {
	// Copy the program, so that all builds use the same program even if another test recompiles the original in place.
	program := filepath.Join(o.Dir, "vitrine")
	data, err := os.ReadFile(string(o.Program))
	if err != nil {
		return report, err
	}
	if err := os.WriteFile(program, data, 0o700); err != nil {
		return report, err
	}
	o.Program = Program(program)
	source := filepath.Join(o.Dir, "site")
	if err := writeCode(source); err != nil {
		return report, err
	}
	peace := filepath.Join(o.Dir, "peace")
	if err := o.Program.Build(ctx, source, peace); err != nil {
		return report, err
	}
	random := rand.New(rand.NewPCG(o.Seed, 2))
	for n := range o.Builds {
		cmd := o.Program.command(ctx, source, filepath.Join(o.Dir, fmt.Sprint("build-", n)))
		if n%2 == 0 {
			cmd.Env = append(cmd.Env, "GOMAXPROCS=1")
			report.Single++
		}
		relieve := func() {}
		if n%3 == 0 {
			relieve = load(4)
			report.Loaded++
		}
		stops, err := stopped(ctx, cmd, random)
		relieve()
		if err != nil {
			return report, fmt.Errorf("build %d (seed %d): %w", n, o.Seed, err)
		}
		out := cmd.Args[5]
		if err := SameTree(peace, out); err != nil {
			return report, fmt.Errorf("build %d (seed %d), stopped %d times: %w", n, o.Seed, stops, err)
		}
		if err := os.RemoveAll(out); err != nil {
			return report, err
		}
		report.Builds++
		report.Stops += stops
		if (n+1)%20 == 0 {
			fmt.Fprintln(o.Log, report)
		}
	}
	return report, nil
}

// maxStops is the maximum number of stops of one build. On a slow machine, the rest of the build runs without stops.
const maxStops = 5

// stopped runs a build and stops its process at random moments, for 0.45 s each time and at most maxStops times.
func stopped(ctx context.Context, cmd *exec.Cmd, random *rand.Rand) (stops int, err error) {
	var told strings.Builder
	cmd.Stderr = &told
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case err := <-ended:
			if err != nil {
				err = fmt.Errorf("%w\n%s", err, &told)
			}
			return stops, err
		case <-ctx.Done():
			return stops, errors.Join(ctx.Err(), <-ended)
		case <-time.After(time.Duration(random.Int64N(int64(300 * time.Millisecond)))):
		}
		if stops == maxStops {
			err := <-ended
			if err != nil {
				err = fmt.Errorf("%w\n%s", err, &told)
			}
			return stops, err
		}
		if cmd.Process.Signal(syscall.SIGSTOP) != nil {
			continue // the process has ended
		}
		time.Sleep(450 * time.Millisecond)
		if err := cmd.Process.Signal(syscall.SIGCONT); err == nil {
			stops++
		}
	}
}

// load keeps the given number of threads busy until the caller calls relieve.
func load(threads int) (relieve func()) {
	var over atomic.Bool
	for range threads {
		go func() {
			for !over.Load() {
			}
		}()
	}
	return func() { over.Store(true) }
}

// writeCode writes a site of 24 pages with code in the languages most common in articles. The code differs on each
// page.
func writeCode(dir string) error {
	s := &Source{dir: dir, random: rand.New(rand.NewPCG(1, 0))}
	err := errors.Join(s.write("site.yaml", []byte("baseURL: https://parley.example\ntitle: Parley\n")), s.write("product.yaml", []byte(s.product())))
	for i := range 24 {
		var b strings.Builder
		fmt.Fprintf(&b, "---\ntitle: Page %d\ndescription: Code in many languages, part %d.\n---\n\n", i, i)
		for block := range 16 {
			at := (i + block) % len(snippets)
			fmt.Fprintf(&b, "```%s\n%s```\n\n", snippets[at].language, strings.Repeat(strings.ReplaceAll(snippets[at].code, "N", fmt.Sprint(i, block)), 6))
		}
		name := fmt.Sprintf("p%d.md", i)
		if i == 0 {
			name = "index.md"
			for other := 1; other < 24; other++ {
				fmt.Fprintf(&b, "- [Page %d](/p%d)\n", other, other)
			}
		}
		err = errors.Join(err, s.write(name, []byte(b.String())))
	}
	return err
}

// snippets contains a few lines of code in each of several languages. "N" is replaced with a number that differs on
// each page.
var snippets = [...]struct{ language, code string }{
	{"go", "// state N\nfunc state(a, b int) (int, error) {\n\treturn a + b*N, fmt.Errorf(\"no %d\", a)\n}\n"},
	{"json", "{\"state\": N, \"list\": [1, true, null, \"text\"], \"more\": {\"a\": {\"b\": -1.5e3}}}\n"},
	{"python", "def state(a, b=N):\n    \"\"\"The state.\"\"\"\n    return [x ** 2 for x in range(a) if x != b]\n"},
	{"javascript", "const state = async (a, b) => { await fetch(`/x/${a}?n=N`); return /a[b]+/g.test(b) }\n"},
	{"yaml", "state: N\nlist: [one, two]\nmore:\n  - {a: b, c: \"d\"}\n"},
	{"html", "<!doctype html>\n<script>let a = N;</script>\n<style>p { color: red }</style>\n<p class=\"a\">Text &amp; more</p>\n"},
	{"bash", "for f in *.txt; do echo \"$f: N\" | sed 's/a/b/' >> out; done\n"},
	{"rust", "fn state<'a>(x: &'a str) -> Result<u64, Error> { let n = N_u64; Ok(n + x.len() as u64) }\n"},
	{"sql", "SELECT a, count(*) FROM state WHERE n = N AND b LIKE 'x%' GROUP BY a;\n"},
	{"css", "@media (min-width: 40em) { .state > a:hover { margin: 0 Npx; color: #fff } }\n"},
}
