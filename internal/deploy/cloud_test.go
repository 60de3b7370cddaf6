//go:build unix

package deploy_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/artifact"
	"vitrine/internal/bucket"
	"vitrine/internal/deploy"
	"vitrine/internal/lab/rig"
	"vitrine/internal/lab/storage"
)

// secret is in the environment of each deploy, and must not appear in any output.
const secret = "a-secret-that-is-in-no-output"

// shortLease is the lease of the deploys in tests, so that the lock of a killed deploy expires soon.
const shortLease = 400 * time.Millisecond

// TestMain runs a deploy if the arguments are deploy-to-bucket, a build, a target, and optionally a lease (by default
// shortLease). Otherwise, it runs the tests.
func TestMain(m *testing.M) {
	if len(os.Args) < 2 || os.Args[1] != "deploy-to-bucket" {
		os.Exit(m.Run())
	}
	b, err := artifact.Open(os.Args[2])
	lease := shortLease
	if err == nil && len(os.Args) > 4 {
		lease, err = time.ParseDuration(os.Args[4])
	}
	if err == nil {
		err = deploy.Run(context.Background(), deploy.Options{
			Build: b, Dir: os.Args[2], Target: os.Args[3], Keep: 1, Lease: lease, Wait: time.Minute,
			Report: func(s string) { fmt.Fprintln(os.Stderr, s) },
		})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// cloud is a bucket behind a proxy that can simulate failures. memory is nil if the bucket is on a real storage server.
type cloud struct {
	faults  *storage.Faults
	address string
	environ []string
	memory  *storage.Memory
}

func newCloud(t *testing.T) *cloud {
	t.Helper()
	memory := &storage.Memory{}
	c := &cloud{faults: &storage.Faults{Next: memory}, address: "s3://sites/acorn", memory: memory}
	front := httptest.NewServer(c.faults)
	t.Cleanup(front.Close)
	c.environ = append(os.Environ(), "AWS_ACCESS_KEY_ID=key", "AWS_SECRET_ACCESS_KEY="+secret, "AWS_REGION=us-east-1", "AWS_ENDPOINT_URL="+front.URL)
	return c
}

// run runs vitrine and returns its exit code and its output.
func (c *cloud) run(t *testing.T, arguments ...string) (int, string) {
	t.Helper()
	programs, err := rig.Compile()
	if err != nil {
		t.Fatal(err)
	}
	return c.ends(t, exec.Command(programs.Vitrine, arguments...))
}

// command returns the command of a deploy with a short lease.
func (c *cloud) command(build string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "deploy-to-bucket", build, c.address)
	cmd.Env = c.environ
	return cmd
}

func (c *cloud) ends(t *testing.T, cmd *exec.Cmd) (int, string) {
	t.Helper()
	cmd.Env = c.environ
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if strings.Contains(string(out), secret) {
		t.Errorf("the output has the secret:\n%s", out)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// must runs vitrine, which must succeed, and returns its output.
func (c *cloud) must(t *testing.T, arguments ...string) string {
	t.Helper()
	code, out := c.run(t, arguments...)
	if code != 0 {
		t.Fatalf("vitrine %q ends with %d:\n%s", arguments, code, out)
	}
	return out
}

// store opens the bucket. It sets environment variables, so tests that use it can't be parallel.
func (c *cloud) store(t *testing.T) *bucket.Store {
	t.Helper()
	for _, pair := range c.environ[len(c.environ)-4:] {
		name, value, _ := strings.Cut(pair, "=")
		t.Setenv(name, value)
	}
	s, err := bucket.Open(c.address)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// whole checks that the bucket's current build is complete and that every object matches its hash. It returns the
// build's name, or "" if there is no build.
func (c *cloud) whole(t *testing.T, s *bucket.Store) string {
	t.Helper()
	current, err := s.Current(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if current.Name() == "" {
		return ""
	}
	m, err := s.Manifest(t.Context(), current.Builds[0])
	if err != nil {
		t.Fatalf("the manifest of the current build: %v", err)
	}
	if name := artifact.BuildName(m.Build); name != current.Name() {
		t.Fatalf("the build %s has the manifest of %s", current.Name(), name)
	}
	for o := range bucket.Objects(m) {
		found, ok := c.memory.Get(strings.TrimPrefix(c.address, "s3://sites/") + "/" + o.Key())
		if want := m.Body(o.Body); !ok || int64(len(found.Body)) != want.Size || xxhash.Sum64(found.Body) != want.Hash {
			t.Fatalf("the current build lacks %s, or has other bytes there", o.Key())
		}
	}
	return current.Name()
}

func nameOf(t *testing.T, dir string) string {
	t.Helper()
	b := rig.Open(t, dir)
	return artifact.BuildName(b.Manifest.Build)
}
