package lsp

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"vitrine/internal/build"
	"vitrine/internal/site"
)

var update = flag.Bool("update", false, "write the responses to the scripts in testdata")

// Each script contains a site, a client's requests, and the server's responses. See play for the commands.
func TestScripts(t *testing.T) {
	scripts, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatal("there are no scripts", err)
	}
	for _, file := range scripts {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			root := testSite(t)
			for _, f := range archive.Files {
				name := filepath.Join(root, filepath.FromSlash(f.Name))
				if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, f.Data, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			capabilities := `{"workspace":{"workspaceEdit":{"documentChanges":true,"resourceOperations":["rename"]}}}`
			if strings.Contains(string(archive.Comment), "utf-8\n") {
				capabilities = `{"general":{"positionEncodings":["utf-16","utf-8"]}}`
			}
			c := newClient(t, root, capabilities)
			var got strings.Builder
			began := time.Now()
			for line := range strings.Lines(string(archive.Comment)) {
				if line = strings.TrimRight(line, "\n"); strings.HasPrefix(line, "> ") || line == ">" {
					continue
				}
				got.WriteString(line + "\n")
				if command := words(t, line); len(command) > 0 && !strings.HasPrefix(line, "#") {
					var said strings.Builder
					play(t, c, &said, command)
					// Replace the current date, so that a script passes on every day, even if the date changes while
					// the script runs.
					dateless := strings.NewReplacer(began.Format(time.DateOnly), "TODAY", time.Now().Format(time.DateOnly), "TODAY")
					for line := range strings.Lines(dateless.Replace(said.String())) {
						got.WriteString("> " + strings.TrimRight(line, "\n") + "\n")
					}
				}
			}
			if got.String() == string(archive.Comment) {
				return
			}
			if *update {
				archive.Comment = []byte(got.String())
				if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			t.Errorf("the server says (go test -update writes it):\n%s", got.String())
		})
	}
}

// words splits a command into words. A string in backquotes is one word.
func words(t *testing.T, line string) []string {
	var all []string
	for rest := strings.TrimSpace(line); rest != ""; rest = strings.TrimSpace(rest) {
		if rest[0] == '`' {
			word, after, ok := strings.Cut(rest[1:], "`")
			if !ok {
				t.Fatalf("a word of %q does not end", line)
			}
			all, rest = append(all, strings.ReplaceAll(word, `\n`, "\n")), after
			continue
		}
		word, after, _ := strings.Cut(rest, " ")
		all, rest = append(all, word), after
	}
	return all
}

// writeSymbols writes a tree of symbols, one per line.
func writeSymbols(w *strings.Builder, indent string, symbols []*documentSymbol) {
	for _, s := range symbols {
		fmt.Fprintf(w, "%s%s (%s) %s %s\n", indent, s.Name, s.Detail, rangeText(s.Range), rangeText(s.SelectionRange))
		writeSymbols(w, indent+"  ", s.Children)
	}
}

