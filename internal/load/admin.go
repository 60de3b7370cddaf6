package load

import (
	"fmt"
	"slices"

	"vitrine/internal/load/shape"
	"vitrine/internal/load/tree"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// admin reads the settings of the content editor in the browser.
func admin(dst **site.Admin) reader {
	fields := func(a *site.Admin) reader {
		return closed(
			field{"backend", "where the editor keeps the content, such as {name: github, repo: owner/name, branch: main}",
				"Where the editor keeps the content: the settings that its own manual calls backend.", backend(&a.Backend)},
		)
	}
	read := func(r *report, v value) {
		*dst = &site.Admin{Pos: v.key}
		fields(*dst).read(r, v)
	}
	return reader{read, func() shape.Shape { return fields(new(site.Admin)).draw() }}
}

// backend reads settings that are not ours: they go out as they are.
func backend(dst *[]site.Setting) reader {
	read := func(r *report, v value) {
		if v.Kind != tree.Map {
			r.errorf(v.Pos, "%s: want a map such as {name: github, repo: owner/name}, found %s", v.name, v.Describe())
			return
		}
		if v.Get("name") == nil {
			r.errorf(v.key, "%s is missing; write where the content is kept, such as github or gitlab", child(v, "name")).Code = rule.MissingKey
		}
		for _, m := range v.Members {
			item := value{m.Value, child(v, m.Key), m.Pos}
			switch {
			case m.Value.Kind == tree.Text && m.Value.Text != "", m.Value.Kind == tree.Bool && m.Key != "name":
				*dst = append(*dst, site.Setting{Key: m.Key, Value: m.Value.Text, Text: m.Value.Kind == tree.Text})
			default:
				r.errorf(m.Value.Pos, "%s: want %s, found %s", item.name, wantedSetting(m.Key), m.Value.Describe())
			}
		}
	}
	return reader{read, drawBackend}
}

func wantedSetting(key string) string {
	if slices.Contains([]string{"name", "repo", "branch"}, key) {
		return "a text"
	}
	return fmt.Sprintf("a text, or true or false, as the editor's manual says for %s", key)
}

func drawBackend() shape.Shape {
	name := shape.Shape{Kinds: []shape.Kind{shape.Text}, Pattern: ".", Examples: []string{"github", "gitlab", "gitea", "git-gateway"}}
	setting := shape.Shape{Kinds: []shape.Kind{shape.Text, shape.Truth}, Pattern: "."}
	return shape.Shape{
		Kinds: []shape.Kind{shape.Map}, Others: &setting,
		Fields: []shape.Field{
			{Name: "name", Required: true, About: "The service that keeps the content: github, gitlab, gitea or git-gateway.", Shape: name},
			{Name: "repo", About: "The repository, as owner/name.", Shape: setting},
			{Name: "branch", About: "The branch that the editor reads and writes.", Shape: setting},
		},
	}
}
