package docs_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/artifact"
	"vitrine/internal/lab/rig"
)

// structuredRow is a row of the table of structured data.
type structuredRow struct {
	kind, status, from string
	properties         []string
}

// structuredRows reads the table of structured data in docs/project/legibility.md.
func structuredRows(t *testing.T) (rows []structuredRow) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(rig.Root(t), "docs/project/legibility.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "Type | Property | Google | Source\n---|---|---|---\n")
	if !found {
		t.Fatal("there is no table of structured data")
	}
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) != 4 {
			break
		}
		row := structuredRow{kind: strings.TrimSpace(cells[0]), status: strings.TrimSpace(cells[2]), from: strings.TrimSpace(cells[3])}
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[1], -1) {
			row.properties = append(row.properties, name[1])
		}
		if !slices.Contains([]string{"required", "recommended", "retired"}, row.status) || row.from == "" || len(row.properties) == 0 {
			t.Errorf("the row %q says nothing", line)
		}
		rows = append(rows, row)
	}
	return rows
}

var structuredData = regexp.MustCompile(`(?s)<script type="application/ld\+json">(.*?)</script>`)

// nodesOf collects the nodes on a build's pages, keyed by type. A reference to a node resolves to the node on the same
// page.
func nodesOf(t *testing.T, root string, nodes map[string][]map[string]any) {
	t.Helper()
	built := rig.Open(t, rig.Build(t, root, rig.Options{}))
	for r := range built.Manifest.Routes() {
		if r.Kind() != artifact.KindPage {
			continue
		}
		body, _ := built.Manifest.BodyIn(r.Variant(0), artifact.Identity)
		page, err := built.Read(r.Variant(0), body)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range structuredData.FindAllSubmatch(page, -1) {
			var data struct {
				Graph []map[string]any `json:"@graph"`
			}
			if err := json.Unmarshal(block[1], &data); err != nil {
				t.Fatal(err)
			}
			named := make(map[any]map[string]any)
			for _, n := range data.Graph {
				named[n["@id"]] = n
			}
			for _, n := range data.Graph {
				for property, value := range n {
					if one, ok := value.(map[string]any); ok && len(one) == 1 && named[one["@id"]] != nil {
						n[property] = named[one["@id"]]
					}
				}
				kind, _ := n["@type"].(string)
				nodes[kind] = append(nodes[kind], n)
			}
		}
	}
}

// given returns how many of the values at path are present, and how many could be. A path through a list applies to
// each item.
func given(value any, path []string) (there, all int) {
	if list, ok := value.([]any); ok {
		for _, one := range list {
			t, a := given(one, path)
			there, all = there+t, all+a
		}
		return there, max(all, 1)
	}
	if len(path) == 0 {
		if value == nil || value == "" {
			return 0, 1
		}
		return 1, 1
	}
	node, _ := value.(map[string]any)
	return given(node[path[0]], path[1:])
}

// The table of structured data matches the built pages for each type. Each node has the properties required by Google,
// at least one node has the recommended properties in the table, and no node has properties that the table omits. Every
// type has rows.
func TestStructuredData(t *testing.T) {
	nodes := make(map[string][]map[string]any)
	root := t.TempDir()
	if err := os.CopyFS(filepath.Join(root, "content"), os.DirFS(filepath.Join(rig.Root(t), "content"))); err != nil {
		t.Fatal(err)
	}
	if err := rig.WriteFiles(root, map[string]string{
		"content/asked.md":         "---\ntitle: Asked\n---\n\n## Is it a page of questions?\n\nYes.\n\n## Are there two?\n\nThere are.\n",
		"content/blog/unsigned.md": "---\ntitle: Unsigned\ndate: 2026-01-02\n---\n\nNobody signed this.\n",
	}); err != nil {
		t.Fatal(err)
	}
	nodesOf(t, root, nodes)
	nodesOf(t, rig.Site(t, rig.TinySite("One", "")), nodes)
	rows := structuredRows(t)
	for kind := range nodes {
		if kind != "WebPage" && !slices.ContainsFunc(rows, func(r structuredRow) bool { return r.kind == kind }) {
			t.Errorf("pages have nodes of the type %s, which the table does not name", kind)
		}
	}
	for _, row := range rows {
		if len(nodes[row.kind]) == 0 {
			t.Errorf("no page has a node of the type %s", row.kind)
		}
		for _, property := range row.properties {
			whole, some := 0, 0
			for _, n := range nodes[row.kind] {
				there, all := given(n, strings.Split(property, "."))
				if there == all {
					whole++
				}
				some += there
			}
			leftOut := strings.HasPrefix(row.from, "Left out:")
			switch {
			case leftOut && some > 0:
				t.Errorf("%s has %s, which the table leaves out", row.kind, property)
			case !leftOut && some == 0:
				t.Errorf("%s has no %s, which the table gives", row.kind, property)
			case !leftOut && row.status == "required" && whole < len(nodes[row.kind]):
				t.Errorf("%d of %d nodes of %s lack %s, which is required", len(nodes[row.kind])-whole, len(nodes[row.kind]), row.kind, property)
			}
		}
	}
}
