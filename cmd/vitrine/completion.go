package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"

	"vitrine/internal/compare"
	"vitrine/internal/migrate"
)

// declareCompletion declares completion, which prints a shell script that completes commands and flags.
func declareCompletion(flags *flag.FlagSet) action {
	return func(ctx context.Context, arguments []string, stdout, stderr io.Writer) error {
		shells, err := parseArguments(flags, arguments)
		if err != nil {
			return err
		}
		if len(shells) != 1 {
			return usageError(flags, "vitrine completion needs one shell: bash, zsh, fish, or powershell")
		}
		write, ok := map[string]func(io.Writer, []completed) error{
			"bash": completeBash, "zsh": completeZsh, "fish": completeFish, "powershell": completePowerShell,
		}[shells[0]]
		if !ok {
			return usageError(flags, "unknown shell %q; want bash, zsh, fish, or powershell", shells[0])
		}
		return write(stdout, allCompleted())
	}
}

// completed describes a command and its flags for shell completion.
type completed struct {
	name, summary string
	// words contains the possible first arguments, or nil if there is no fixed list of them.
	words []string
	flags []completedFlag
}

type completedFlag struct {
	name, usage string
	// value reports whether the flag takes a value, unlike a Boolean flag.
	value bool
	// values contains the possible values, or nil if there is no fixed list of them.
	values []string
}

// allCompleted describes all commands, including help, and their flags.
func allCompleted() []completed {
	var all []completed
	for _, v := range verbs() {
		c := completed{name: v.name, summary: v.summary}
		first, _, _ := strings.Cut(strings.TrimSpace(v.arguments), " ")
		for word := range strings.SplitSeq(first, "|") {
			if word != "" && strings.ToLower(word) == word && word[0] != '[' {
				c.words = append(c.words, word)
			}
		}
		flags, _ := v.flags(io.Discard)
		visitListed(flags, func(f *flag.Flag) {
			value, usage := flag.UnquoteUsage(f)
			c.flags = append(c.flags, completedFlag{f.Name, usage, value != "", flagValues(v.name, f.Name)})
		})
		all = append(all, c)
	}
	help := completed{name: "help", summary: "explains a command and its flags"}
	for _, c := range all {
		help.words = append(help.words, c.name)
	}
	return append(all, help)
}

// flagValues returns the possible values of a command's flag, or nil if there is no fixed list of them.
func flagValues(verb, flag string) []string {
	switch verb + " --" + flag {
	case "build --format", "check --format", "serve --format":
		return reportFormats()
	case "verify --format", "diff --format", "schedule --format":
		return []string{"text", "json"}
	case "verify --host":
		return hostNames()
	case "check --links":
		return []string{"internal", "external"}
	case "import --from":
		return migrate.Kinds()
	case "diff --purge":
		return compare.Purgers()
	case "build --codings", "serve --codings":
		return []string{"auto", "gzip", "br", "gzip,br", "none"}
	}
	return nil
}

// candidates returns the possible first arguments and the flags of the command, separated by spaces.
func (c completed) candidates() string {
	words := append([]string(nil), c.words...)
	for _, f := range c.flags {
		words = append(words, "--"+f.name)
	}
	return strings.Join(words, " ")
}

func verbNames(all []completed) string {
	var names []string
	for _, c := range all {
		names = append(names, c.name)
	}
	return strings.Join(names, " ")
}

