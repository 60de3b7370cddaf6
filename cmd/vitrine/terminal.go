package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"vitrine/internal/folder"
	"vitrine/internal/site"
)

// writeExcerpt writes the source line of a problem and a caret under its column. sources caches the lines of files,
// keyed by path.
func writeExcerpt(w io.Writer, p site.Problem, sources map[string][]string, root string) {
	if p.Line == 0 {
		return
	}
	lines, ok := sources[p.Path]
	if !ok {
		// If the source can't be read, show the problem without its line.
		text, _ := readSource(root, p.Path)
		lines = strings.Split(string(text), "\n")
		sources[p.Path] = lines
	}
	if p.Line > len(lines) {
		return
	}
	line, caret := excerpt(strings.TrimRight(lines[p.Line-1], "\r"), p.Col)
	fmt.Fprintf(w, "    %s\n    %s^\n", line, caret)
}

// readSource reads the current content of the named file of the site in dir.
func readSource(dir, name string) ([]byte, error) {
	site, err := folder.Open(dir)
	if err != nil {
		return nil, err
	}
	defer site.Close()
	return site.ReadFile(name)
}

// excerpt returns line, shortened to fit a terminal, and the white space that positions a caret under column col.
func excerpt(line string, col int) (shown, indent string) {
	const width, before = 100, 40
	runes := []rune(line)
	at := min(max(col-1, 0), len(runes))
	start := 0
	if len(runes) > width && at > before {
		start = at - before
	}
	shown = string(runes[start:min(start+width, len(runes))])
	var b strings.Builder
	for _, r := range runes[start:at] {
		if r == '\t' {
			b.WriteRune(r)
		} else {
			b.WriteByte(' ')
		}
	}
	return strings.Map(printable, shown), b.String()
}

// printable returns U+FFFD in place of a character that could control the terminal or reverse its text, and any other
// character unchanged.
func printable(r rune) rune {
	if unicode.IsControl(r) && r != '\t' || unicode.Is(unicode.Bidi_Control, r) {
		return '\ufffd'
	}
	return r
}

// shown returns text with unprintable characters replaced; see printable.
func shown(text string) string { return strings.Map(printable, text) }

// problemJSON is the JSON form of a problem.
type problemJSON struct {
	Path     string `json:"path"`
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"`
	Severity string `json:"severity"`
	Code     string `json:"code,omitempty"`
	Message  string `json:"message"`
	// Fix is the edit made by vitrine fix, or nil if there is none.
	Fix *fixJSON `json:"fix,omitempty"`
}

// fixJSON describes an edit that replaces Old, at the byte offset Start of the file, with New.
type fixJSON struct {
	Start int    `json:"start"`
	Old   string `json:"old"`
	New   string `json:"new"`
}

func reportJSON(problems []site.Problem, w io.Writer) error {
	out := make([]problemJSON, 0, len(problems))
	for _, p := range problems {
		one := problemJSON{shown(p.Path), p.Line, p.Col, p.Severity.String(), string(p.Code), shown(p.Text), nil}
		if p.Fix != (site.Edit{}) {
			one.Fix = &fixJSON{p.Fix.Start, p.Fix.Old, p.Fix.New}
		}
		out = append(out, one)
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(out)
}

// reportGitHub writes the problems as workflow commands, which GitHub Actions shows as annotations.
func reportGitHub(problems []site.Problem, w io.Writer) error {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	out := bufio.NewWriter(w)
	for _, p := range problems {
		title := ""
		if p.Code != "" {
			title = ",title=" + property.Replace(string(p.Code))
		}
		fmt.Fprintf(out, "::%s file=%s,line=%d,col=%d%s::%s\n", p.Severity,
			property.Replace(shown(p.Path)), cmp.Or(p.Line, 1), cmp.Or(p.Col, 1), title, data.Replace(shown(p.Text)))
	}
	return out.Flush()
}

func count(problems []site.Problem) (errors, warnings int) {
	for _, p := range problems {
		if p.Severity == site.Error {
			errors++
		} else {
			warnings++
		}
	}
	return errors, warnings
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// counted returns n and a noun, such as "1 page" or "2 pages". what is the noun in the singular.
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// size formats n bytes in bytes, KiB, or MiB.
func size(n int64) string {
	switch {
	case n < 1<<10:
		return counted(int(n), "byte")
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}
