package theme

import "testing"

// An absolute address of the site becomes a path, so that a click in a preview doesn't open the live site.
func TestLocal(t *testing.T) {
	for _, c := range []struct{ address, base, want string }{
		{"https://acorn.example/pricing", "https://acorn.example", "/pricing"},
		{"https://acorn.example", "https://acorn.example", "/"},
		{"https://acorn.example?a=b", "https://acorn.example", "/?a=b"},
		{"https://acorn.example#x", "https://acorn.example", "/#x"},
		{"https://acorn.example.org/pricing", "https://acorn.example", "https://acorn.example.org/pricing"},
		{"https://acorn.example/site/pricing", "https://acorn.example/site", "/pricing"},
		{"https://acorn.example/site", "https://acorn.example/site", "/"},
		{"https://acorn.example/site/", "https://acorn.example/site", "/"},
		{"https://acorn.example/site#x", "https://acorn.example/site", "/#x"},
		{"https://acorn.example/sites", "https://acorn.example/site", "https://acorn.example/sites"},
		{"https://acorn.example/other", "https://acorn.example/site", "https://acorn.example/other"},
		{"mailto:a@acorn.example", "https://acorn.example", "mailto:a@acorn.example"},
	} {
		if got := Local(c.address, c.base); got != c.want {
			t.Errorf("local(%q, %q) = %q, want %q", c.address, c.base, got, c.want)
		}
	}
}
