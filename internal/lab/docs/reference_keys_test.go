package docs_test

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"vitrine/internal/load"
	"vitrine/internal/load/shape"
)

const siteIntro = "`content/site.yaml` contains the settings of a site. Only two keys are required:\n" +
	"\n" +
	"```yaml title=\"content/site.yaml\"\n" +
	"baseURL: https://acorn.example\n" +
	"title: Acorn\n" +
	"```\n" +
	"\n" +
	"[Write a site](../guides/write.md) shows more examples. A nested key marked **Required** is required only if you use the key that contains\n" +
	"it. An unknown key causes an error that suggests the most similar key.\n" +
	"\n" +
	"Some keys configure the *JSON API*, which returns the facts in `product.yaml` at `/api/v1/marketing`. Others configure the *command-line\n" +
	"tool*, which your site can offer so that visitors can print these facts.\n" +
	"\n" +
	"In key names, `[]` stands for each item of a list, `TAG` for a language tag, such as `de`, and `CODE` for the code of a rule, such as `V014`.\n" +
	"In the *Value* column, *true or false* means that the key accepts only these two words. A key with the values `yes` or `no` also accepts `true`\n" +
	"and `false`.\n"

const productIntro = "`content/product.yaml` contains the public facts about your product, such as its prices. You can reference these facts in pages, as in\n" +
	"`{{ name }}`. Vitrine shows the plans in the price list and publishes all facts at `/api/v1/marketing`, the address of the *JSON API*. You can\n" +
	"also add your own keys at any level. Vitrine publishes them unchanged. This example has all required keys:\n" +
	"\n" +
	"```yaml title=\"content/product.yaml\"\n" +
	"name: Acorn\n" +
	"url: https://acorn.example\n" +
	"description: Acorn delivers oak seedlings to gardens and schools. Each seedling comes with a planting guide.\n" +
	"audience: [Gardeners, Schools]\n" +
	"capabilities: [Seedlings by mail, Planting guides]\n" +
	"pricing:\n" +
	"  currency: EUR\n" +
	"  billingPeriod: month\n" +
	"  plans:\n" +
	"    - {name: Grove, monthlyPrice: 49}\n" +
	"  url: https://acorn.example/pricing\n" +
	"contact: hello@acorn.example\n" +
	"links: {}\n" +
	"```\n" +
	"\n" +
	"[Write facts once](../guides/facts.md) shows how to reference facts, and [Set plans and prices](../guides/write.md#set-plans-and-prices)\n" +
	"shows more keys for plans. A nested key marked **Required** is required only if you use the key that contains it. In key names, `[]` stands\n" +
	"for each item of a list.\n"

const questionsIntro = "`content/questions.yaml` lists questions that the site must answer. If an answer is missing, the build fails. For example, this question\n" +
	"requires the page `/pricing` to contain the monthly price of the plan `Team`:\n" +
	"\n" +
	"```yaml title=\"content/questions.yaml\"\n" +
	"- question: What does Team cost?\n" +
	"  in: /pricing\n" +
	"  answer: ['{{ price \"Team\" }}']\n" +
	"```\n" +
	"\n" +
	"The file is optional, and Vitrine doesn't publish it. [Golden questions](../guides/questions.md) explains how Vitrine searches for answers. Each\n" +
	"question has these keys:\n"

const authorsIntro = "`content/authors.yaml` describes the authors of articles. Each author has a key, such as `lena`. To name the author of an article, write the key\n" +
	"in the article's front matter, as in `author: lena`. For example:\n" +
	"\n" +
	"```yaml title=\"content/authors.yaml\"\n" +
	"lena:\n" +
	"  name: Lena Bühler\n" +
	"  url: https://lena.example\n" +
	"```\n" +
	"\n" +
	"The file is optional, and Vitrine doesn't publish it. [Write a blog](../guides/blog.md#authors) shows where authors appear. You can describe each\n" +
	"author with these keys:\n"

const pageIntro = "Front matter contains a page's settings. Write it at the top of the page's file: in YAML between two lines that contain only `---`, in TOML\n" +
	"between two lines that contain only `+++`, or as a JSON object. For example:\n" +
	"\n" +
	"```markdown\n" +
	"---\n" +
	"title: Care for an oak\n" +
	"description: Water, light, and soil for the first three years.\n" +
	"---\n" +
	"\n" +
	"Plant the seedling in autumn.\n" +
	"```\n" +
	"\n" +
	"All keys are optional, with two exceptions: an article in `blog/` needs a `date`, and every page needs a `title`, a level-1 heading, or a\n" +
	"[hero](#hero) at the top. A nested key marked **Required** is required only if you use the key that contains it. An unknown key causes an\n" +
	"error that suggests the most similar key.\n"

// keysPage returns the reference page for the keys of a file.
func keysPage(title, description string, order int, intro string, s shape.Shape) string {
	var b strings.Builder
	b.WriteString(page(title, description, title, order) + intro + "\n| Key | Value | Description |\n|---|---|---|\n")
	if s.Item != nil {
		s = *s.Item
	}
	keyRows(&b, "", s)
	return b.String()
}

// sectionTables returns a table of the keys of each kind of section.
func sectionTables() string {
	shows := map[string]string{
		"hero": "a large headline, with a picture or code", "logos": "the logos or names of companies", "rows": "headings with text, each with an optional picture next to it",
		"stats": "numbers with labels", "features": "cards with an icon and text", "quotes": "quotations with the speakers' names and roles",
		"plans": "the plans in `product.yaml`, with prices", "questions": "questions that readers can open to see the answers",
		"action": "a call to action with one or two links",
	}
	var b strings.Builder
	b.WriteString("\n## Sections\n\nThe key `sections` contains a list of sections. Every section needs a `kind`, which determines the section's other keys. In key names, `[]`\n" +
		"stands for each item of a list. [Landing pages](../guides/sections.md) shows examples.\n")
	for _, kind := range load.SectionKinds() {
		s := load.SectionShape(kind)
		s.Fields = slices.DeleteFunc(slices.Clone(s.Fields), func(f shape.Field) bool { return f.Name == "kind" })
		fmt.Fprintf(&b, "\n### %s\n\n`kind: %s` shows %s.\n\n| Key | Value | Description |\n|---|---|---|\n", capital(kind), kind, shows[kind])
		keyRows(&b, "", s)
	}
	return b.String()
}

