package config_test

import (
	"errors"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Wrong usage exits 2, what cannot be done exits 1, and each says what to do.
func TestConfigSaysWhatIsWrong(t *testing.T) {
	for _, test := range []struct {
		arguments []string
		code      int
		says      string
	}{
		{nil, 2, "vitrine config needs one of nginx, caddy, varnish, systemd, docker"},
		{[]string{"apache"}, 2, `there is no target "apache"`},
		{[]string{"nginx", "--build", "no-such-folder"}, 1, "run vitrine build first"},
		{[]string{"varnish", "--upstream", "here"}, 1, "is not a host and a port"},
		{[]string{"varnish", "--upstream", "a;b:1"}, 1, "is not a host and a port"},
		{[]string{"nginx", "--build", sample, "--cache", "a b"}, 1, "give an absolute path"},
		{[]string{"nginx", "--build", sample, "--files", openDir(t) + "/a b"}, 1, "without spaces"},
	} {
		out, err := exec.Command(programs.Vitrine, append([]string{"config"}, test.arguments...)...).CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != test.code || !strings.Contains(string(out), test.says) {
			t.Errorf("vitrine config %s: %v, want exit code %d and %q in:\n%s", strings.Join(test.arguments, " "), err, test.code, test.says, out)
		}
	}
}

// One build gives one configuration, byte for byte.
func TestConfigIsReproducible(t *testing.T) {
	files := openDir(t)
	for _, arguments := range [][]string{
		{"nginx", "--build", sample, "--files", files}, {"caddy", "--build", sample, "--files", files},
		{"nginx", "--build", sample}, {"caddy", "--build", sample}, {"varnish"}, {"systemd"}, {"docker"},
	} {
		first, second := config(t, arguments...), config(t, arguments...)
		if first != second {
			t.Errorf("vitrine config %s prints something else the second time", strings.Join(arguments, " "))
		}
	}
}

// Names that mean something in a configuration are names of files like any
// other, and the case of a path counts also where the server's own tables do
// not look at it.
func TestNamesThatAreSyntaxElsewhere(t *testing.T) {
	all := hosts(t)
	root := copySite(t)
	files := map[string]string{
		"price$5.txt": "dollar", "a b.txt": "space", "na\u00efve.txt": "not ASCII", "brace{x}.txt": "brace", "semi;colon.txt": "semicolon",
		"Case.txt": "upper", "$uri.txt": "a variable", "plus+plus.txt": "plus", "it's.txt": "quote", "a~b.txt": "tilde",
		"paren(1).txt": "parenthesis", "tick`.txt": "backtick", `double".txt`: "double quote", "default": "a keyword",
	}
	// Notes beside pages are not published; what is static is.
	dir := filepath.Join(root, "content/static/blog/objection-practice")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	var names []string
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	site := buildSite(t, root)
	b := &backend{address: freePort(t), dir: site}
	b.fresh(t)
	for _, h := range all {
		t.Run(h.name, func(t *testing.T) {
			at := h.start(t, b).url + "/blog/objection-practice/"
			for _, name := range names {
				resp, body := ask(t, "GET", at+url.PathEscape(name))
				if resp.StatusCode != 200 || body != files[name] {
					t.Errorf("%s is answered %s with %.40q, want %q", name, resp.Status, body, files[name])
				}
			}
			if resp, _ := ask(t, "GET", at+"CASE.txt"); resp.StatusCode != 404 {
				t.Errorf("CASE.txt, which there is not, is answered %s", resp.Status)
			}
		})
	}
}
