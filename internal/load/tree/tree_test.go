package tree

import (
	"fmt"
	"strings"
	"testing"

	"vitrine/internal/site"
)

// dump formats a tree with all positions.
func dump(n *Node) string {
	var w strings.Builder
	dumpTo(&w, n, "")
	return w.String()
}

func dumpTo(w *strings.Builder, n *Node, indent string) {
	fmt.Fprintf(w, "%s %d:%d\n", n.Describe(), n.Pos.Line, n.Pos.Col)
	for _, item := range n.Items {
		fmt.Fprintf(w, "%s- ", indent)
		dumpTo(w, item, indent+"  ")
	}
	for _, m := range n.Members {
		fmt.Fprintf(w, "%s%s %d:%d = ", indent, m.Key, m.Pos.Line, m.Pos.Col)
		dumpTo(w, m.Value, indent+"  ")
	}
}

// The three syntaxes yield the same kind of tree. Positions count characters and start on the line that the caller
// specifies.
func TestPlaces(t *testing.T) {
	tests := []struct {
		name  string
		parse func([]byte, int) (*Node, []Fault)
		src   string
		want  string
	}{
		{"YAML", YAML, `größe: "ü" # comment
b:
  - {c: 1, d: [x, 'y']}
  - e: |
      text
    f: two
      lines
    g:
h: 1_000`, `a map 10:1
größe 10:1 = the text "ü" 10:8
b 11:1 = a list 12:3
  - a map 12:5
    c 12:6 = the number 1 12:9
    d 12:12 = a list 12:15
      - the text "x" 12:16
      - the text "y" 12:19
  - a map 13:5
    e 13:5 = the text "text\n" 13:8
    f 15:5 = the text "two lines" 15:8
    g 17:5 = nothing 17:7
h 18:1 = the number 1_000 18:4
`},
		{"JSON", JSON, `{
  "a": [1, 2.50, {"b": null}], "ä": "ü", "x" : true
}`, `a map 10:1
a 11:3 = a list 11:8
  - the number 1 11:9
  - the number 2.50 11:12
  - a map 11:18
    b 11:19 = nothing 11:24
ä 11:32 = the text "ü" 11:37
x 11:42 = true 11:48
`},
		{"TOML", TOML, `z = "a" # = "x"
d1 = 2026-01-05
d2 = 2026-01-05 10:00:00
d3 = 2026-01-05T10:00:00+02:00
t = 10:00:00
tags = ["a",
 "b"] # ]
a."b.c" = 5
m = """
x = 5 \""""
[params]
x = {y = 1, z = 2.50}
[[params.items]]
n = 1
[[params.items]]
n = true
[params.items.sub]
q = 'w'
[["params".more]]
`, `a map 10:1
z 10:1 = the text "a" 10:5
d1 11:1 = the text "2026-01-05" 11:6
d2 12:1 = the text "2026-01-05 10:00:00" 12:6
d3 13:1 = the text "2026-01-05T10:00:00+02:00" 13:6
t 14:1 = the text "10:00:00" 14:5
tags 15:1 = a list 15:8
  - the text "a" 15:9
  - the text "b" 16:2
a 17:1 = a map 17:11
  b.c 17:1 = the number 5 17:11
m 18:1 = the text "x = 5 \"" 18:5
params 20:1 = a map 20:1
  x 21:1 = a map 21:5
    y 21:6 = the number 1 21:10
    z 21:13 = the number 2.5 21:17
  items 22:1 = a list 22:1
    - a map 22:1
      n 23:1 = the number 1 23:5
    - a map 24:1
      n 25:1 = true 25:5
      sub 26:1 = a map 26:1
        q 27:1 = the text "w" 27:5
  more 28:1 = a list 28:1
    - a map 28:1
`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root, faults := test.parse([]byte(test.src), 10)
			if faults != nil {
				t.Fatal(faults)
			}
			if got := dump(root); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// Plain scalars follow YAML 1.2's core schema, and a number keeps its written form if that is valid JSON.
func TestPlainScalars(t *testing.T) {
	for src, want := range map[string]Node{
		"":                       {Kind: Null},
		"~":                      {Kind: Null},
		"NULL":                   {Kind: Null},
		"nUll":                   {Kind: Text},
		"true":                   {Kind: Bool},
		"False":                  {Kind: Bool},
		"yes":                    {Kind: Text},
		"off":                    {Kind: Text},
		"49":                     {Kind: Number, Number: "49"},
		"49.50":                  {Kind: Number, Number: "49.50"},
		"-0":                     {Kind: Number, Number: "-0"},
		"1e3":                    {Kind: Number, Number: "1e3"},
		"1E+03":                  {Kind: Number, Number: "1E+03"},
		"+5":                     {Kind: Number, Number: "5"},
		".5":                     {Kind: Number, Number: "0.5"},
		"-.5e1":                  {Kind: Number, Number: "-0.5e1"},
		"5.":                     {Kind: Number, Number: "5"},
		"007":                    {Kind: Number, Number: "7"},
		"000":                    {Kind: Number, Number: "0"},
		"00.10":                  {Kind: Number, Number: "0.10"},
		"0x1F":                   {Kind: Number, Number: "31"},
		"0xFFFFFFFFFFFFFFFFFFFF": {Kind: Number, Number: "1208925819614629174706175"},
		"0o17":                   {Kind: Number, Number: "15"},
		"1_000":                  {Kind: Number, Number: "1000"},
		"1_0.0_1":                {Kind: Number, Number: "10.01"},
		".inf":                   {Kind: Number},
		"-.INF":                  {Kind: Number},
		".nan":                   {Kind: Number},
		"1e400":                  {Kind: Number},
		"-.nan":                  {Kind: Text},
		"0o18":                   {Kind: Text},
		"0xG":                    {Kind: Text},
		"0x":                     {Kind: Text},
		"0b1":                    {Kind: Text},
		"1__0":                   {Kind: Text},
		"_1":                     {Kind: Text},
		"1_":                     {Kind: Text},
		".":                      {Kind: Text},
		"-":                      {Kind: Text},
		"+":                      {Kind: Text},
		"1e":                     {Kind: Text},
		"1e+-5":                  {Kind: Text},
		"e5":                     {Kind: Text},
		".e5":                    {Kind: Text},
		"1.2.3":                  {Kind: Text},
		"49 €":                   {Kind: Text},
		"12:30":                  {Kind: Text},
		"2026-01-05":             {Kind: Text},
	} {
		if got := plain(src); got.Kind != want.Kind || got.Number != want.Number {
			t.Errorf("plain(%q) = kind %d, number %q, want kind %d, number %q", src, got.Kind, got.Number, want.Kind, want.Number)
		}
	}
}

// JSON is parsed strictly, and a mistake is reported at the offending token.
func TestBadJSON(t *testing.T) {
	for src, want := range map[string]string{
		`{"a": }`:                     "1:7",
		`{"a": 1} x`:                  "1:10",
		"{\"a\": 1,\n}":               "2:1",
		`{"a`:                         "1:2",
		`{"a":1,"a":2}`:               "1:8",
		`[1 2]`:                       "1:4",
		``:                            "1:1",
		`{"a":"\ud800"}`:              "1:6",
		`{"a":"\u0007"}`:              "1:6",
		"[" + strings.Repeat("[", 40): "1:34",
		`{a: 1}`:                      "1:2",
		`[01]`:                        "1:3",
	} {
		root, faults := JSON([]byte(src), 1)
		if root != nil || len(faults) == 0 {
			t.Errorf("%s: got a tree", src)
			continue
		}
		if got := fmt.Sprintf("%d:%d", faults[0].Line, faults[0].Col); got != want {
			t.Errorf("%s: fault %q at %s, want %s", src, faults[0].Text, got, want)
		}
	}
}

// The parsers reject documents that are too deep or too wide, each within the time limit.
func TestBounds(t *testing.T) {
	const n = 1 << 17
	for name, src := range map[string]string{
		"lists":     strings.Repeat("- ", n),
		"flow":      strings.Repeat("[", n),
		"flow maps": strings.Repeat("{a: ", n),
		"keys":      strings.Repeat("? ", n),
		"members":   strings.Repeat("a: b\n", n/5),
		"anchors":   strings.Repeat("&a ", n),
		"documents": strings.Repeat("---\n", n/4),
		"indents":   indents(400),
	} {
		t.Run("YAML "+name, func(t *testing.T) {
			if _, faults := YAML([]byte(src), 1); len(faults) == 0 {
				t.Error("got a tree")
			}
		})
	}
	for name, src := range map[string]string{
		"lists":  "a = " + strings.Repeat("[", n),
		"keys":   strings.Repeat("a.", n) + "a = 1",
		"tables": "[" + strings.Repeat("a.", n) + "a]",
		"inline": strings.Repeat("a = {", n),
	} {
		t.Run("TOML "+name, func(t *testing.T) {
			if _, faults := TOML([]byte(src), 1); len(faults) == 0 {
				t.Error("got a tree")
			}
		})
	}
}

func indents(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func TestPosition(t *testing.T) {
	src := []byte("aü\n€b\n")
	for offset, want := range map[int]site.Pos{
		0: {Line: 1, Col: 1}, 1: {Line: 1, Col: 2}, 3: {Line: 1, Col: 3}, 4: {Line: 2, Col: 1},
		7: {Line: 2, Col: 2}, 9: {Line: 3, Col: 1}, 99: {Line: 3, Col: 1},
	} {
		if got := Position(src, offset); got != want {
			t.Errorf("Position(%d) = %v, want %v", offset, got, want)
		}
	}
}

// FuzzTree checks that a document in any syntax yields either a tree or faults, and that all positions are valid.
func FuzzTree(f *testing.F) {
	f.Add("a: b\nc:\n  - {d: e}\n")
	f.Add("a = 1\n[b]\nc = \"d\"\n[[e.f]]\n")
	f.Add(`{"a": [1, {"b": null}]}`)
	f.Add("a: |\n  x\n  y\nb: >-\n  z\nc: \"d\n  e\"\n")
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 4096 {
			return
		}
		lines := strings.Split(src, "\n")
		for _, parse := range []func([]byte, int) (*Node, []Fault){YAML, JSON, TOML} {
			root, faults := parse([]byte(src), 1)
			if (root == nil) == (faults == nil) {
				t.Fatalf("tree %v, faults %v", root, faults)
			}
			for _, fault := range faults {
				inside(t, fault.Pos, lines)
			}
			if root != nil {
				allInside(t, root, lines)
			}
		}
	})
}

func allInside(t *testing.T, n *Node, lines []string) {
	inside(t, n.Pos, lines)
	for _, item := range n.Items {
		allInside(t, item, lines)
	}
	for _, m := range n.Members {
		inside(t, m.Pos, lines)
		allInside(t, m.Value, lines)
	}
}

func inside(t *testing.T, at site.Pos, lines []string) {
	t.Helper()
	if at.Line < 1 || at.Line > len(lines) || at.Col < 1 || at.Col > len([]rune(lines[at.Line-1]))+1 {
		t.Fatalf("%d:%d is not in the source", at.Line, at.Col)
	}
}
