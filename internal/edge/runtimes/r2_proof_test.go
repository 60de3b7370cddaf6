//go:build proof

package runtimes

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/edge/hosts"
	"vitrine/internal/lab/differential"
	"vitrine/internal/lab/rig"
	"vitrine/internal/lab/storage"
)

// A Worker in front of a bucket that `vitrine deploy --edge` filled responds as vitrined does. The Worker runs in
// workerd, with a local bucket. If the current build has no table, the Worker keeps serving the previous build.
func TestDifferentialR2(t *testing.T) {
	dir := filepath.Join(project(t, rig.Root(t)), "build")
	objects := newR2Bucket(t).deploy(t, dir).objects(t)
	worker, name := differsAtR2(t, dir, objects)
	putR2(t, worker.url, "acorn/current", bytes.Replace(objects["acorn/current"], []byte(name), []byte("another"), 1))
	time.Sleep(3 * time.Second) // an isolate checks for a new build every two seconds
	for range 3 {
		if status, served := r2Build(t, worker.url); status != http.StatusOK || served != name {
			t.Errorf("with a build that has no table, the Worker responds with %d, build %q", status, served)
		}
	}
}

// A Worker and a replica on a bucket with records, whose current build is sparse, respond as vitrined does with the
// full build.
func TestDifferentialR2Sparse(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1795000000")
	site, top := t.TempDir(), t.TempDir()
	if err := os.CopyFS(filepath.Join(site, "content"), os.DirFS(filepath.Join(rig.Root(t), "content"))); err != nil {
		t.Fatal(err)
	}
	b := newR2Bucket(t)
	first, full, sparse, replica := filepath.Join(top, "first"), filepath.Join(top, "full"), filepath.Join(top, "sparse"), filepath.Join(top, "replica")
	b.vitrine(t, "build", "--root", site, "--out", first)
	b.deploy(t, first)
	page := filepath.Join(site, "content", "pricing.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(page, append(text, "\nOne more sentence.\n"...), 0o666); err != nil {
		t.Fatal(err)
	}
	b.vitrine(t, "build", "--root", site, "--out", full)
	b.vitrine(t, "build", "--root", site, "--out", sparse, "--since", "s3://sites/acorn")
	b.deploy(t, sparse)
	objects := b.objects(t)
	if !strings.Contains(string(objects["acorn/current"]), `"last-index"`) {
		t.Errorf("the current build has no records: %s", objects["acorn/current"])
	}
	differsAtR2(t, full, objects)
	b.vitrine(t, "pull", "s3://sites/acorn", replica)
	report, err := (&differential.Comparison{
		Host: hosts.ByName("vitrined"), Vitrined: vitrined(t, full), Other: vitrined(t, filepath.Join(replica, "build")),
		Manifest: rig.Open(t, full).Manifest, Seed: *seed, Questions: *questions,
	}).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range report.Groups {
		t.Errorf("the replica: %v", g)
	}
}

// differsAtR2 compares a Worker on a bucket's objects with vitrined on a full build in a folder.
func differsAtR2(t *testing.T, dir string, objects map[string][]byte) (worker *started, name string) {
	t.Helper()
	manifest := rig.Open(t, dir).Manifest
	worker = startR2(t)
	if status, _ := r2Build(t, worker.url); status != http.StatusServiceUnavailable {
		t.Errorf("without a build the Worker responds with %d", status)
	}
	for key, body := range objects {
		putR2(t, worker.url, key, body)
	}
	name = artifact.BuildName(manifest.Build)
	rig.Until(t, "the Worker has the build", func() bool { _, served := r2Build(t, worker.url); return served == name })
	report, err := (&differential.Comparison{
		Host: hosts.ByName("cloudflare"), Vitrined: vitrined(t, dir), Other: strings.TrimPrefix(worker.url, "http://"),
		Manifest: manifest, Seed: *seed, Questions: *questions,
	}).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range report.Groups {
		t.Error(g)
	}
	t.Logf("R2: %d questions, %d answered otherwise as declared, %d groups undeclared", report.Asked, report.Differed, len(report.Groups))
	return worker, name
}

