package highlight

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// A quick lexer produces the same tokens as chroma's own lexer: for chroma's samples of each language, for arbitrary
// parts of these samples, and for code in other languages, which is full of errors.
func TestQuickLexersAreChromas(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/alecthomas/chroma/v2").Output()
	if err != nil {
		t.Fatalf("finding chroma: %v", err)
	}
	folder := filepath.Join(strings.TrimSpace(string(out)), "lexers", "testdata")
	foreign := sampleOf(t, folder, "php") + sampleOf(t, folder, "bash")
	for _, language := range quickLanguages() {
		original := lexers.Get(language)
		q, ok := quicker(original).(*quickLexer)
		if !ok {
			t.Errorf("%s has no quick lexer", language)
			continue
		}
		own := sampleOf(t, folder, strings.ToLower(language))
		for _, text := range []string{own, own[len(own)/3:], own[:2*len(own)/3], foreign, "é “x” \u0130\u212a" + own} {
			text = strings.ToValidUTF8(text, "") + "\n"
			want, wantErr := readAll(original, text)
			got, gotErr := readAll(q, text)
			if (wantErr == "") != (gotErr == "") {
				t.Errorf("%s: chroma's own fails with %q, the quick one with %q", language, wantErr, gotErr)
				break
			}
			if at := firstDifference(want, got); at >= 0 {
				t.Errorf("%s: token %d of %d and %d differs: %v", language, at, len(want), len(got), [][]chroma.Token{want[at:min(at+2, len(want))], got[at:min(at+2, len(got))]})
				break
			}
		}
	}
}

// sampleOf returns chroma's sample of code in the given language, or the first sample in the language's folder.
func sampleOf(t *testing.T, folder, language string) string {
	t.Helper()
	if other, ok := map[string]string{"c++": "cpp", "c#": "csharp"}[language]; ok {
		language = other
	}
	for _, pattern := range []string{language + ".actual", language + "/*.actual", language + "*.actual"} {
		found, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil || len(found) == 0 {
			continue
		}
		data, err := os.ReadFile(found[0])
		if err != nil {
			t.Fatal(err)
		}
		return strings.ReplaceAll(string(data[:min(len(data), 2000)]), "\r", "")
	}
	t.Errorf("chroma has no sample of %s", language)
	return ""
}

// readAll returns the tokens of text. failed describes the lexer's error or panic, or is "" if there is none.
func readAll(lexer chroma.Lexer, text string) (all []chroma.Token, failed string) {
	defer func() {
		if r := recover(); r != nil {
			failed = "a panic"
		}
	}()
	iterator, err := chroma.Coalesce(lexer).Tokenise(nil, text)
	if err != nil {
		return nil, err.Error()
	}
	for token := iterator(); token != chroma.EOF; token = iterator() {
		all = append(all, token)
	}
	return all, ""
}

// firstDifference returns the index of the first difference between two sequences, or -1 if they
// are equal.
func firstDifference(a, b []chroma.Token) int {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			return i
		}
	}
	return -1
}

// The possible starts always include the actual start of a match.
func TestFirstOf(t *testing.T) {
	for _, c := range []struct {
		pattern, in, out string
		known            bool
	}{
		{`(?m)(?:func\b)`, "f", "g \n", true},
		{`(?mi)(?:select|from)`, "sSfF", "ge", true},
		{`(?m)(?:(?<!x)(?:a|b)(?=[)(])c)`, "ab", "xc()", true},
		{`(?m)(?:(?!end)\w+)`, "ez_0", "-\n", true},
		{`(?m)(?:(?>ab|c)d)`, "ac", "bd", true},
		{`(?m)(?:\s+)`, " \t\n\v\f", "a", true},
		{`(?m)(?:[^\S\n]+x)`, "", "", false},
		{`(?m)(?:a*b)`, "ab", "c", true},
		{`(?m)(?:a*)`, "", "", false},
		{`(?m)(?:)`, "", "", false},
		{`(?m)(?:.x)`, "ax\x00", "", true},
		{`(?m)(?:b?.x)`, "abx", "", true},
		{`(?m)(?:(a)\1)`, "", "", false},
		{`(?mi)(?:ſx)`, "", "", false},
		{`(?mi)(?:[a-k]x)`, "aAkK", "lL", true},
		{`(?m)(?:[a-z-[aeiou]])`, "", "", false},
	} {
		first, known := firstOf(c.pattern)
		if known != c.known {
			t.Errorf("%s: known is %t", c.pattern, known)
		}
		for _, r := range c.in {
			if known && !first[r] {
				t.Errorf("%s cannot begin with %q", c.pattern, r)
			}
		}
		for _, r := range c.out {
			if known && first[r] {
				t.Errorf("%s may begin with %q", c.pattern, r)
			}
		}
	}
}

// BenchmarkLexers lexes a Go sample with chroma's own lexer and with the quick lexer.
func BenchmarkLexers(b *testing.B) {
	const code = "package main\n\n// main greets.\nfunc main() {\n\tfor i, name := range names {\n\t\tif len(name) > 3 && i != 0 {\n\t\t\tfmt.Println(\"hello\", name, 42)\n\t\t}\n\t}\n}\n"
	own := lexers.Get("go")
	for name, lexer := range map[string]chroma.Lexer{"chroma": own, "quick": quicker(own)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				readAll(lexer, code)
			}
		})
	}
}
