//go:build unix

package deploy_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"vitrine/internal/compare"
	"vitrine/internal/lab/rig"
)

// A deploy with --indexnow lists the pages to submit to search engines: pages whose text differs from the site's
// previous state. It submits them only with --send, and never in a dry run. The command diff also submits them only
// with --send.
func TestIndexNow(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var sent []compare.Submission
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var s compare.Submission
		if err := json.NewDecoder(r.Body).Decode(&s); err != nil || r.Method != http.MethodPost {
			t.Errorf("%s: %v", r.Method, err)
		}
		mu.Lock()
		defer mu.Unlock()
		sent = append(sent, s)
		w.WriteHeader(http.StatusAccepted)
	}))
	defer endpoint.Close()
	taken := func() []compare.Submission {
		mu.Lock()
		defer mu.Unlock()
		all := sent
		sent = nil
		return all
	}
	keyed := func(title string) string {
		root, dir := t.TempDir(), filepath.Join(t.TempDir(), "build")
		if err := rig.WriteFiles(root, rig.TinySite(title, "indexNow: 0123456789abcdef\n")); err != nil {
			t.Fatal(err)
		}
		if err := rig.BuildSite(t.Context(), root, dir, rig.Options{}); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	m := newMachine(t)
	first, second, third := keyed("Title One"), keyed("Title Two"), keyed("Title Three")
	if out := m.must(t, first, m.dir, "Title One", "--indexnow", "--send", "--endpoint", endpoint.URL); !strings.Contains(out, "skipping IndexNow") || len(taken()) != 0 {
		t.Errorf("where nothing answered before, it says\n%s", out)
	}
	if out := m.must(t, second, m.dir, "Title Two", "--indexnow", "--endpoint", endpoint.URL); !strings.Contains(out, `"urlList":["https://tiny.example/`) || len(taken()) != 0 {
		t.Errorf("without --send it says\n%s", out)
	}
	if code, out := m.deploy(t, third, m.dir, "--dry-run", "--indexnow", "--send", "--endpoint", endpoint.URL); code != 0 || len(taken()) != 0 {
		t.Errorf("a dry run ends with %d, and something was sent\n%s", code, out)
	}
	m.must(t, third, m.dir, "Title Three", "--indexnow", "--send", "--endpoint", endpoint.URL)
	all := taken()
	if len(all) != 1 || all[0].Host != "tiny.example" || all[0].Key != "0123456789abcdef" || all[0].KeyLocation != "https://tiny.example/indexnow.txt" || !slices.Contains(all[0].URLs, "https://tiny.example/") {
		t.Errorf("sent %+v", all)
	}
	if code, out := m.deploy(t, first, m.dir, "--send"); code != 2 || !strings.Contains(out, "add --indexnow") {
		t.Errorf("--send alone ends with %d:\n%s", code, out)
	}
	for _, send := range []bool{false, true} {
		arguments := []string{"diff", "--indexnow", "--endpoint", endpoint.URL, "--allow-removed", first, second}
		if send {
			arguments = append(arguments, "--send")
		}
		cmd := m.command("", "")
		cmd.Args = append(cmd.Args[:1], arguments...)
		out, err := cmd.Output()
		if err != nil || !strings.Contains(string(out), `"urlList":["https://tiny.example/`) || len(taken()) > 0 != send {
			t.Errorf("diff with --send=%t: %v, and not so many were sent as it says:\n%s", send, err, out)
		}
	}
}
