package compare

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"vitrine/internal/verify/visit"
)

// WriteText writes the difference for people.
func (d *Diff) WriteText(w io.Writer) error {
	out := bufio.NewWriter(w)
	group := func(title string, n int, line func(i int) string) {
		if n == 0 {
			return
		}
		fmt.Fprintf(out, "%s: %d\n", title, n)
		for i := range n {
			fmt.Fprintf(out, "  %s\n", visit.Plain(line(i)))
		}
	}
	if d.Empty() {
		fmt.Fprintln(out, "nothing changed")
	}
	group("added", len(d.Added), func(i int) string { return d.Added[i] })
	group("changed", len(d.Changed), func(i int) string {
		return fmt.Sprintf("%s  (%s)", d.Changed[i].Path, strings.Join(d.Changed[i].What, ", "))
	})
	group("moved", len(d.Moved), func(i int) string { return d.Moved[i].Path + "  → " + d.Moved[i].Location })
	group("new assets", len(d.NewAssets), func(i int) string { return d.NewAssets[i] })
	group("old assets gone", len(d.OldAssets), func(i int) string { return d.OldAssets[i] })
	group("removed without a redirect", len(d.Removed), func(i int) string { return d.Removed[i] })
	if d.Partial {
		fmt.Fprintln(out, "note: a live site tells only of what it lists and of what it is asked for; unlisted files that went are not seen")
	}
	return out.Flush()
}

// WriteJSON writes the difference for programs.
func (d *Diff) WriteJSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(d)
}