// inKind matches the name of a kind of section at the start of a description.
var inKind = regexp.MustCompile(`^In (?:an? |other )?[a-z]+(?: or an action)?: `)

// standard matches a default of one word.
var standard = regexp.MustCompile(`Default: ([^ ]+)\.( |$)`)

// choices returns the values of a fixed set of strings, such as "`normal` or `italic`", or "" if s allows other values.
func choices(s shape.Shape) string {
	fixed := "^(" + strings.Join(s.Examples, "|") + ")$"
	if len(s.Examples) < 2 || s.Pattern != fixed && !slices.Equal(s.Examples, []string{"yes", "no"}) {
		return ""
	}
	all := make([]string, len(s.Examples))
	for i, e := range s.Examples {
		all[i] = "`" + e + "`"
	}
	if len(all) == 2 {
		return all[0] + " or " + all[1]
	}
	return strings.Join(all[:len(all)-1], ", ") + ", or " + all[len(all)-1]
}

// levels returns the sort order of a key: 1 for the key that contains the rule levels, which comes last, and 0 for
// other keys.
func levels(f shape.Field) int {
	if f.Name == "diagnostics" {
		return 1
	}
	return 0
}

// keyRows writes table rows for a map's members and, recursively, for their members.
func keyRows(b *strings.Builder, prefix string, s shape.Shape) {
	// The rule levels come last.
	fields := slices.Clone(s.Fields)
	slices.SortStableFunc(fields, func(x, y shape.Field) int {
		return cmp.Compare(levels(x), levels(y))
	})
	for _, f := range fields {
		about := capital(inKind.ReplaceAllString(f.About, ""))
		if f.Required {
			about = "**Required.** " + about
		}
		if limit := limits(f.Shape); limit != "" {
			about += " " + limit
		}
		value := kindOf(f.Shape)
		if set := choices(f.Shape); set != "" {
			value = set
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", prefix+f.Name, value, coded(cellOf(standard.ReplaceAllString(about, "Default: `$1`.$2"))))
		inside(b, prefix+f.Name, f.Shape)
	}
}

// inside writes the rows for the members of a value. The rule levels get one row, because the rule reference lists
// them.
func inside(b *strings.Builder, name string, s shape.Shape) {
	switch {
	case name == "sections": // sectionTables writes the keys
	case name == "diagnostics":
		b.WriteString("| `diagnostics.CODE` | `off`, `warning`, or `error` | The level of the rule with this code, such as `V014: off`. A rule that is always an error accepts only `error`. [Rules](rules.md) lists the codes. |\n")
	case s.Item != nil:
		inside(b, name+"[]", *s.Item)
	case len(s.Fields) > 0:
		keyRows(b, name+".", s)
	}
	if s.Others != nil && len(s.Others.Fields) > 0 {
		keyRows(b, name+".TAG.", *s.Others)
	}
}

// kindOf returns the kinds of a value in words, such as "whole number" or "text, or list of text".
func kindOf(s shape.Shape) string {
	kinds := usualKind(s)
	if usual := s.Usual(); usual != shape.Map && s.Has(shape.Map) {
		kinds += ", or map"
	}
	switch usual := s.Usual(); {
	case usual == shape.List && s.Has(shape.Text):
		kinds = "text, or " + kinds
	case usual != shape.List && usual != shape.Null && s.Has(shape.List):
		kinds += ", or list"
	}
	return kinds
}

// usualKind returns the most common kind of a value in words.
func usualKind(s shape.Shape) string {
	names := map[shape.Kind]string{shape.Truth: "true or false", shape.Whole: "whole number", shape.Number: "number", shape.Text: "text", shape.Map: "map"}
	switch kind := s.Usual(); {
	case kind == shape.List && s.Item != nil:
		return "list of " + strings.Replace(usualKind(*s.Item), "map", "maps", 1)
	case kind == shape.Text && s.Use == shape.Moment:
		return "date or time"
	case kind == shape.Text && s.Use == shape.Image:
		return "file name or path"
	case kind == shape.Null:
		return "anything"
	default:
		return names[kind]
	}
}

// grouped writes a number with commas, such as "1,000,000".
func grouped(n int64) string {
	switch {
	case n < 0:
		return "-" + grouped(-n)
	case n < 1000:
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}

// limits describes a value's bounds and examples.
func limits(s shape.Shape) string {
	var parts []string
	switch {
	case s.Min != nil && s.Max != nil:
		parts = append(parts, fmt.Sprintf("From %s to %s.", grouped(*s.Min), grouped(*s.Max)))
	case s.Min != nil:
		parts = append(parts, fmt.Sprintf("At least %d.", *s.Min))
	case s.Max != nil:
		parts = append(parts, fmt.Sprintf("At most %d.", *s.Max))
	}
	if len(s.Examples) > 0 && s.Use != shape.Image && choices(s) == "" {
		var examples []string
		for _, e := range s.Examples {
			examples = append(examples, "`"+e+"`")
		}
		label := "Example"
		if len(examples) > 1 {
			label = "Examples"
		}
		parts = append(parts, label+": "+strings.Join(examples, ", ")+".")
	}
	return strings.Join(parts, " ")
}
