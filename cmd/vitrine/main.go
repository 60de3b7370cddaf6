// Command vitrine is the editor's tool: it checks a site, builds it, and
// serves it as production does.
//
// Each verb is a file of this package and reads as its pipeline: load, check,
// render, publish, serve. Wrong usage exits 2, everything else that keeps a
// verb from doing its work exits 1.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	// Time zones of site.yaml must be known wherever the tool runs.
	_ "time/tzdata"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// verb is one thing that the tool does.
type verb struct {
	name    string
	summary string
	// run parses the verb's arguments and does its work.
	run func(ctx context.Context, arguments []string, stdout, stderr io.Writer) error
	// example is a call that people make, everyday are the flags that they need.
	example  string
	everyday []string
}

func verbs() []verb {
	return []verb{
		{"build", "build the site into a folder that any edge can serve", runBuild, "vitrine build --out build", []string{"root", "out", "drafts", "strict"}},
		{"check", "tell everything that is wrong with the site, and write nothing", runCheck, "vitrine check --code V024", []string{"root", "drafts", "strict", "code", "max"}},
		{"fix", "put right what is wrong and has one right answer, and show what was changed", runFix, "vitrine fix --dry-run", []string{"dry-run", "root"}},
		{"serve", "build the site and serve it as production does", runServe, "vitrine serve --addr 127.0.0.1:8080", []string{"root", "addr", "out", "drafts"}},
		{"preview", "show the site while you write: drafts too, and what is wrong, at every save", runPreview, "vitrine preview --open", []string{"open", "root", "addr"}},
		{"config", "print the configuration of nginx, Caddy, Varnish, systemd or Docker for a build", runConfig, "vitrine config nginx > site.conf", nil},
		{"verify", "ask a live site whether it keeps the contract, and say what to do where it does not", runVerify, "vitrine verify https://acorn.example", nil},
		{"diff", "compare two builds, or a build and a live site: what changed, and what to purge", runDiff, "vitrine diff build https://acorn.example", nil},
		{"new", "begin a page, an article or a site, with its front matter or its files filled in", runNew, "vitrine new post \"What is new\"", []string{"root", "title", "date"}},
		{"import", "make a Vitrine site of one of Hugo, Jekyll, Docusaurus, MkDocs and others, and report what is left to do", runImport, "vitrine import old-site --to new-site", []string{"to", "from"}},
		{"theme", "list the theme's files, or copy some into the site to change them", runTheme, "vitrine theme export partials/footer.html", []string{"root"}},
		{"schedule", "tell which pages wait for their date, and when the next one is due", runSchedule, "vitrine schedule", []string{"root"}},
		{"lsp", "help an editor's program with pages, product.yaml and site.yaml while one types: the Language Server Protocol over stdin and stdout", runLSP, "vitrine lsp", nil},
		{"schema", "print a JSON Schema of product.yaml, site.yaml or front matter, for editors' tools", runSchema, "vitrine schema --out schemas", nil},
		{"explain", "say what a diagnostic's code, such as V014, means, and how to fix it", runExplain, "vitrine explain V014", nil},
		{"completion", "print what makes a shell complete verbs and flags: bash, zsh, fish or powershell", runCompletion, "source <(vitrine completion bash)", nil},
		{"version", "print the version of this tool", runVersion, "vitrine version", nil},
	}
}

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// errUsage is wrapped by errors that the caller's words brought about.
var errUsage = errors.New("usage")

// errProblems says that problems of the site, reported already, ended a verb.
var errProblems = errors.New("the site has errors")

// errFindings says that what a verb was asked to find, and reported, ended it.
var errFindings = errors.New("something was found")

// run does what the arguments say and returns the exit code.
func run(ctx context.Context, arguments []string, stdout, stderr io.Writer) int {
	if len(arguments) == 0 {
		writeOverview(stderr)
		return exitUsage
	}
	name, rest := arguments[0], arguments[1:]
	switch name {
	case "help", "-h", "-help", "--help":
		return help(ctx, rest, stdout, stderr)
	case "-version", "--version":
		name = "version"
	}
	v, ok := findVerb(name)
	if !ok {
		fmt.Fprintf(stderr, "vitrine: there is no verb %q%s; vitrine help lists them\n", name, suggestVerb(name))
		return exitUsage
	}
	switch err := v.run(ctx, rest, stdout, stderr); {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return exitOK
	case errors.Is(err, errUsage):
		return exitUsage
	case errors.Is(err, errProblems), errors.Is(err, errFindings):
		return exitFailed
	default:
		fmt.Fprintf(stderr, "vitrine %s: %v%s\n", name, err, advice(err))
		return exitFailed
	}
}

func findVerb(name string) (verb, bool) {
	for _, v := range verbs() {
		if v.name == name {
			return v, true
		}
	}
	return verb{}, false
}
