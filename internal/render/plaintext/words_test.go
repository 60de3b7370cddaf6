package plaintext

import "testing"

// Humanize splits keys into words, regardless of their naming convention.
func TestHumanize(t *testing.T) {
	for name, want := range map[string]string{
		"gettingStarted": "Getting started", "GettingStarted": "Getting started", "getting-started": "Getting started",
		"getting_started": "Getting started", "status": "Status", "signup": "Sign up", "signUp": "Sign up", "API": "API",
		"apiDocs": "API docs", "openAPI": "Open API", "HTMLGuide": "HTML guide", "Ünser Büro": "Ünser Büro", "ärzteSuche": "Ärzte suche",
		"v2": "V2", "a": "A", "": "", "-": "",
	} {
		if got := Humanize(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}
