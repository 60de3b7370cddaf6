package docs_test

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/lab/rig"
	"vitrine/internal/load"
	"vitrine/internal/load/shape"
	"vitrine/internal/rule"
)

var update = flag.Bool("update", false, "write the references again")

// TestReferences generates the pages under docs/reference from the programs' data: every command's help, the loader's
// tables of keys, the rules, Markdown's output, and a real build and its server. It fails if a page differs from its
// file. With -update, it writes the files.
func TestReferences(t *testing.T) {
	programs, err := rig.Compile()
	if err != nil {
		t.Fatal(err)
	}
	people := load.AuthorsShape()
	pages := map[string]string{
		"vitrine":      vitrinePage(t, programs.Vitrine),
		"vitrined":     vitrinedPage(t, programs.Vitrined),
		"site":         keysPage("site.yaml", "Every key of content/site.yaml, with its values and defaults.", 3, siteIntro, load.ConfigShape()),
		"questions":    keysPage("questions.yaml", "Every key of content/questions.yaml, the questions that the site must answer.", 5, questionsIntro, load.QuestionsShape()),
		"authors":      keysPage("authors.yaml", "Every key of content/authors.yaml, the people who write for the site.", 5, authorsIntro, *people.Others),
		"product":      keysPage("product.yaml", "Every key of content/product.yaml, the public facts for pages, JSON, and llms.txt.", 4, productIntro, load.ProductShape()),
		"front-matter": keysPage("Front matter", "Every key of a page's front matter.", 6, pageIntro, load.PageShape()) + sectionTables(),
		"rules":        rulesPage(t),
		"markdown":     markdownPage(t),
	}
	out := newSite(t, programs.Vitrine)
	pages["build-folder"] = folderPage(t, out)
	pages["http"] = httpPage(t, out)
	pages["metrics"] = metricsPage(t, programs.Vitrined, out)
	for name, want := range pages {
		file := filepath.Join(rig.Root(t), "docs", "reference", name+".md")
		if *update {
			if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("docs/reference/%s.md is not what the program says (%v); run make references and read the difference", name, err)
		}
	}
	flags, keys := counted(t, programs.Vitrine)
	t.Logf("flags documented: %s; keys documented: %s", flags, keys)
}

