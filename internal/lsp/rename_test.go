package lsp

import (
	"strings"
	"testing"
)

// If an editor can't rename files for the server, the error gives the reason and an alternative.
func TestRenameWithoutDocumentChanges(t *testing.T) {
	for name, c := range map[string]struct{ capabilities, want string }{
		"nothing": {`{}`, "this editor does not let language servers rename files (documentChanges with rename); " +
			"rename content/pricing.md to content/costs.md in its file list, then correct the links that are reported as broken"},
		"documentChanges without rename": {`{"workspace":{"workspaceEdit":{"documentChanges":true}}}`, "in its file list, then correct"},
		"willRename": {`{"workspace":{"fileOperations":{"willRename":true}}}`,
			"rename content/pricing.md to content/costs.md in its file list, and the links are updated automatically"},
	} {
		t.Run(name, func(t *testing.T) {
			client := newClient(t, testSite(t), c.capabilities)
			client.open("content/index.md")
			client.settle()
			params := client.at("content/index.md", "](pri|cing.md")
			params["newName"] = "/costs"
			var edit *workspaceEdit
			err := client.call("textDocument/rename", params, &edit)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// Hovering over a problem shows the description of the text there, followed by an explanation of the rule.
func TestHoverExplainsRules(t *testing.T) {
	client := newClient(t, testSite(t), `{}`)
	client.open("content/index.md")
	client.edit("content/index.md", "](/blog/first)", "](/blog/frist)")
	client.settle()
	var h *hover
	if err := client.call("textDocument/hover", client.at("content/index.md", "](/blog/fr|ist)"), &h); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\n\n---\n\n# V024: ", "Wrong:", "Right:"} {
		if h == nil || !strings.Contains(h.Contents.Value, want) {
			t.Errorf("hover lacks %q: %+v", want, h)
		}
	}
	if err := client.call("textDocument/hover", client.at("content/index.md", "pri|cing.md"), &h); err != nil {
		t.Fatal(err)
	}
	if h == nil || strings.Contains(h.Contents.Value, "Wrong:") {
		t.Errorf("hover over a valid link: %+v", h)
	}
}
