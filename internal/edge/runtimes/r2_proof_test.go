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

// A Worker in front of a bucket, which `vitrine deploy --edge` filled, responds as vitrined does. It runs in workerd, with
// a local bucket. If a build has no table, the Worker keeps the previous build.
func TestDifferentialR2(t *testing.T) {
	dir := filepath.Join(project(t, rig.Root(t)), "build")
	manifest := rig.Open(t, dir).Manifest
	worker := startR2(t)
	if status, _ := r2Build(t, worker.url); status != http.StatusServiceUnavailable {
		t.Errorf("without a build the Worker responds with %d", status)
	}
	objects := r2Objects(t, dir)
	for key, body := range objects {
		putR2(t, worker.url, key, body)
	}
	name := artifact.BuildName(manifest.Build)
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

	putR2(t, worker.url, "acorn/current", bytes.Replace(objects["acorn/current"], []byte(name), []byte("another"), 1))
	time.Sleep(3 * time.Second) // an isolate looks every two seconds
	for range 3 {
		if status, served := r2Build(t, worker.url); status != http.StatusOK || served != name {
			t.Errorf("with a build that has no table, the Worker responds with %d, build %q", status, served)
		}
	}
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

// r2Objects deploys a build to a bucket, and returns its objects. The table has no allowance, which would end after 120
// requests.
func r2Objects(t *testing.T, build string) map[string][]byte {
	t.Helper()
	programs, err := rig.Compile()
	if err != nil {
		t.Fatal(err)
	}
	memory := &storage.Memory{}
	server := httptest.NewServer(memory)
	defer server.Close()
	deploy := exec.Command(programs.Vitrine, "deploy", "s3://sites/acorn", "--build", build, "--edge")
	deploy.Env = append(os.Environ(), "AWS_ACCESS_KEY_ID=key", "AWS_SECRET_ACCESS_KEY=secret", "AWS_REGION=us-east-1", "AWS_ENDPOINT_URL="+server.URL)
	mustRun(t, deploy)
	objects, tables := make(map[string][]byte), 0
	for _, key := range memory.Keys("") {
		o, _ := memory.Get(key)
		if strings.HasPrefix(key, "acorn/tables/") {
			unlimited := bytes.Replace(o.Body, []byte(`"limit":120`), []byte(`"limit":0`), 1)
			if bytes.Equal(unlimited, o.Body) {
				t.Fatal("the table has no allowance of 120")
			}
			o.Body, tables = unlimited, tables+1
		}
		objects[key] = o.Body
	}
	if tables != 1 {
		t.Fatalf("the bucket has %d tables", tables)
	}
	return objects
}

// startR2 starts the printed Worker with an empty bucket. A module in front of it writes objects.
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
