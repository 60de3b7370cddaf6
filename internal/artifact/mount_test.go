package artifact

import (
	"strings"
	"testing"
)

// FuzzBelow: exactly the paths that start with the mount and a slash are under the mount; the mount itself redirects to the home
// page.
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
				t.Errorf("at the root, %q became %q", path, below)
			}
		case path == mount:
			if below != "//" || !ok {
				t.Errorf("the mount itself became %q", below)
			}
		case strings.HasPrefix(path, mount+"/"):
			if !ok || mount+below != path {
				t.Errorf("%q below %q became %q", path, mount, below)
			}
		case ok:
			t.Errorf("%q is not below %q, and became %q", path, mount, below)
		}
	})
}
