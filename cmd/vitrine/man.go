package main

import (
	"flag"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// writeMan generates the tool's manual page from the help and writes it as roff with the man macros.
func writeMan(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH VITRINE 1 \"\" %s \"User Commands\"\n", manQuote("vitrine "+released()))
	b.WriteString(".SH NAME\nvitrine \\- builds a company's public facts into a site, checks it, and deploys it\n" +
		".SH SYNOPSIS\n.B vitrine\n.I command\n.RI [ flags ]\n.SH DESCRIPTION\n" +
		"Vitrine builds a company's website from one file of facts and a folder of Markdown. Flags take one dash or two.\n.SH COMMANDS\n")
	for _, v := range verbs() {
		fmt.Fprintf(&b, ".SS %s\n%s.\n.PP\nExample:\n.B %s\n", manQuote("vitrine "+v.name+v.arguments), manText(strings.ToUpper(v.summary[:1])+v.summary[1:]), manText(v.example))
		flags, _ := v.flags(io.Discard)
		visitListed(flags, func(f *flag.Flag) {
			value, text := describeFlag(f)
			fmt.Fprintf(&b, ".TP\n.BR \\-\\-%s", manText(f.Name))
			if value != "" {
				fmt.Fprintf(&b, " \" \" \\fI%s\\fP", manText(value))
			}
			fmt.Fprintf(&b, "\n%s.\n", manText(text))
		})
	}
	b.WriteString(".SH EXIT STATUS\n")
	for _, row := range [][2]string{
		{"0", "Success, even with warnings"},
		{"1", "The site has errors, a check failed or found differences, or the command could not finish"},
		{"2", "A wrong command, flag, or argument"},
		{"3", "Only for deploy: the new build is in place, but has problems, or may still be served"},
	} {
		fmt.Fprintf(&b, ".TP\n.B %s\n%s.\n", row[0], row[1])
	}
	b.WriteString(".SH SEE ALSO\n.BR systemd.service (5)\n.PP\nThe server is\n.BR vitrined ,\nwhose flags\n.B vitrined \\-help\nlists.\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// manText escapes a line of text for roff. It escapes backslashes, hyphens that readers may copy, characters outside
// ASCII, and a control character at the start of the line.
func manText(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n", " ").Replace(s)
	var b strings.Builder
	for _, r := range s {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\[u%04X]`, r)
		}
	}
	s = b.String()
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	return s
}

// manQuote quotes s as an argument of a roff macro.
func manQuote(s string) string { return `"` + strings.ReplaceAll(manText(s), `"`, `\(dq`) + `"` }
