package theme

import (
	"fmt"
	"io/fs"

	"vitrine/internal/plan"
	"vitrine/internal/site"
)

const (
	// ToolSource is the theme's file with the source of the command-line tool. The build inserts the site's values,
	// such as the base URL.
	ToolSource = "cli/tool.mjs"
	// ToolVersion is the version of the command-line tool. Increase it for each change that users can notice.
	ToolVersion = "2.4.1"
)

// toolView is the command-line tool that prints the site's facts.
type toolView struct {
	Name       string // the tool's name
	Path       string // the path of the tool
	SHA256Path string // the path of the tool's SHA-256 checksum
	Version    string // the tool's version
}

func newToolView(s *site.Site) *toolView {
	path := plan.CLIPath(s)
	return &toolView{Name: s.Config.CLIName, Path: path, SHA256Path: plan.SumPath(path), Version: ToolVersion}
}

// Tool returns the source of the command-line tool, without the site's values.
func (t *Theme) Tool() ([]byte, error) {
	source, err := fs.ReadFile(t.files, ToolSource)
	if err != nil {
		return nil, fmt.Errorf("reading the command-line tool: %w", err)
	}
	return source, nil
}

// ToolWord returns the English string for a key, because the command-line tool is in English. The only exceptions are
// the site's own strings for an unlimited number of reps or teams, which ToolWord returns in the site's language.
func (t *Theme) ToolWord(key string) (string, error) {
	isName := key == "unlimitedReps" || key == "unlimitedTeams"
	if t.english || isName && t.words.Own(key) {
		return t.words.Text(key)
	}
	return t.words.English(key)
}
