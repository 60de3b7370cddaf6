//go:build proof

package runtimes

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"vitrine/internal/edge/hosts"
	"vitrine/internal/lab/rig"
)

// netlifyScripts returns a folder with the scripts from ./netlify. From this folder, Node.js finds Netlify's packages.
func netlifyScripts(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("netlify")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(tool(t, "node_modules"), filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// denoPath returns the folder that contains Deno, for packages that look for it in PATH.
func denoPath(t *testing.T) string {
	return filepath.Dir(tool(t, "node_modules/@deno/linux-x64-glibc/deno"))
}

// bundled is the output of Netlify's packages for the project.
type bundled struct {
	Config struct {
		Build struct {
			Publish       string `json:"publish"`
			EdgeFunctions string `json:"edge_functions"`
			Command       string `json:"command"`
			Environment   map[string]string
		}
	}
	Functions []struct{ Name string }
	Manifest  struct {
		Routes []struct {
			Function         string
			Pattern          string
			ExcludedPatterns []string `json:"excluded_patterns"`
			Methods          []string
		}
		Bundles []struct{ Asset, Format string }
	}
}

// Netlify interprets netlify.toml as intended and routes everything except hashed assets to the function, and the
// function satisfies the contract.
func TestNetlify(t *testing.T) {
	play(t, "netlify, Netlify's function runtime on Deno", hosts.ByName("netlify"), deployNetlify(t))
}

func deployNetlify(t *testing.T) func(dir string) func() *started {
	ready := regexp.MustCompile(`^ready (http://\S+)`)
	return func(dir string) func() *started {
		scripts := netlifyScripts(t)
		environment := offline(t, "PATH="+denoPath(t)+":"+filepath.Dir(rig.Node(t))+":/usr/bin:/bin")
		cmd := exec.Command(rig.Node(t), "bundle.mjs", dir, filepath.Join(dir, "dist"))
		cmd.Dir, cmd.Env, cmd.Stderr = scripts, environment, testWriter{t}
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("bundling: %v\n%s", err, out)
		}
		checkBundle(t, dir, out)
		bundle := filepath.Join(scripts, "bundle.json")
		if err := os.WriteFile(bundle, out, 0o666); err != nil {
			t.Fatal(err)
		}
		return func() *started {
			front := exec.Command(rig.Node(t), "front.mjs", bundle, filepath.Join(denoPath(t), "deno"),
				tool(t, "node_modules/@netlify/edge-functions-dev/dist/deno/bootstrap.mjs"))
			front.Dir, front.Env = scripts, environment
			return start(t, front, ready)
		}
	}
}

// checkBundle checks the output of Netlify's packages.
func checkBundle(t *testing.T, dir string, out []byte) {
	t.Helper()
	var b bundled
	if err := json.Unmarshal(out, &b); err != nil {
		t.Fatalf("reading the bundle: %v\n%s", err, out)
	}
	if want := filepath.Join(dir, "build", "public"); b.Config.Build.Publish != want {
		t.Errorf("netlify.toml publishes %s, want %s", b.Config.Build.Publish, want)
	}
	if len(b.Manifest.Bundles) == 0 {
		t.Error("there is no bundle")
	}
	if len(b.Manifest.Routes) != 1 {
		t.Fatalf("the function has the routes %+v, want one", b.Manifest.Routes)
	}
	route := b.Manifest.Routes[0]
	if len(route.Methods) > 0 {
		t.Errorf("the route is for the methods %v alone, want all", route.Methods)
	}
	pattern := regexp.MustCompile(route.Pattern)
	for _, path := range []string{"/", "/pricing", "/blog/", "/api/v1/marketing", "/.well-known/api-catalog", "/assets", "/x.y"} {
		if !pattern.MatchString(path) || excluded(route.ExcludedPatterns, path) {
			t.Errorf("%s is not handled by the function", path)
		}
	}
	if path := "/assets/style.0123456789abcdef.css"; !excluded(route.ExcludedPatterns, path) {
		t.Errorf("%s is handled by the function; the CDN should serve the file", path)
	}
}

func excluded(patterns []string, path string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return regexp.MustCompile(p).MatchString(path) })
}
