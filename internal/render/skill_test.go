package render

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"vitrine/internal/plan"
)

// The skill index contains the digest of the skill that it links to, and the skill contains the facts.
func TestSkill(t *testing.T) {
	b := build(t, sampleFacts())
	var index skillIndex
	if err := json.Unmarshal([]byte(b.body(t, plan.SkillsPath)), &index); err != nil {
		t.Fatal(err)
	}
	if index.Schema != skillSchema || len(index.Skills) != 1 {
		t.Fatalf("got %+v", index)
	}
	entry := index.Skills[0]
	skill := b.body(t, string(entry.URL))
	if want := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(skill))); entry.Digest != want || entry.Type != "skill-md" {
		t.Errorf("digest %s of type %s, want %s", entry.Digest, entry.Type, want)
	}
	product := &b.site.Product
	for _, want := range []string{
		"---\nname: " + entry.Name + "\ndescription: \"", product.Contact, b.site.Config.BaseURL + "/api/v1/marketing", b.site.Config.BaseURL + plan.CLIPath(b.site), "120 requests",
	} {
		if !strings.Contains(skill, want) {
			t.Errorf("the skill lacks %q:\n%s", want, skill)
		}
	}
	if !strings.HasPrefix(skill, "---\n") || len([]rune(entry.Description)) > skillDescription || !strings.Contains(entry.Description, product.Name) {
		t.Errorf("description %q, skill\n%s", entry.Description, skill)
	}
}
