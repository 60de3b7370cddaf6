package main

import (
	"bufio"
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"

	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// reporting contains the flags that control how problems are reported.
type reporting struct {
	format string
	// most is the maximum number of problems to show as text, or 0 for the default. Programs get all problems.
	most int
	// codes is a comma-separated list of the codes of the rules whose problems are shown as text, or "" for all rules.
	codes string
	// quiet turns off the output that reportText writes to notes, such as the number of problems.
	quiet quiet
}

// mostShown is the largest number of problems that are all shown by default. If there are more, only the first problem
// of each rule is shown, and a table counts the problems of each rule.
const mostShown = 100

func (o *reporting) register(flags *flag.FlagSet) {
	flags.StringVar(&o.format, "format", "text", "the `format` of problems: text, json, or github for annotations in GitHub Actions; json and github list all problems, with no other output on standard output")
	flags.IntVar(&o.most, "max", 0, fmt.Sprintf("show at most this `number` of problems, and count the rest; by default, if there are more than %d, show only the first problem of each rule", mostShown))
	flags.StringVar(&o.codes, "code", "", "show only problems of the rules with these `codes`, such as V016,V024, without a limit on their number")
}

// reportFormats returns the values of --format.
func reportFormats() []string { return []string{"text", "json", "github"} }

// forPrograms reports whether programs read the report. If so, nothing else may be written to the report's stream.
func (o *reporting) forPrograms() bool { return o.format != "text" }

// reporter returns a function that writes the problems of the site at root to w, in the format of --format. It returns
// an error if --format, --max, or --code is invalid.
func (o *reporting) reporter(root string, w io.Writer) (func([]site.Problem) error, error) {
	switch o.format {
	case "text":
	case "json":
		return func(problems []site.Problem) error { return reportJSON(problems, w) }, nil
	case "github":
		return func(problems []site.Problem) error { return reportGitHub(problems, w) }, nil
	default:
		return nil, fmt.Errorf("--format: want text, json, or github; found %q", o.format)
	}
	if o.most < 0 {
		return nil, fmt.Errorf("--max: want a positive number, such as 20; found %d", o.most)
	}
	codes, err := parseCodes(o.codes)
	if err != nil {
		return nil, err
	}
	return func(problems []site.Problem) error {
		return reportText(problems, o.most, codes, root, w, o.quiet.notes(w))
	}, nil
}

// parseCodes parses value, the value of --code. It returns an error if value contains an unknown rule.
func parseCodes(value string) (codes []site.Code, err error) {
	for word := range strings.SplitSeq(value, ",") {
		code := site.Code(strings.ToUpper(strings.TrimSpace(word)))
		if code == "" {
			continue
		}
		if _, ok := rule.Find(code); !ok {
			return nil, fmt.Errorf("unknown rule %q%s", word, suggestRule(string(code)))
		}
		codes = append(codes, code)
	}
	return codes, nil
}

// reportText writes the problems that choose selects to w; see reportLines. If choose omits problems, reportText adds a
// table that counts all problems by rule. It writes this table to w, or to notes if codes isn't nil. At the end, it
// writes the number of errors and warnings to notes.
func reportText(problems []site.Problem, most int, codes []site.Code, root string, w, notes io.Writer) error {
	shown := choose(problems, most, codes)
	if err := reportLines(shown, root, w); err != nil {
		return err
	}
	if len(problems) == 0 || len(problems) == 1 && problems[0].Line == 0 {
		// Omit the counts if there are no problems, or if the only problem has no line, such as a missing site.
		return nil
	}
	if len(shown) < len(problems) {
		table := w
		if codes != nil {
			table = notes
		}
		if err := reportCounts(problems, len(shown), table); err != nil {
			return err
		}
	}
	errors, warnings := count(problems)
	line := fmt.Sprintf("%s, %s", counted(errors, "error"), counted(warnings, "warning"))
	if n := fixable(problems); n > 0 {
		line += fmt.Sprintf("; %d can be fixed with vitrine fix", n)
	}
	_, err := fmt.Fprintln(notes, line)
	return err
}

// choose returns the problems to show, in their order in problems. If codes isn't nil, it considers only the problems
// of these rules. If most isn't 0, it returns at most that many problems and prefers the first problem of each rule. If
// codes is nil and most is 0, it returns all problems, or only the first problem of each rule if there are more than
// mostShown.
func choose(problems []site.Problem, most int, codes []site.Code) []site.Problem {
	if codes != nil {
		problems = slices.DeleteFunc(slices.Clone(problems), func(p site.Problem) bool { return !slices.Contains(codes, p.Code) })
		if most == 0 {
			return problems
		}
	}
	if most == 0 && len(problems) <= mostShown || most > 0 && len(problems) <= most {
		return problems
	}
	seen := make(map[site.Code]bool)
	first := make([]bool, len(problems))
	for i, p := range problems {
		first[i] = !seen[p.Code] && (most == 0 || len(seen) < most)
		seen[p.Code] = true
	}
	others := max(most-len(seen), 0)
	var shown []site.Problem
	for i, p := range problems {
		if !first[i] {
			if others == 0 {
				continue
			}
			others--
		}
		shown = append(shown, p)
	}
	return shown
}

// reportCounts writes a table with the number of problems of each rule, the most frequent rule first. shown is the
// number of problems already shown.
func reportCounts(problems []site.Problem, shown int, w io.Writer) error {
	type group struct {
		rule.Rule
		all, fixable int
		level        site.Severity
	}
	groups := make(map[site.Code]*group)
	var order []*group
	for _, p := range problems {
		g := groups[p.Code]
		if g == nil {
			r, _ := rule.Find(p.Code)
			g = &group{Rule: r}
			groups[p.Code], order = g, append(order, g)
		}
		g.all++
		g.level = max(g.level, p.Severity)
		if p.Fix != (site.Edit{}) {
			g.fixable++
		}
	}
	slices.SortStableFunc(order, func(a, b *group) int { return cmp.Or(cmp.Compare(b.all, a.all), cmp.Compare(a.Code, b.Code)) })
	if _, err := fmt.Fprintf(w, "\nshowing %d of %s; use --code CODE for the problems of one rule, or --max %d for all\n\n", shown, counted(len(problems), "problem"), len(problems)); err != nil {
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, g := range order {
		fixed := ""
		if g.fixable > 0 {
			fixed = fmt.Sprintf("; %d can be fixed with vitrine fix", g.fixable)
		}
		fmt.Fprintf(table, "%6d\t%s\t%s\t%s%s\n", g.all, g.Code, g.level, g.Title, fixed)
	}
	fmt.Fprintln(table)
	return table.Flush()
}

// fixable returns the number of problems that vitrine fix can fix.
func fixable(problems []site.Problem) int {
	n := 0
	for _, p := range problems {
		if p.Fix != (site.Edit{}) {
			n++
		}
	}
	return n
}

// reportLines writes a line for each problem. If w is a terminal, it also writes the source line, with a caret under
// the position of the problem.
func reportLines(problems []site.Problem, root string, w io.Writer) error {
	out := bufio.NewWriter(w)
	sources := make(map[string][]string)
	color := hasColor(w)
	for _, p := range problems {
		line := shown(p.String())
		if color {
			line = colored(p, line)
		}
		fmt.Fprintln(out, line)
		if isTerminal(w) {
			writeExcerpt(out, p, sources, root)
		}
	}
	return out.Flush()
}

// hasColor reports whether w is a terminal that supports colors and the user hasn't disabled them
// (https://no-color.org).
func hasColor(w io.Writer) bool {
	if !isTerminal(w) || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	// On Windows, a terminal that sets neither variable may be a console that prints escape codes literally.
	return runtime.GOOS != "windows" || os.Getenv("WT_SESSION") != "" || os.Getenv("TERM") != ""
}

// colored returns a problem's line with its position in bold and its level in red or yellow.
func colored(p site.Problem, line string) string {
	const bold, red, yellow, plain = "\x1b[1m", "\x1b[1;31m", "\x1b[1;33m", "\x1b[0m"
	level := yellow
	if p.Severity == site.Error {
		level = red
	}
	place, rest, ok := strings.Cut(line, ": "+p.Severity.String()+": ")
	if !ok {
		return line
	}
	return bold + place + ":" + plain + " " + level + p.Severity.String() + ":" + plain + " " + rest
}