// counted compares the pages with other lists of flags and keys: the completion script for bash, vitrined's help, and
// the JSON Schemas. It reports how many of the flags and keys the pages contain.
func counted(t *testing.T, vitrine string) (flags, keys string) {
	t.Helper()
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(rig.Root(t), "docs", "reference", name+".md"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	page := read("vitrine")
	all, there := 0, 0
	for _, m := range regexp.MustCompile(`(?m)^\t\*,([a-z-]+)\) words='(.*)'`).FindAllStringSubmatch(output(t, vitrine, "completion", "bash"), -1) {
		_, section, _ := strings.Cut(page, "\n## vitrine "+m[1]+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		for _, word := range strings.Fields(m[2]) {
			if strings.HasPrefix(word, "--") {
				if all++; strings.Contains(section, "| `"+word) {
					there++
				} else {
					t.Errorf("%s of vitrine %s is on no page", word, m[1])
				}
			}
		}
	}
	server := read("vitrined")
	for _, m := range regexp.MustCompile(`(?m)^  --?([a-z0-9-]+)`).FindAllStringSubmatch(output(t, filepath.Join(filepath.Dir(vitrine), "vitrined"), "-help"), -1) {
		if all++; strings.Contains(server, "| `--"+m[1]) {
			there++
		} else {
			t.Errorf("--%s of vitrined is on no page", m[1])
		}
	}
	allKeys, thereKeys := 0, 0
	for name, schema := range map[string]string{"site": "site", "product": "product", "questions": "questions", "authors": "authors", "front-matter": "page"} {
		page := read(name)
		// A key is a property of the schema, at any depth.
		for _, property := range regexp.MustCompile(`(?m)^ +"([A-Za-z-]+)": \{\n +"description"`).FindAllStringSubmatch(output(t, vitrine, "schema", schema), -1) {
			if allKeys++; strings.Contains(page, "`"+property[1]+"`") || strings.Contains(page, "."+property[1]+"`") {
				thereKeys++
			} else {
				t.Errorf("%s of %s is on no page", property[1], name)
			}
		}
	}
	if all < 100 || allKeys < 80 {
		t.Errorf("only %d flags and %d keys were found", all, allKeys)
	}
	return fmt.Sprintf("%d of %d", there, all), fmt.Sprintf("%d of %d", thereKeys, allKeys)
}

// output returns a program's combined output.
func output(t *testing.T, program string, arguments ...string) string {
	t.Helper()
	text, err := rig.Run(exec.CommandContext(t.Context(), program, arguments...))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// page returns the start of a page: its front matter, its title, and a comment that marks the page as generated.
func page(title, description, sidebar string, order int) string {
	return fmt.Sprintf("<!-- ---\ndescription: %q\nsidebar: %s\norder: %d\n--- -->\n\n# %s\n\n<!-- Written by \"make references\" from the program itself. -->\n\n", description, sidebar, order, title)
}

// helpFlag matches a flag in a program's help.
var helpFlag = regexp.MustCompile(`(?m)^  --?([a-z0-9-]+)(?: (\S+))?\n\s+(.*)$`)

// helpFlags returns the flags in a program's help, sorted: the complete match, the name, the value, and the description.
func helpFlags(help string) [][]string {
	rows := helpFlag.FindAllStringSubmatch(help, -1)
	slices.SortFunc(rows, func(a, b []string) int { return cmp.Compare(a[1], b[1]) })
	return rows
}

// flagTable returns flags from a program's help as a table.
func flagTable(rows [][]string) string {
	if len(rows) == 0 {
		return "This command has no flags.\n"
	}
	var b strings.Builder
	b.WriteString("| Flag | Default | Purpose |\n|---|---|---|\n")
	for _, m := range rows {
		text, standard, _ := strings.Cut(strings.TrimSuffix(m[3], ")"), " (default ")
		if standard == "" {
			text = m[3]
		}
		name := "--" + m[1]
		if m[2] != "" {
			name += " " + strings.ToUpper(m[2])
		}
		standard = strings.Trim(standard, `"`)
		switch {
		case standard == "0.0.0": // the version of a development build
			standard = "the version of `vitrine`"
		case standard == "":
			standard = "–"
		case literalDefault.MatchString(standard):
			standard = "`" + standard + "`"
		default:
			standard = coded(cell(standard))
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, standard, sentences(coded(cell(purpose(text)))))
	}
	return b.String()
}

// purpose returns the description of a flag, with its argument and the values in a list as code.
func purpose(text string) string {
	if m := valueList.FindStringSubmatch(text); m != nil {
		text = strings.TrimSuffix(text, m[1]) + "`" + strings.ReplaceAll(m[1], ", ", "`, `") + "`"
	}
	argument, rest, found := strings.Cut(text, ": ")
	if !found || strings.Trim(argument, "abcdefghijklmnopqrstuvwxyz, ") != "" || strings.Contains(strings.ReplaceAll(argument, ", ", ""), " ") {
		return capital(text)
	}
	return "With `" + strings.ReplaceAll(argument, ", ", "` or `") + "`: " + rest
}

// sentences returns text as sentences, divided at semicolons.
func sentences(text string) string {
	parts := strings.Split(text, "; ")
	for i := range parts {
		parts[i] = capital(parts[i])
	}
	return strings.Join(parts, ". ") + "."
}

// valueList matches a list of a flag's values at the end of its description.
var valueList = regexp.MustCompile(`: ([a-z0-9-]+(?:, [a-z0-9-]+)+)$`)

// literalDefault matches a default that is a value to write, unlike one in words, such as "a year".
var literalDefault = regexp.MustCompile(`^(systemctl .*|[^ ]*[^a-z ][^ ]*|auto|build|fast|internal|next|text|true|vitrine)$`)

// literal matches the parts of a description that files, commands, or requests contain verbatim, and existing code.
var literal = regexp.MustCompile(strings.Join([]string{
	"`[^`]*`",
	// Paths, file names, and maps.
	`s3://[a-z]+/[a-z]+`, `https?://[\w.:/-]+\w`, `(?:content|templates)/[\w/.-]*\w/?`, `(?:content|blog)/`, `parts/3?`,
	`/healthz|/readyz`, `/(?:var|cli|openapi|changes|indexnow|\.well-known)[\w./<>\\-]*[\w>]|/(?:api|cli|admin|changes|openapi)(?:/[\w/]+\w)?`,
	`[\w-]+(?:\.TAG)?\.(?:yaml|txt|json|md|mjs|html|xml|toml)\b`, `\.(?:md|html|json)\b`, `\\?<head>`, `\{[^{}]*\}`,
	// Commands, flags, variables, and arguments.
	`vitrined? (?:build|deploy|diff|merge|pull|config|explain)(?: --[a-z-]+| r2| list)*(?: s3://bucket/prefix)?`, `\bvitrined?\b`,
	`--indexnow --send`, `--[a-z][a-z-]+(?:=[a-z]+|="[^"]*")?`, ` -q\b`, `go tool pprof`, `\$VITRINE\\?_BUILD`, `GOMEMLIMIT`, `SIGHUP|SIGTERM`, `SHA256SUMS`, `\b(?:NEW|OLD|NAME=FILE|NAME)\b`,
	// Header fields, media types, and schemes.
	`X-Robots-Tag: noindex|X-Forwarded-For|Content-Usage|Content-Security-Policy|Repr-Digest|User-Agent|\bAccept\b|\bForwarded\b`, `text/(?:html|markdown)`, `(?:mailto|https|tel):`,
	// Values.
	`\btrue\b|\bfalse\b`, `layout: api`, `\bindexNow\b|\bcontentSignal\b`, `V\d{3}(?:,V\d{3})*`, `\d{4}-\d\d-\d\d(?:T[\d:]+Z)?`, `\b\d+(?:\.\d+){3}(?:[:/]\d+)?(?:,::1)?`, `\b\d+(?:s|/60s|MiB|GiB)\b`,
}, "|"))

// words marks words as code that are literal only in these phrases.
var words = strings.NewReplacer(
	"json and github list", "`json` and `github` list", "text, json, or github", "`text`, `json`, or `github`", "text or json", "`text` or `json`",
	"json (the default if you omit the value) or combined", "`json` (the default if you omit the value) or `combined`", "gzip, br, gzip,br, or none; auto writes gzip for all files, and br for", "`gzip`, `br`, `gzip,br`, or `none`; `auto` writes gzip for all files, and brotli for",
	"site's baseURL", "site's `baseURL`", "name, or previous", "name, or `previous`", "the folder build in", "the folder `build` in", "such as 3.x", "such as `3.x`", "such as 4.x", "such as `4.x`", "fast, or net/http, which", "`fast`, or `net/http`, which",
	"internal, or external for", "`internal`, or `external` for", "such as 3/16", "such as `3/16`",
	"off, warning, or error", "`off`, `warning`, or `error`", "allow or disallow", "`allow` or `disallow`", "system, serif, mono, a", "`system`, `serif`, `mono`, a",
	"either path or url", "either `path` or `url`", "value of color as .Page.Params.color", "value of `color` as `.Page.Params.color`",
	"under backend", "under `backend`", "relative to path", "relative to `path`", "alternative to path", "alternative to `path`", "With auto,", "With `auto`,",
	"such as month", "such as `month`", "such as BusinessApplication or DeveloperApplication", "such as `BusinessApplication` or `DeveloperApplication`",
	"such as Windows, or Web for", "such as `Windows`, or `Web` for", "such as keys/example.key", "such as `keys/example.key`", "as owner/name", "as `owner/name`",
	"(wide)", "(`wide`)", "(split)", "(`split`)", "wide for a picture, split for code", "`wide` for a picture, `split` for code",
	"a-z, A-Z, 0-9, and -.", "`a-z`, `A-Z`, `0-9`, and `-`.",
)

// coded marks the literal parts of a description as code.
func coded(text string) string {
	return literal.ReplaceAllStringFunc(words.Replace(text), func(s string) string {
		if strings.HasPrefix(s, "`") {
			return s
		}
		text := strings.TrimLeft(s, " ")
		return s[:len(s)-len(text)] + "`" + strings.ReplaceAll(text, `\`, "") + "`"
	})
}

// cell escapes text for a table cell.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "*", `\*`, "<", `\<`, "[", `\[`, "]", `\]`, "_", `\_`, "{{", `\{{`).Replace(text)
}

func capital(text string) string {
	if text == "" || text[0] < 'a' || text[0] > 'z' || strings.HasPrefix(text, "nginx") || strings.HasPrefix(text, "systemd") {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// vitrinePage returns the reference page for vitrine, with a section for each command.
func vitrinePage(t *testing.T, vitrine string) string {
	var b strings.Builder
	b.WriteString(page("The vitrine command", "Every command and flag of vitrine, with values, defaults, and an example.", "vitrine", 1))
	b.WriteString("`vitrine` builds, checks, previews, and deploys a site. For example, `vitrine build` in a site's folder writes the site to `build/`. `vitrine help\n" +
		"COMMAND` prints the same information as this page. [Exit codes](exit-codes.md) shows how scripts can detect errors.\n\n| Command | Purpose |\n|---|---|\n")
	var verbs []string
	for _, m := range regexp.MustCompile(`(?m)^  ([a-z-]+) {2,}(.*)$`).FindAllStringSubmatch(output(t, vitrine, "help"), -1) {
		if m[1] != "help" {
			verbs = append(verbs, m[1])
			fmt.Fprintf(&b, "| [`vitrine %s`](#vitrine-%s) | %s |\n", m[1], m[1], sentences(coded(cell(capital(m[2])))))
		}
	}
	b.WriteString("\nWrite flags with one dash or two, and a value after a space or `=`. A flag without a value, such as `--drafts`, is a switch. To turn off a switch\n" +
		"whose default is `true`, write `=false` after it, as in `--sync=false`.\n")
	for _, verb := range verbs {
		help := output(t, vitrine, "help", verb)
		usage, rest, _ := strings.Cut(strings.TrimPrefix(help, "Usage: "), "\n\n")
		about, rest, _ := strings.Cut(rest, "\n\n")
		example, _, _ := strings.Cut(strings.TrimPrefix(rest, "Example: "), "\n")
		fmt.Fprintf(&b, "\n## vitrine %s\n\n%s\n\n```text\n%s\n```\n\n", verb, coded(cell(about)), usage)
		if example != strings.TrimSuffix(usage, " [flags]") {
			fmt.Fprintf(&b, "For example: `%s`\n\n", example)
		}
		b.WriteString(flagTable(helpFlags(help)))
	}
	return b.String()
}

// vitrinedPage returns the reference page for the server.
func vitrinedPage(t *testing.T, vitrined string) string {
	flags := helpFlags(output(t, vitrined, "-help"))
	var tables strings.Builder
	for _, group := range vitrinedFlags {
		var rows [][]string
		for _, name := range strings.Fields(group.flags) {
			i := slices.IndexFunc(flags, func(row []string) bool { return row[1] == name })
			if i < 0 {
				t.Fatalf("vitrined has no --%s", name)
			}
			rows, flags = append(rows, flags[i]), slices.Delete(flags, i, i+1)
		}
		tables.WriteString("## " + group.title + "\n\n" + group.about + "\n\n" + flagTable(rows) + "\n")
	}
	if len(flags) > 0 {
		t.Errorf("--%s of vitrined is in no group", flags[0][1])
	}
	return page("The vitrined server", "Every flag of vitrined, the production server, with values, defaults, and limits.", "vitrined", 2) +
		"`vitrined` serves a site that you built with `vitrine build`, for example with `vitrined --dir build --addr 127.0.0.1:8080`. [Run your own server](../guides/operate.md) shows how to use it, and [Servers](servers.md) describes its behavior.\n\n" +
		tables.String() + "## Signals\n\nSend these signals to a running `vitrined`. [Exit codes](exit-codes.md) lists all codes.\n\n| Signal | Effect |\n|---|---|\n" +
		"| `SIGHUP` | Reloads the build and the certificate files. `vitrined` rejects an incomplete build or a mismatched certificate, and logs the reason. |\n" +
		"| `SIGTERM`, `SIGINT` | Finishes requests in progress, for at most `--drain`, and then exits with code 0. A second signal stops `vitrined` immediately, with code 1. |\n"
}

// vitrinedFlags are the flags of vitrined by task. The introductions contain the conditions that tlsOptions.problems checks.
var vitrinedFlags = []struct{ title, about, flags string }{
	{"General", "Without flags, `vitrined` serves the folder `build` at `http://127.0.0.1:8080`.", "dir addr engine drain"},
	{"HTTPS", "To serve HTTPS on `--addr`, use either `--tls-cert` and `--tls-key`, or `--acme-domain` and `--acme-cache`. ACME is the protocol with which `vitrined`\n" +
		"gets and renews certificates. `--acme-email` and `--acme-directory` need `--acme-domain`, and `--redirect-addr` needs HTTPS. [HTTPS](servers.md#https) describes renewals, protocols, and redirects.",
		"tls-cert tls-key acme-domain acme-cache acme-email acme-directory redirect-addr hsts"},
	{"Limits", "`vitrined` also limits clients that flood it: see [Floods](../guides/operate.md#floods). [Connection memory](servers.md#connection-memory) describes how\n" +
		"`vitrined` determines the available memory.",
		"allowance connections connection-memory trusted-proxies"},
	{"Logs, health, and metrics", "[Admin address](servers.md#admin-address) lists the paths that `--admin` serves, [Metrics](metrics.md) lists the metrics, and\n" +
		"[Request log](servers.md#request-log) describes the log's fields.",
		"access-log admin admin-pprof health"},
	{"Checks", "With one of these flags, `vitrined` exits without serving the site:", "check probe version"},
}

const siteIntro = "`content/site.yaml` contains the settings of a site. Only two keys are required:\n" +
	"\n" +
	"```yaml title=\"content/site.yaml\"\n" +
	"baseURL: https://acorn.example\n" +
	"title: Acorn\n" +
	"```\n" +
	"\n" +
	"An unknown key is an error that names the nearest known key. [Write a site](../guides/write.md) shows more examples. Some keys configure the\n" +
	"*JSON API*, which returns the facts in `product.yaml` at `/api/v1/marketing`, and the *command-line tool*, with which visitors can read these facts.\n" +
	"\n" +
	"In this table, `[]` stands for each item of a list, `TAG` for a language tag, such as `de`, and `CODE` for the code of a rule, such as `V014`.\n"

const productIntro = "`content/product.yaml` contains the public facts about your product. Pages reference them (`{{ name }}`), the price list uses them, and\n" +
	"`/api/v1/marketing` publishes them as JSON. Additional keys, at any level, are published unchanged. This file has all required keys:\n" +
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
	"shows more keys for plans. In this table, `[]` stands for each item of a list.\n"

const questionsIntro = "`content/questions.yaml` contains questions that the site must answer. If an answer is missing, the build fails. For example:\n" +
	"\n" +
	"```yaml title=\"content/questions.yaml\"\n" +
	"- question: What does Team cost?\n" +
	"  in: /pricing\n" +
	"  answer: ['{{ price \"Team\" }}']\n" +
	"```\n" +
	"\n" +
	"The file is optional, and Vitrine doesn't publish it. [Golden questions](../guides/questions.md) explains how Vitrine searches for answers. Each\n" +
	"question has these keys:\n"

const authorsIntro = "`content/authors.yaml` describes the authors of articles. Each author has a key, which articles use in their front matter, as in `author: lena`.\n" +
	"For example:\n" +
	"\n" +
	"```yaml title=\"content/authors.yaml\"\n" +
	"lena:\n" +
	"  name: Lena Bühler\n" +
	"  url: https://lena.example\n" +
	"```\n" +
	"\n" +
	"The file is optional, and Vitrine doesn't publish it. [Write a blog](../guides/blog.md#authors) shows where authors appear. You can describe each\n" +
	"author with these keys:\n"

const pageIntro = "Front matter contains the settings of a page. Write it at the top of the page, between lines of `---` (YAML) or `+++` (TOML), or as JSON. For\n" +
	"example:\n" +
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
	"All keys are optional, except that an article in `blog/` needs a `date`, and a page needs a `title` or a first-level heading. Nested keys marked\n" +
	"**Required** are required only if you use the key that contains them. An unknown key causes an error, which suggests the most similar key.\n"

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
		"hero": "a large headline, with a picture or code", "logos": "companies, by logo or name", "rows": "headings with text, each next to a picture",
		"stats": "numbers with labels", "features": "cards with an icon and text", "quotes": "quotations with the speakers' names and roles",
		"plans": "the plans in `product.yaml`, with prices", "questions": "questions that open to show their answers",
		"action": "a call to action with one or two links",
	}
	var b strings.Builder
	b.WriteString("\n## Sections\n\nEvery section needs a `kind`, which determines its other keys. `[]` stands for each item of a list. [Landing pages](../guides/sections.md) shows\n" +
		"examples.\n")
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

// inside writes the rows for the members of a value. The rule levels have one row, because the rule reference lists
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

// cellOf escapes a description for a table cell. Unlike cell, it keeps Markdown such as code.
func cellOf(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "|", `\|`), "<", `\<`)
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

// rulesPage returns the page with every rule and its explanation.
func rulesPage(t *testing.T) string {
	var b strings.Builder
	b.WriteString(page("Rules", "Every rule of vitrine check: its code, its level, its reason, and how to fix its problems.", "Rules", 8))
	b.WriteString("This page explains every rule that `vitrine check` and `vitrine build` apply to a site. Each problem that they report has the code of its rule, such\n" +
		"as `V014`. `vitrine explain V014` prints the same explanation.\n\n" +
		"An error stops the build, because Vitrine can't publish a site with such a problem. A warning doesn't stop the build. To turn a warning off or\n" +
		"into an error, set `diagnostics`, for example `diagnostics: {V014: off}`, in `site.yaml` or in a page's front matter.\n" +
		"[Fix problems](../guides/problems.md) describes all ways to find and fix problems.\n\n| Code | Level | Problem |\n|---|---|---|\n")
	var texts strings.Builder
	for _, r := range rule.All() {
		text, err := r.Explain()
		if err != nil {
			t.Fatal(err)
		}
		title, rest, _ := strings.Cut(strings.TrimPrefix(text, "# "), "\n")
		// The start of the page describes the levels, so the sections only name them.
		_, rest, _ = strings.Cut(strings.TrimLeft(rest, "\n"), "\n")
		level := "Level: " + r.Level.String()
		if r.Strict {
			level += ", or error with `--strict`"
		}
		if r.ErrorFor != "" {
			level += "; error for " + r.ErrorFor
		}
		anchor := strings.ReplaceAll(regexp.MustCompile(`[^\w -]`).ReplaceAllString(strings.ToLower(title), ""), " ", "-")
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s | %s |\n", r.Code, anchor, r.Level, r.Title)
		// Package rule's tests check the examples, so this page only shows them.
		fmt.Fprintf(&texts, "\n## %s\n\n%s.\n%s", title, level, strings.TrimRight(plainExamples(rest), "\n")+"\n")
	}
	return b.String() + texts.String()
}

// plainExamples sets the language of code blocks to "text". It doesn't change fences inside a code block, because they
// are part of an example.
func plainExamples(text string) string {
	lines := strings.Split(text, "\n")
	open := ""
	for i, line := range lines {
		marks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case open == "" && len(marks) >= 3:
			open = marks
			lines[i] = marks + "text"
		case open != "" && line == open:
			open = ""
		}
	}
	return strings.Join(lines, "\n")
}

// Fences in an example keep their language, because it may be the mistake that the example shows (V104).
func TestPlainExamples(t *testing.T) {
	got := plainExamples("````markdown\n```javscript\nlet a\n```\n````\n\n```yaml\na: 1\n```\n")
	if want := "````text\n```javscript\nlet a\n```\n````\n\n```text\na: 1\n```\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
