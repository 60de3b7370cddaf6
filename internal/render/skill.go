package render

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"path"

	"vitrine/internal/artifact"
	"vitrine/internal/plan"
	"vitrine/internal/render/media"
	"vitrine/internal/render/plaintext"
	"vitrine/internal/render/view"
	"vitrine/internal/site"
)

// skillSchema identifies the format of the skill index: Agent Skills Discovery 0.2.0.
const skillSchema = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"

// skillDescription is the maximum number of characters in a skill's description (agentskills.io).
const skillDescription = 1024

// skillIndex is the index of a site's skills. A site has only one skill.
type skillIndex struct {
	Schema string       `json:"$schema"`
	Skills []skillEntry `json:"skills"`
}

type skillEntry struct {
	Name        string   `json:"name"`
	Type        string   `json:"type"`
	Description string   `json:"description"`
	URL         site.Ref `json:"url"`
	Digest      string   `json:"digest"`
}

// indexNow returns the file with the site's IndexNow key, or nil if the site has no key. To verify the sender of a
// notification about changed pages, search engines compare the key in the notification with the file.
func (r *Renderer) indexNow() []artifact.Resource {
	if r.site.Config.IndexNow == "" {
		return nil
	}
	return []artifact.Resource{machineFile(plan.IndexNowPath, media.Text, []byte(r.site.Config.IndexNow))}
}

// skill renders the agent skill, which tells programs how to read the site's facts, and the index of skills, which
// contains the skill's digest.
func (r *Renderer) skill() ([]artifact.Resource, error) {
	allowance := site.AllowanceOf(&r.site.Config, artifact.DefaultLimit, artifact.DefaultWindow)
	tool, at := plan.CLIPath(r.site), plan.SkillPath(r.site)
	about := "Reads the public facts about " + plaintext.OneLine(r.site.Product.Name) + " (capabilities, audience, plans, and prices, how to get started, changes) from " +
		r.site.Config.BaseURL + ", without an account. Use it for questions about " + plaintext.OneLine(r.site.Product.Name) + ". " + plaintext.OneLine(r.site.Product.Description)
	if letters := []rune(about); len(letters) > skillDescription {
		about = string(letters[:skillDescription-1]) + "…"
	}
	skill := &view.Skill{
		Name: path.Base(path.Dir(at)), Description: about, Requests: allowance.Limit, Seconds: allowance.Seconds,
		Tool: tool, ToolSum: plan.SumPath(tool), ToolName: path.Base(tool),
	}
	body, err := r.text("skill.md", view.TextFile{Skill: skill})
	if err != nil {
		return nil, err
	}
	var index bytes.Buffer
	encoder := json.NewEncoder(&index)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err = encoder.Encode(skillIndex{skillSchema, []skillEntry{{
		Name: skill.Name, Type: "skill-md", Description: skill.Description, URL: site.RefTo(r.site.Config.Mount() + at), Digest: fmt.Sprintf("sha256:%x", sha256.Sum256(body)),
	}}})
	if err != nil {
		return nil, fmt.Errorf("encoding the skill index: %w", err)
	}
	return []artifact.Resource{
		machineFile(plan.SkillsPath, media.JSON, index.Bytes()),
		r.textFile(at, media.Markdown, body),
	}, nil
}
