package render

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"

	"vitrine/internal/artifact"
	"vitrine/internal/plan"
	"vitrine/internal/site"
)

const (
	// cliSource is the command-line tool among the theme's files, before the site's values are
	// inserted.
	cliSource = "cli/tool.mjs"
	// cliVersion is the version of the command-line tool. Increase it with each change that users can notice.
	cliVersion = "2.4.1"
)

// cliView is the command-line tool as templates see it.
type cliView struct {
	Name       string // its name
	Path       string // its path
	SHA256Path string // the path of its checksum
	Version    string // its version
}

func newCLIView(s *site.Site) *cliView {
	path := plan.CLIPath(s)
	return &cliView{Name: s.Config.CLIName, Path: path, SHA256Path: plan.SumPath(path), Version: cliVersion}
}

// cli renders the command-line tool (wire contract §6) with its SHA-256, in the format of sha256sum
// -c.
func (r *Renderer) cli() ([]artifact.Resource, error) {
	if r.site.Config.Machines.NoCLI {
		return nil, nil
	}
	source, err := fs.ReadFile(r.theme.files, cliSource)
	if err != nil {
		return nil, fmt.Errorf("reading the command-line tool: %w", err)
	}
	said, named := map[string]string{}, []string{}
	for _, key := range []string{"unlimitedReps", "unlimitedTeams", "unlimited", "limited"} {
		if said[key], err = r.toolWord(key); err != nil {
			return nil, fmt.Errorf("stamping the command-line tool: %w", err)
		}
		if r.theme.words.Own(key) && r.states(key) {
			named = append(named, key)
		}
	}
	body, err := stamp(source, map[string]any{
		"BASE_URL": r.site.Config.BaseURL, "NAME": r.site.Config.CLIName,
		"VERSION": cliVersion, "PRODUCT": oneLine(r.site.Product.Name),
		"FORMS": r.theme.locale.Forms(r.site.Product.Pricing.Currency), "WORDS": said, "NAMED": named,
		"CANNOT": append([]string{}, r.site.Config.Cannot...),
	})
	if err != nil {
		return nil, fmt.Errorf("stamping the command-line tool: %w", err)
	}
	path := plan.CLIPath(r.site)
	sum := fmt.Appendf(nil, "%x  %s.mjs\n", sha256.Sum256(body), r.site.Config.CLIName)
	return []artifact.Resource{
		machineFile(path, contentType(path), body),
		machineFile(plan.SumPath(path), typeText, sum),
	}, nil
}

// toolWord returns the words for a key in the tool, which is in English. A site's name for a limit is kept.
func (r *Renderer) toolWord(key string) (string, error) {
	isName := key == "unlimitedReps" || key == "unlimitedTeams"
	if r.theme.english || isName && r.theme.words.Own(key) {
		return r.theme.words.Text(key)
	}
	return r.theme.words.English(key)
}

// states reports whether product.yaml has the limit that a word is for.
func (r *Renderer) states(key string) bool {
	switch pricing := &r.site.Product.Pricing; key {
	case "unlimitedReps":
		return pricing.StatesReps
	case "unlimitedTeams":
		return pricing.StatesTeams
	}
	return true
}

// stamp replaces each "@NAME@", a string literal that occurs once in the source, with a literal of
// its value.
func stamp(source []byte, values map[string]any) ([]byte, error) {
	for name, value := range values {
		mark := []byte(`"@` + name + `@"`)
		if n := bytes.Count(source, mark); n != 1 {
			return nil, fmt.Errorf("%s appears %d times in %s, want once", mark, n, cliSource)
		}
		literal, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		source = bytes.Replace(source, mark, literal, 1)
	}
	return source, nil
}