// r2Build requests the home page, and returns its status and its build.
func r2Build(t *testing.T, url string) (status int, build string) {
	t.Helper()
	answer, err := http.Get(url + "/")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	return answer.StatusCode, answer.Header.Get(artifact.FieldBuild)
}

// putR2 puts an object into the Worker's bucket.
func putR2(t *testing.T, url, key string, body []byte) {
	t.Helper()
	request, err := http.NewRequest(http.MethodPut, url+"/__object/"+key, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("writing %s gets %s", key, answer.Status)
	}
}

// r2Bucket is a bucket in memory, with the environment variables that vitrine needs to reach it.
type r2Bucket struct {
	memory  *storage.Memory
	environ []string
	program string
}

func newR2Bucket(t *testing.T) *r2Bucket {
	t.Helper()
	programs, err := rig.Compile()
	if err != nil {
		t.Fatal(err)
	}
	memory := &storage.Memory{}
	server := httptest.NewServer(memory)
	t.Cleanup(server.Close)
	environ := append(os.Environ(), "AWS_ACCESS_KEY_ID=key", "AWS_SECRET_ACCESS_KEY=secret", "AWS_REGION=us-east-1", "AWS_ENDPOINT_URL="+server.URL)
	return &r2Bucket{memory, environ, programs.Vitrine}
}

// vitrine runs vitrine with the bucket's variables.
func (b *r2Bucket) vitrine(t *testing.T, arguments ...string) {
	t.Helper()
	cmd := exec.Command(b.program, arguments...)
	cmd.Env = b.environ
	mustRun(t, cmd)
}

func (b *r2Bucket) deploy(t *testing.T, build string) *r2Bucket {
	t.Helper()
	b.vitrine(t, "deploy", "s3://sites/acorn", "--build", build, "--edge")
	return b
}

// objects returns the bucket's objects. It disables the allowance in the tables, because 120 requests would use it up.
func (b *r2Bucket) objects(t *testing.T) map[string][]byte {
	t.Helper()
	objects, tables := make(map[string][]byte), 0
	for _, key := range b.memory.Keys("") {
		o, _ := b.memory.Get(key)
		if strings.HasPrefix(key, "acorn/tables/") {
			unlimited := bytes.Replace(o.Body, []byte(`"limit":120`), []byte(`"limit":0`), 1)
			if bytes.Equal(unlimited, o.Body) {
				t.Fatal("the table has no allowance of 120")
			}
			o.Body, tables = unlimited, tables+1
		}
		objects[key] = o.Body
	}
	if tables == 0 {
		t.Fatal("the bucket has no table")
	}
	return objects
}

// startR2 starts the Worker that `vitrine config r2` prints, with an empty bucket. A module in front of the Worker
// writes objects.
func startR2(t *testing.T) *started {
	t.Helper()
	programs, err := rig.Compile()
	if err != nil {
		t.Fatal(err)
	}
	script, err := exec.Command(programs.Vitrine, "config", "r2").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	err = rig.WriteFiles(filepath.Join(dir, "build", "cloudflare"), map[string]string{
		"worker.mjs": string(script),
		"entry.mjs": `import worker from "./worker.mjs";
export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    if (request.method === "PUT" && pathname.startsWith("/__object/")) {
      await env.BUCKET.put(pathname.slice("/__object/".length), await request.arrayBuffer());
      return new Response();
    }
    return worker.fetch(request, env);
  },
};
`,
		"wrangler.jsonc": `{
  "name": "site", "main": "entry.mjs", "compatibility_date": "2026-06-01",
  "r2_buckets": [{"binding": "BUCKET", "bucket_name": "bucket"}],
  "vars": {"PREFIX": "acorn/"}
}`,
	})
	if err != nil {
		t.Fatal(err)
	}
	return start(t, wrangler(t, dir, "dev", "--ip", "127.0.0.1", "--port", "0", "--inspector-port", "0",
		"--show-interactive-dev-session=false", "--persist-to", t.TempDir()), regexp.MustCompile(`Ready on (http://[0-9.:]+)`))
}
