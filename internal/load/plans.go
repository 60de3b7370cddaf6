package load

import (
	"strings"

	"vitrine/internal/load/tree"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// samePlans warns about indistinguishable plans: two with the same name, and two that are highlighted.
func samePlans(r *report, root *tree.Node) {
	pricing := root.Get("pricing")
	if pricing == nil || pricing.Value.Kind != tree.Map {
		return
	}
	names := make(map[string]site.Pos)
	var highlighted site.Pos
	for _, key := range []string{"plans", "onRequest"} {
		list := pricing.Value.Get(key)
		if list == nil || list.Value.Kind != tree.List {
			continue
		}
		for _, plan := range list.Value.Items {
			if plan.Kind != tree.Map {
				continue
			}
			if name := plan.Get("name"); name != nil && name.Value.Kind == tree.Text {
				folded := strings.ToLower(strings.TrimSpace(name.Value.Text))
				if first, taken := names[folded]; !taken {
					names[folded] = name.Value.Pos
				} else if folded != "" {
					r.warnf(name.Value.Pos, "the plan in line %d has the name %q too; give each plan its own name", first.Line, name.Value.Text).Code = rule.SamePlan
				}
			}
			mark := plan.Get("highlight")
			if mark == nil || mark.Value.Kind != tree.Bool || mark.Value.Text != "true" {
				continue
			}
			if highlighted != (site.Pos{}) {
				r.warnf(mark.Value.Pos, "the plan in line %d is highlighted too; highlight the one that most customers want", highlighted.Line).Code = rule.SamePlan
				continue
			}
			highlighted = mark.Value.Pos
		}
	}
}