// play runs a command and writes the server's response.
func play(t *testing.T, c *client, w *strings.Builder, command []string) {
	t.Helper()
	name := ""
	if len(command) > 1 {
		name = command[1]
	}
	var edit *workspaceEdit
	var locations []location
	switch command[0] {
	case "utf-8":
	case "open":
		c.open(name)
		c.settle()
	case "close":
		delete(c.texts, name)
		c.conn.notify("", "textDocument/didClose", object{"textDocument": object{"uri": c.uri(name)}})
	case "edit": // FILE OLD NEW, not saved
		c.edit(name, command[2], command[3])
		c.settle()
	case "problems": // FILE
		c.settle()
		c.mu.Lock()
		defer c.mu.Unlock()
		published := c.published[c.uri(name)]
		for _, d := range published.Diagnostics {
			fmt.Fprintf(w, "%s %d %s: %s\n", rangeText(d.Range), d.Severity, d.Code, d.Message)
		}
		if published.Version != nil {
			fmt.Fprintf(w, "version %d\n", *published.Version)
		}
	case "complete": // FILE PLACE
		var list completionList
		must(t, c.call("textDocument/completion", c.at(name, command[2]), &list))
		for i, item := range list.Items {
			if i == 12 {
				fmt.Fprintf(w, "and %d more\n", len(list.Items)-i)
				break
			}
			fmt.Fprintf(w, "%s (%s) %s %q\n", item.Label, item.Detail, rangeText(item.TextEdit.Range), item.TextEdit.NewText)
		}
	case "symbols": // FILE
		var symbols []*documentSymbol
		must(t, c.call("textDocument/documentSymbol", object{"textDocument": object{"uri": c.uri(name)}}, &symbols))
		writeSymbols(w, "", symbols)
	case "folds": // FILE
		var folds []foldingRange
		must(t, c.call("textDocument/foldingRange", object{"textDocument": object{"uri": c.uri(name)}}, &folds))
		for _, f := range folds {
			fmt.Fprintf(w, "%d-%d %s\n", f.StartLine, f.EndLine, f.Kind)
		}
	case "hover": // FILE PLACE
		var h *hover
		must(t, c.call("textDocument/hover", c.at(name, command[2]), &h))
		if h != nil {
			fmt.Fprintf(w, "%s\n%s\n", rangeText(h.Range), h.Contents.Value)
		}
	case "definition", "references": // FILE PLACE
		must(t, c.call("textDocument/"+command[0], c.at(name, command[2]), &locations))
		for _, l := range locations {
			fmt.Fprintf(w, "%s %s\n", c.name(l.URI), rangeText(l.Range))
		}
	case "rename": // FILE PLACE NEW
		params := c.at(name, command[2])
		var p *prepared
		must(t, c.call("textDocument/prepareRename", params, &p))
		if p != nil {
			fmt.Fprintf(w, "%s %q\n", rangeText(p.Range), p.Placeholder)
		}
		params["newName"] = command[3]
		if err := c.call("textDocument/rename", params, &edit); err != nil {
			fmt.Fprintln(w, err)
		}
	case "move": // FROM TO, as in the editor's list of files
		must(t, c.call("workspace/willRenameFiles", object{"files": []object{{"oldUri": c.uri(name), "newUri": c.uri(command[2])}}}, &edit))
		if edit != nil {
			c.apply(edit)
			writeEdit(c, w, edit)
			edit = nil
		}
		c.move(name, command[2])
		c.settle()
	case "fix": // FILE PLACE [KIND]
		params := c.at(name, command[2])
		if len(command) > 3 {
			params["context"] = object{"only": []string{command[3]}}
		}
		var actions []codeAction
		must(t, c.call("textDocument/codeAction", params, &actions))
		for _, a := range actions {
			fmt.Fprintf(w, "%s: %s\n", a.Kind, a.Title)
			edit = a.Edit
		}
	case "show": // FILE
		w.WriteString(c.text(name))
	case "check": // the result of a new check of the saved files
		_, problems, err := build.Check(t.Context(), build.Source{Root: c.root}, build.CheckOptions{}, build.Observer{})
		must(t, err)
		for _, p := range problems {
			p.Fix = site.Edit{}
			fmt.Fprintln(w, p)
		}
		fmt.Fprintf(w, "%d problems\n", len(problems))
	default:
		t.Fatalf("there is no command %q", command[0])
	}
	if edit != nil {
		c.apply(edit)
		writeEdit(c, w, edit)
		c.settle()
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func rangeText(r textRange) string {
	return fmt.Sprintf("%d:%d-%d:%d", r.Start.Line, r.Start.Character, r.End.Line, r.End.Character)
}

func writeEdit(c *client, w *strings.Builder, edit *workspaceEdit) {
	all := slices.Clone(edit.DocumentChanges)
	for uri, edits := range edit.Changes {
		all = append(all, documentChange{TextDocument: &documentID{URI: uri}, Edits: edits})
	}
	slices.SortStableFunc(all, func(a, b documentChange) int {
		if a.TextDocument == nil || b.TextDocument == nil {
			return 0
		}
		return strings.Compare(a.TextDocument.URI, b.TextDocument.URI)
	})
	for _, d := range all {
		if d.Kind != "" {
			fmt.Fprintf(w, "%s %s to %s\n", d.Kind, c.name(d.OldURI), c.name(d.NewURI))
			continue
		}
		for _, e := range d.Edits {
			fmt.Fprintf(w, "%s %s %q\n", c.name(d.TextDocument.URI), rangeText(e.Range), e.NewText)
		}
	}
}
