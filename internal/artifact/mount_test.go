package artifact

import (
	"strings"
	"testing"
)

// Below accepts exactly the paths that start with the mount and a slash. The mount itself redirects to the home page.
func FuzzBelow(f *testing.F) {
	for _, path := range []string{"/acorn", "/acorn/", "/acorn//", "/acornx", "/ACORN/", "//acorn", "/", "", "/acorn/../x", "/acorn/acorn", "acorn/"} {
		f.Add("/acorn", path)
	}
	f.Add("", "/pricing")
	f.Add("/a.b/c", "/a.b/c/d")
	f.Fuzz(func(t *testing.T, mount, path string) {
		m := &Manifest{Mount: mount}
		below, ok := m.Below(path)
		switch {
		case mount == "":
			if below != path || !ok {
				t.Errorf("at the root, Below(%q) = %q", path, below)
			}
		case path == mount:
			if below != "//" || !ok {
				t.Errorf("Below of the mount itself = %q", below)
			}
		case strings.HasPrefix(path, mount+"/"):
			if !ok || mount+below != path {
				t.Errorf("Below(%q) with mount %q = %q", path, mount, below)
			}
		case ok:
			t.Errorf("Below(%q) with mount %q = %q, want it rejected", path, mount, below)
		}
	})
}
