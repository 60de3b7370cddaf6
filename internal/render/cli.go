package render

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"vitrine/internal/artifact"
	"vitrine/internal/plan"
	"vitrine/internal/render/media"
	"vitrine/internal/render/plaintext"
	"vitrine/internal/render/theme"
)

// cli renders the command-line tool (wire contract §6), and a file with the tool's SHA-256 in the format that sha256sum
// -c reads. It returns nil if the settings disable the tool.
func (r *Renderer) cli() ([]artifact.Resource, error) {
	if r.site.Config.Machines.NoCLI {
		return nil, nil
	}
	source, err := r.theme.Tool()
	if err != nil {
		return nil, err
	}
	said, named := map[string]string{}, []string{}
	for _, key := range []string{"unlimitedReps", "unlimitedTeams", "unlimited", "limited"} {
		if said[key], err = r.theme.ToolWord(key); err != nil {
			return nil, fmt.Errorf("reading the words of the command-line tool: %w", err)
		}
		if r.theme.OwnWord(key) && r.states(key) {
			named = append(named, key)
		}
	}
	body, err := stamp(source, map[string]any{
		"BASE_URL": r.site.Config.BaseURL, "NAME": r.site.Config.CLIName,
		"VERSION": theme.ToolVersion, "PRODUCT": plaintext.OneLine(r.site.Product.Name),
		"FORMS": r.theme.Locale().Forms(r.site.Product.Pricing.Currency), "WORDS": said, "NAMED": named,
		"CANNOT": append([]string{}, r.site.Config.Cannot...),
	})
	if err != nil {
		return nil, fmt.Errorf("inserting the site's values into the command-line tool: %w", err)
	}
	path := plan.CLIPath(r.site)
	sum := fmt.Appendf(nil, "%x  %s.mjs\n", sha256.Sum256(body), r.site.Config.CLIName)
	return []artifact.Resource{
		machineFile(path, media.Type(path), body),
		machineFile(plan.SumPath(path), media.Text, sum),
	}, nil
}

// states reports whether product.yaml sets the limit on reps or teams that the word with the given key describes. It
// returns true for the keys of all other words.
func (r *Renderer) states(key string) bool {
	switch pricing := &r.site.Product.Pricing; key {
	case "unlimitedReps":
		return pricing.StatesReps
	case "unlimitedTeams":
		return pricing.StatesTeams
	}
	return true
}

// stamp replaces the string literal "@NAME@" in source with a value as JSON, for each NAME in values. It returns an
// error unless each literal occurs exactly once.
func stamp(source []byte, values map[string]any) ([]byte, error) {
	for name, value := range values {
		mark := []byte(`"@` + name + `@"`)
		if n := bytes.Count(source, mark); n != 1 {
			return nil, fmt.Errorf("%s appears %d times in %s, want once", mark, n, theme.ToolSource)
		}
		literal, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		source = bytes.Replace(source, mark, literal, 1)
	}
	return source, nil
}
