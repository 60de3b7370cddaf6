// Command vitrine is the editor's tool: it checks a site, builds it, and
// serves it as production does.
//
// Each verb is a file of this package and reads as its pipeline: load, check,
// render, publish, serve. Wrong usage exits 2, everything else that keeps a
// verb from doing its work exits 1, and a deploy that left a site in doubt 3.
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

	"vitrine/internal/deploy"
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
		{"build", "builds the site into a folder that any server or CDN can serve", runBuild, "vitrine build --out build", []string{"root", "out", "drafts", "strict"}},
		{"check", "lists everything that is wrong with the site, and changes nothing", runCheck, "vitrine check --code V024", []string{"root", "drafts", "strict", "code", "max"}},
		{"fix", "fixes the problems that have one right answer, and shows what it changed", runFix, "vitrine fix --dry-run", []string{"dry-run", "root"}},
		{"serve", "builds the site and serves it as in production", runServe, "vitrine serve --addr 127.0.0.1:8080", []string{"root", "addr", "out", "drafts"}},
		{"preview", "shows the site while you write: drafts and problems too, again at every save", runPreview, "vitrine preview --open", []string{"open", "root", "addr"}},
		{"config", "prints the configuration of a web server, a service or a container for a build", runConfig, "vitrine config nginx > site.conf", nil},
		{"deploy", "deploys the build to a folder, a host, Netlify or Cloudflare, waits until it answers, and verifies it", runDeploy, "vitrine deploy user@host:/var/lib/vitrine --dry-run", []string{"build", "url", "reload", "purge", "dry-run"}},
		{"verify", "checks a live site against the contract, and says how to fix what fails", runVerify, "vitrine verify https://acorn.example", nil},
		{"diff", "compares two builds, or a build and a live site: what changed, and what to purge", runDiff, "vitrine diff build https://acorn.example", nil},
		{"report", "reports who read the site, from its access logs: people, search engines, language models, feed readers", runReport, "vitrine report access.log --out report.html", []string{"out", "build", "since"}},
		{"new", "creates a site, a page, an article, or the content editor", runNew, "vitrine new post \"What is new\"", []string{"root", "title", "date"}},
		{"import", "imports a site from Hugo, Jekyll, Docusaurus, MkDocs and others, and reports what is left to do", runImport, "vitrine import old-site --to new-site", []string{"to", "from"}},
		{"theme", "lists the theme's files, or copies some into the site so that you can change them", runTheme, "vitrine theme export partials/footer.html", []string{"root"}},
		{"schedule", "lists the pages that wait for their date, and when to build next", runSchedule, "vitrine schedule", []string{"root"}},
		{"lsp", "runs the language server for editors, over stdin and stdout: problems, completion, links, renaming", runLSP, "vitrine lsp", nil},
		{"schema", "prints a JSON Schema of product.yaml, site.yaml or front matter, for editors", runSchema, "vitrine schema --out schemas", nil},
		{"explain", "explains the rule of a code such as V014, and how to fix what it finds", runExplain, "vitrine explain V014", nil},
		{"completion", "prints the completion of commands and flags for bash, zsh, fish or powershell", runCompletion, "source <(vitrine completion bash)", nil},
		{"version", "prints the version of this program", runVersion, "vitrine version", nil},
	}
}

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
	// exitLeft is of a deploy after which the new build is in place, and is not as it should be.
	exitLeft = 3
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
	case errors.Is(err, deploy.ErrLeft):
		fmt.Fprintf(stderr, "vitrine %s: %v\n", name, err)
		return exitLeft
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
