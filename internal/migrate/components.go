package migrate

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/load/tree"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/source"
)

// ComponentsName is the name of the draft component map in the new site's folder.
const ComponentsName = "import-components.yaml"

// readMap sets im.Site.Map from the component map, if Options.Map names one.
func (im *importer) readMap() error {
	if im.opt.Map == "" {
		return nil
	}
	data, err := os.ReadFile(im.opt.Map)
	if err != nil {
		return fmt.Errorf("reading the component map: %w", err)
	}
	root, faults := tree.YAML(bytes.TrimPrefix(data, []byte("\uFEFF")), 1)
	if faults != nil {
		return fmt.Errorf("%s:%d: error: %s; write a string for each name", im.opt.Map, faults[0].Line, faults[0].Text)
	}
	im.Site.Map = map[string]convert.Handler{}
	for _, m := range source.OrMap(root).Members {
		if m.Value.Kind == tree.List || m.Value.Kind == tree.Map {
			return fmt.Errorf("%s: error: %s: want a string, for example \"{inner}\"; write the replacement for the component", im.opt.Map, m.Key)
		}
		im.Site.Map[strings.ToLower(m.Key)] = convert.Mapped(m.Value.Text)
	}
	return nil
}

// unknownName matches the description of an unknown component in a note. It captures the name of a component or of a
// shortcode.
var unknownName = lazyregexp.New(`^the (?:component <([\w.:-]+)>|shortcode "(?:liquid )?([\w./:-]+)")$`)

// draftMap returns a component map with a commented-out entry for each unknown component in notes, the most frequent
// first. It returns "" if all components are known.
func draftMap(notes []convert.Note) string {
	count, example := map[string]int{}, map[string]string{}
	for _, n := range notes {
		m := unknownName.FindStringSubmatch(n.What)
		if m == nil || m[1]+m[2] == "out" {
			continue
		}
		if name := m[1] + m[2]; count[name] == 0 {
			example[name] = source.OneLine(n.Source, 100)
			count[name]++
		} else {
			count[name]++
		}
	}
	if len(count) == 0 {
		return ""
	}
	names := source.SortedKeys(count)
	slices.SortStableFunc(names, func(a, b string) int { return count[b] - count[a] })
	var b strings.Builder
	b.WriteString("# Replacement text for the components that were not converted. {inner} is the content of the component,\n# {name} is the attribute with that name, and {0} is the first argument of a shortcode. \"\" drops the component.\n" +
		"# Remove the # before a line, then import again with --map and this file.\n")
	for _, name := range names {
		fmt.Fprintf(&b, "\n# %d times, such as %s\n# %s: \"{inner}\"\n", count[name], example[name], source.Quoted(name))
	}
	return b.String()
}
