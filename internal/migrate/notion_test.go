package migrate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The import of a Notion export removes identifiers from names, reads the properties below titles, and writes databases
// as tables.
func TestImportFromNotion(t *testing.T) {
	const home, start, road, fast = "0123456789abcdef0123456789abcdef", "11111111111111111111111111111111", "22222222222222222222222222222222", "33333333333333333333333333333333"
	from := folderOfFiles(t, map[string]string{
		"Export-1/Acorn handbook " + home + ".md": "# Acorn handbook\n\nBegin with [Getting started](Acorn%20handbook/Getting%20started%20" + start + ".md), then see the\n" +
			"[Roadmap](Acorn%20handbook/Roadmap%20" + road + ".csv).\n\n<aside>\n💡 Read **this** first.\n\n</aside>\n\n![Plan](Acorn%20handbook/Untitled%201.png)\n",
		"Export-1/Acorn handbook/Untitled 1.png":                       "\x89PNG\r\n\x1a\n",
		"Export-1/Acorn handbook/Getting started " + start + ".md":     "# Getting started\n\nInstall it.\n",
		"Export-1/Acorn handbook/Roadmap " + road + ".csv":             "\uFEFFName,Status,Note\nFaster start,Done,\"a|b\nc\"\nA *later* thing,Open,\n",
		"Export-1/Acorn handbook/Roadmap " + road + "_all.csv":         "Name\nall of it\n",
		"Export-1/Acorn handbook/Roadmap/Faster start " + fast + ".md": "# Faster start\n\nTags: speed, release\nStatus: Done\nCreated: March 1, 2026 10:11 AM\n\nIt starts in half the time.\n",
	})
	result, err := Import(t.Context(), Options{From: from, To: from + "-new"})
	if err != nil {
		t.Fatal(err)
	}
	if result.Kind != "notion" || result.Pages != 4 {
		t.Errorf("imported %d pages of a site of %s, want 4 of notion", result.Pages, result.Kind)
	}
	for name, wants := range map[string][]string{
		"index.md":                {"title: Acorn handbook", "[Getting started](/getting-started)", "[Roadmap](/roadmap)", ":::note", "💡 Read **this** first.", "![Plan](Untitled-1.png)"},
		"getting-started.md":      {"Install it."},
		"roadmap/index.md":        {"| [Faster start](/roadmap/faster-start) | Done | a\\|b<br>c |", `| A \*later\* thing | Open |`},
		"roadmap/faster-start.md": {"date: 2026-03-01T10:11:00Z", "tags: [speed, release]", "- **Status:** Done", "half the time"},
	} {
		text, err := os.ReadFile(filepath.Join(result.To, "content", name))
		if err != nil {
			t.Error(err)
			continue
		}
		for _, want := range wants {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s lacks %q:\n%s", name, want, text)
			}
		}
		if strings.Contains(string(text), "all of it") {
			t.Errorf("%s repeats a database", name)
		}
	}
}
