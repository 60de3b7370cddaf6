//go:build packages

package release

import (
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"vitrine/internal/lab/rig"
)

// npm installs the packages in the package.json of a new site, from a test registry that serves the packed files. npm
// installs only this platform's package, locks all packages by hash, and runs no scripts. Then npx builds the site.
func TestInstallFromNPM(t *testing.T) {
	r := released(t)
	registry := r.registry(t)
	site := r.acorn(t, filepath.Join(r.unarchived(t), "vitrine"))
	node := filepath.Dir(rig.Node(t))
	environment := []string{"npm_config_registry=" + registry, "npm_config_cache=" + t.TempDir(), "npm_config_ignore_scripts=true", "npm_config_update_notifier=false",
		"PATH=" + node + ":" + os.Getenv("PATH")}
	run(t, site, environment, "npm", "install", "--no-fund", "--no-audit")
	installed, err := filepath.Glob(filepath.Join(site, "node_modules", r.npmName()+"*"))
	if err != nil || len(installed) != 2 {
		t.Errorf("npm installed %v, want the package and that of linux-x64", installed)
	}
	lock, err := os.ReadFile(filepath.Join(site, "package-lock.json"))
	if n := strings.Count(string(lock), `"integrity": "sha512-`); err != nil || n != 7 {
		t.Errorf("the lock file has %d hashes, want seven (%v)\n%s", n, err, lock)
	}
	if err := os.RemoveAll(filepath.Join(site, "build")); err != nil {
		t.Fatal(err)
	}
	run(t, site, environment, "npx", "vitrine", "build")
	if _, err := os.Stat(filepath.Join(site, "build/public/pricing.html")); err != nil {
		t.Error(err)
	}
	// npx exits with the program's exit code.
	cmd := exec.Command("npx", "vitrine", "explain", "X000")
	cmd.Dir, cmd.Env = site, append(os.Environ(), environment...)
	if out, err := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != 2 && cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("wrong usage ends with %v\n%s", err, out)
	}
	// The launcher passes signals on to vitrined and exits with the same status.
	launcher := exec.Command(filepath.Join(site, "node_modules/.bin/vitrined"), "-dir", "build", "-addr", "127.0.0.1:0")
	launcher.Dir, launcher.Env = site, append(os.Environ(), environment...)
	log, err := launcher.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := launcher.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := log.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if err := launcher.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := launcher.Wait(); err != nil {
		t.Errorf("vitrined ends with %v on SIGTERM", err)
	}
}

// registry starts a server that serves the packed files like npm's registry, and returns its URL.
func (r *Release) registry(t *testing.T) string {
	t.Helper()
	packages := make(map[string][]byte)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, ok := packages[req.URL.Path]
		if !ok {
			http.NotFound(w, req)
			return
		}
		_, _ = w.Write(body)
	}))
	t.Cleanup(server.Close)
	found, err := filepath.Glob(filepath.Join(r.Folder, "*.tgz"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range found {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var m map[string]any
		if err := json.Unmarshal([]byte(unpacked(t, unzipped(t, data))["package/package.json"]), &m); err != nil {
			t.Fatal(err)
		}
		at := "/files/" + filepath.Base(name)
		sum := sha512.Sum512(data)
		m["dist"] = map[string]string{"tarball": server.URL + at, "integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:])}
		document, err := json.Marshal(map[string]any{"name": m["name"], "dist-tags": map[string]any{"latest": r.Version}, "versions": map[string]any{r.Version: m}})
		if err != nil {
			t.Fatal(err)
		}
		packages[at], packages["/"+m["name"].(string)] = data, document
	}
	return server.URL
}