func completeBash(w io.Writer, all []completed) error {
	var b strings.Builder
	b.WriteString("# vitrine: source <(vitrine completion bash)\n_vitrine() {\n\tlocal words=\n\tcase ${COMP_CWORD},${COMP_WORDS[1]} in\n")
	fmt.Fprintf(&b, "\t1,*) words=%s ;;\n", shellQuote(verbNames(all)))
	for _, c := range all {
		fmt.Fprintf(&b, "\t*,%s) words=%s ;;\n", c.name, shellQuote(c.candidates()))
	}
	b.WriteString("\tesac\n\tcase ${COMP_WORDS[1]},${COMP_WORDS[COMP_CWORD-1]} in\n")
	for _, c := range all {
		for _, f := range c.flags {
			if f.value { // an empty list of words completes file names
				fmt.Fprintf(&b, "\t%s,--%s) words=%s ;;\n", c.name, f.name, shellQuote(strings.Join(f.values, " ")))
			}
		}
	}
	b.WriteString("\tesac\n\tCOMPREPLY=($(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\"))\n}\n" +
		"# If no word matches, complete file names.\ncomplete -o default -F _vitrine vitrine\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func completeZsh(w io.Writer, all []completed) error {
	var b strings.Builder
	b.WriteString("#compdef vitrine\n# vitrine: source <(vitrine completion zsh)\n_vitrine() {\n\tlocal -a verbs\n\tverbs=(\n")
	for _, c := range all {
		fmt.Fprintf(&b, "\t\t%s\n", shellQuote(c.name+":"+c.summary))
	}
	b.WriteString("\t)\n\tif (( CURRENT == 2 )); then\n\t\t_describe command verbs\n\t\treturn\n\tfi\n\tcase ${words[2]} in\n")
	for _, c := range all {
		fmt.Fprintf(&b, "\t%s)\n\t\t_arguments", c.name)
		for _, f := range c.flags {
			// Replace brackets and colons, because they would end the description in zsh.
			spec := "--" + f.name + "[" + strings.NewReplacer("[", "(", "]", ")", ":", " -").Replace(f.usage) + "]"
			switch {
			case f.values != nil:
				spec += ":value:(" + strings.Join(f.values, " ") + ")"
			case f.value:
				spec += ":value:_files"
			}
			fmt.Fprintf(&b, " \\\n\t\t\t%s", shellQuote(spec))
		}
		rest := "*:file:_files"
		if len(c.words) > 0 {
			rest = "*:word:(" + strings.Join(c.words, " ") + ")"
		}
		fmt.Fprintf(&b, " \\\n\t\t\t%s ;;\n", shellQuote(rest))
	}
	b.WriteString("\tesac\n}\nif [ \"$funcstack[1]\" = _vitrine ]; then\n\t_vitrine \"$@\"\nelse\n\tcompdef _vitrine vitrine\nfi\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func completeFish(w io.Writer, all []completed) error {
	var b strings.Builder
	b.WriteString("# vitrine: vitrine completion fish | source\n")
	for _, c := range all {
		fmt.Fprintf(&b, "complete -c vitrine -n __fish_use_subcommand -f -a %s -d %s\n", c.name, fishQuote(c.summary))
		seen := fishQuote("__fish_seen_subcommand_from " + c.name)
		if len(c.words) > 0 {
			fmt.Fprintf(&b, "complete -c vitrine -n %s -f -a %s\n", seen, fishQuote(strings.Join(c.words, " ")))
		}
		for _, f := range c.flags {
			value := ""
			switch {
			case f.values != nil:
				value = " -x -a " + fishQuote(strings.Join(f.values, " "))
			case f.value:
				value = " -r"
			}
			fmt.Fprintf(&b, "complete -c vitrine -n %s -l %s%s -d %s\n", seen, f.name, value, fishQuote(f.usage))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func completePowerShell(w io.Writer, all []completed) error {
	quote := func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
	var b strings.Builder
	b.WriteString("# vitrine: vitrine completion powershell | Out-String | Invoke-Expression\n" +
		"Register-ArgumentCompleter -Native -CommandName vitrine -ScriptBlock {\n\tparam($word, $ast, $cursor)\n\t$verbs = @{\n")
	for _, c := range all {
		fmt.Fprintf(&b, "\t\t%s = %s\n", quote(c.name), quote(c.candidates()))
	}
	b.WriteString("\t}\n\t$values = @{\n")
	for _, c := range all {
		for _, f := range c.flags {
			if f.values != nil {
				fmt.Fprintf(&b, "\t\t%s = %s\n", quote(c.name+" --"+f.name), quote(strings.Join(f.values, " ")))
			}
		}
	}
	b.WriteString("\t}\n\t$typed = @($ast.CommandElements | ForEach-Object { $_.ToString() })\n" +
		"\t$last = if ($word) { $typed.Count - 2 } else { $typed.Count - 1 }\n" +
		"\t$set = if ($last -ge 2) { $values[$typed[1] + ' ' + $typed[$last]] }\n" +
		"\t$words = if ($set) { -split $set } elseif ($typed.Count -lt 2 -or ($typed.Count -eq 2 -and $word)) { $verbs.Keys | Sort-Object } else { -split $verbs[$typed[1]] }\n" +
		"\t$words | Where-Object { $_ -like \"$word*\" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }\n}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// shellQuote quotes s for bash and zsh.
func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// fishQuote quotes s for fish.
func fishQuote(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
}
