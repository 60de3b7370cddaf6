package docs_test

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// helpFlag matches a flag in a program's help.
var helpFlag = regexp.MustCompile(`(?m)^  --?([a-z0-9-]+)(?: (\S+))?\n\s+(.*)$`)

// helpFlags returns the flags in a program's help, sorted by name. Each flag consists of the complete match, the name,
// the value, and the description.
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

// purpose returns the description of a flag, with its argument and its list of values marked as code.
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

// literalDefault matches a default that is a literal value, unlike a default in words, such as "a year".
var literalDefault = regexp.MustCompile(`^(systemctl .*|[^ ]*[^a-z ][^ ]*|auto|build|fast|internal|next|text|true|vitrine)$`)

// vitrinePage returns the reference page for vitrine, with a section for each command.
func vitrinePage(t *testing.T, vitrine string) string {
	var b strings.Builder
	b.WriteString(page("The vitrine command", "Every command and flag of vitrine, with values, defaults, and an example.", "vitrine", 1))
	b.WriteString("`vitrine` builds, checks, previews, and deploys a site. For example, to build a site into the folder `build/`, run `vitrine build` in the site's folder.\n" +
		"`vitrine help COMMAND` prints the information on this page about one command. [Exit codes](exit-codes.md) lists the codes that scripts can use to detect\n" +
		"errors.\n\n| Command | Purpose |\n|---|---|\n")
	var verbs []string
	for _, m := range regexp.MustCompile(`(?m)^  ([a-z-]+) {2,}(.*)$`).FindAllStringSubmatch(output(t, vitrine, "help"), -1) {
		if m[1] != "help" {
			verbs = append(verbs, m[1])
			fmt.Fprintf(&b, "| [`vitrine %s`](#vitrine-%s) | %s |\n", m[1], m[1], sentences(coded(cell(capital(m[2])))))
		}
	}
	b.WriteString("\nStart a flag with one or two dashes, and put a space or `=` between the flag and its value. A flag without a value, such as `--drafts`, is a switch. Most switches\n" +
		"are off by default. A few have the default `true`. To turn off such a switch, write `=false` after it, as in `--sync=false`. In the tables, a dash\n" +
		"in the *Default* column means that the flag has no default value.\n")
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
		"`vitrined` serves a site that you built with `vitrine build`, for example with `vitrined --dir build --addr 127.0.0.1:8080`. [Run your own\n" +
		"server](../guides/operate.md) shows how to use it, and [Servers](servers.md) describes its behavior.\n\n" +
		"A flag without a value, such as `--health`, is a switch that is off by default. A dash in the *Default* column means that the flag has\n" +
		"no default value.\n\n" +
		tables.String() + "## Signals\n\nSend these signals to a running `vitrined`. [Exit codes](exit-codes.md) lists all codes.\n\n| Signal | Effect |\n|---|---|\n" +
		"| `SIGHUP` | Reloads the build and the certificate files. `vitrined` rejects an incomplete build or a mismatched certificate and logs the reason. |\n" +
		"| `SIGTERM`, `SIGINT` | Finishes requests in progress, for at most the duration in `--drain`, and then exits with code 0. A second signal stops `vitrined` immediately, with code 1. |\n"
}

// vitrinedFlags lists the flags of vitrined by task. The introductions contain the conditions that tlsOptions.problems
// checks.
var vitrinedFlags = []struct{ title, about, flags string }{
	{"General", "Without flags, `vitrined` serves the folder `build` at `http://127.0.0.1:8080`.", "dir addr engine drain"},
	{"HTTPS", "To serve HTTPS on `--addr`, use either your own certificate files, with `--tls-cert` and `--tls-key`, or ACME, with `--acme-domain` and\n" +
		"`--acme-cache`. ACME is the protocol with which `vitrined` gets and renews certificates itself. `--acme-email` and `--acme-directory` need\n" +
		"`--acme-domain`, and `--redirect-addr` needs HTTPS. [HTTPS](servers.md#https) describes renewals, protocols, and redirects.",
		"tls-cert tls-key acme-domain acme-cache acme-email acme-directory redirect-addr hsts"},
	{"Limits", "`vitrined` also limits clients that flood it: see [Floods](../guides/operate.md#floods). [Connection memory](servers.md#connection-memory) describes how\n" +
		"`vitrined` determines the available memory.",
		"allowance connections connection-memory trusted-proxies"},
	{"Logs, health, and metrics", "[Admin address](servers.md#admin-address) lists the paths that `--admin` serves, [Metrics](metrics.md) lists the metrics, and\n" +
		"[Request log](servers.md#request-log) describes the log's fields.",
		"access-log admin admin-pprof health"},
	{"Checks", "With one of these flags, `vitrined` exits without serving the site:", "check probe version"},
}
