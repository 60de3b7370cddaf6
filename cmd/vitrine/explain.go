package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"vitrine/internal/load/suggest"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// declareExplain declares explain, which prints the page about a rule or the list of all rules.
func declareExplain(flags *flag.FlagSet) action {
	return func(_ context.Context, arguments []string, stdout, stderr io.Writer) error {
		codes, err := parseArguments(flags, arguments)
		if err != nil {
			return err
		}
		switch {
		case len(codes) > 1:
			return usageError(flags, "vitrine explain accepts one code, such as V014")
		case len(codes) == 0 || codes[0] == "list":
			return listRules(stdout)
		}
		code := strings.ToUpper(codes[0])
		r, ok := rule.Find(site.Code(code))
		if !ok {
			return usageError(flags, "unknown rule %q%s", codes[0], suggestRule(code))
		}
		text, err := r.Explain()
		if err != nil {
			return err
		}
		_, err = io.WriteString(stdout, text)
		return err
	}
}

func suggestRule(code string) string {
	var known []string
	for _, r := range rule.All() {
		known = append(known, string(r.Code))
	}
	if near := suggest.Nearest(code, known); near != "" {
		return "; did you mean " + near + "?"
	}
	return "; run vitrine explain for a list"
}

// listRules prints the code, level, and title of every rule.
func listRules(stdout io.Writer) error {
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	for _, r := range rule.All() {
		fmt.Fprintf(table, "%s\t%s\t%s\n", r.Code, r.Level, r.Title)
	}
	return table.Flush()
}
