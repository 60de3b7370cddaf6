package config_test

import (
	"net/url"
	"os"
	"path/filepath"
	"testing"
)

// Names that mean something in a configuration are names of files like any
// other, and the case of a path counts also where the server's own tables do
// not look at it.
func TestNamesThatAreSyntaxElsewhere(t *testing.T) {
	root := copySite(t)
	files := map[string]string{
		"price$5.txt": "dollar", "a b.txt": "space", "na\u00efve.txt": "not ASCII", "brace{x}.txt": "brace", "semi;colon.txt": "semicolon",
		"Case.txt": "upper", "$uri.txt": "a variable", "plus+plus.txt": "plus", "it's.txt": "quote", "a~b.txt": "tilde",
		"paren(1).txt": "parenthesis", "tick`.txt": "backtick", `double".txt`: "double quote", "default": "a keyword",
	}
	dir := filepath.Join(root, "content/blog/objection-practice")
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
	for _, h := range hosts() {
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
