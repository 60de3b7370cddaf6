//go:build proof && linux

package deploy_test

import (
	"io"
	"log"
	"net"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vitrine/internal/bucket"
	"vitrine/internal/lab/rig"
	"vitrine/internal/lab/storage"
)

// newGateway starts an object storage server, which stores objects as files in the returned folder.
func newGateway(t *testing.T) (c *cloud, objects string) {
	t.Helper()
	top := t.TempDir()
	if err := os.Mkdir(filepath.Join(top, "sites"), 0o755); err != nil {
		t.Fatal(err)
	}
	address := freeAddress(t)
	cmd := exec.Command(rig.Tool(t, "versitygw", ".tools/bin/versitygw-1.8.0"), "--port", address, "--access", "key", "--secret", secret, "--keep-alive", "--quiet", "posix", top)
	running(t, cmd)
	rig.Listens(t, address)
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: address})
	proxy.ErrorLog = log.New(io.Discard, "", 0) // killed clients cause errors
	c = &cloud{faults: &storage.Faults{Next: proxy}, address: "s3://sites/acorn"}
	front := httptest.NewServer(c.faults)
	t.Cleanup(front.Close)
	c.environ = append(os.Environ(), "AWS_ACCESS_KEY_ID=key", "AWS_SECRET_ACCESS_KEY="+secret, "AWS_REGION=us-east-1", "AWS_ENDPOINT_URL="+front.URL)
	return c, filepath.Join(top, "sites", "acorn")
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// running starts a program, and kills it when the test ends.
func running(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
}

// On a real object storage server, a watching pull makes vitrined serve new builds without a failed request, and
// rejects truncated and modified objects.
func TestPullFromGateway(t *testing.T) {
	t.Parallel()
	c, objects := newGateway(t)
	builds := []string{built(t, "Title One"), built(t, "Title Two"), built(t, "Title Three")}
	c.must(t, "deploy", c.address, "--build", builds[0])
	r := newReplica(t, c)
	l := rig.StartLoad(t, 4, builds, r.url)
	c.must(t, "deploy", c.address, "--build", builds[1])
	r.serves(t, builds[1])
	l.After(t, 1, 50)

	// Damage an object that only the third build has, before the replica pulls that build.
	r.stop()
	c.must(t, "deploy", c.address, "--build", builds[2])
	old := make(map[bucket.ID]bool)
	for o := range bucket.Objects(rig.Open(t, builds[1]).Manifest) {
		old[o.ID] = true
	}
	name := ""
	for o := range bucket.Objects(rig.Open(t, builds[2]).Manifest) {
		if !old[o.ID] && o.Size > 100 {
			name = filepath.Join(objects, filepath.FromSlash(o.Key()))
		}
	}
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for kind, body := range map[string][]byte{"truncated": whole[:50], "other bytes": append([]byte("x"), whole[1:]...)} {
		overwrite(t, name, body)
		if code, out := c.run(t, "pull", c.address, r.dir); code != 1 || !strings.Contains(out, "the content does not match the build") && !strings.Contains(out, "incomplete") {
			t.Errorf("%s: the pull ends with %d:\n%s", kind, code, out)
		}
		pulled(t, r.dir, builds[1])
	}
	r.watch(t)
	time.Sleep(300 * time.Millisecond)
	r.serves(t, builds[1])
	overwrite(t, name, whole)
	r.serves(t, builds[2])
	l.After(t, 2, 50)
	t.Logf("%v", l.Stop(t))
}

// overwrite replaces the bytes of an object without changing its ETag and header fields.
func overwrite(t *testing.T, name string, body []byte) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(body); err != nil {
		t.Fatal(err)
	}
}
