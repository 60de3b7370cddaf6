package render

import (
	"fmt"
	"strings"
	"testing"
)

// A page has questions and answers if all its headings of level 2 are questions with answers, in every script that has
// a question mark.
func TestQuestionsAndAnswers(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
	}{
		{"two questions", "In short.\n\n## Is it *free*?\n\nNo. {{ name }} costs 9,\nsee [how](/).\n\n- Paid\n\n### By card\n\nYes.\n\n## Who is it for?\n\nTeams.\n",
			"Is it free? No. Parley costs 9, see how. Paid By card Yes.|Who is it for? Teams."},
		{"Japanese", "## 無料ですか？\n\nいいえ。\n\n## 誰のため？\n\n皆。\n", "無料ですか？ いいえ。|誰のため？ 皆。"},
		{"Arabic", "## هل هو مجاني؟\n\nلا.\n\n## لمن؟\n\nللفرق.\n", "هل هو مجاني؟ لا.|لمن؟ للفرق."},
		{"one question", "## Is it free?\n\nNo.\n", ""},
		{"not all", "## Is it free?\n\nNo.\n\n## For whom?\n\nTeams.\n\n## Prices\n\n9.\n", ""},
		{"no answer", "## Is it free?\n\n## For whom?\n\nTeams.\n", ""},
	} {
		page := build(t, with("content/help.md", "---\ntitle: Help\n---\n"+c.text)).body(t, "/help")
		var got []string
		if node := graphOf(t, page)["FAQPage"]; node != nil {
			for _, q := range node["mainEntity"].([]any) {
				question := q.(map[string]any)
				got = append(got, fmt.Sprint(question["name"], " ", question["acceptedAnswer"].(map[string]any)["text"]))
			}
		}
		if all := strings.Join(got, "|"); all != c.want {
			t.Errorf("%s: %s, want %s", c.name, all, c.want)
		}
	}
	if graphOf(t, build(t, with("content/blog/ask.md", "---\ntitle: Ask\ndate: 2026-01-02\n---\n## Is it?\n\nNo.\n\n## Was it?\n\nNo.\n")).body(t, "/blog/ask"))["FAQPage"] != nil {
		t.Error("an article that asks is no page of questions and answers")
	}
}
