// Command vitrine checks, builds, previews, and deploys a site.
//
// Each subcommand, such as vitrine build, has its own file in this package. The exit code is 0 on success, 2 if the
// command line is invalid, 3 if a deploy fails but the new build is in place or may still be served, and 1 for any
// other failure.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	// Embed the time zones so that site.yaml can use them on every machine.
	_ "time/tzdata"

	"vitrine/internal/deploy"
	"vitrine/internal/edge/platform"
	"vitrine/internal/schema"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// action runs a command. It parses the arguments with the command's flags.
type action func(ctx context.Context, arguments []string, stdout, stderr io.Writer) error

// verb describes a command, such as build.
type verb struct {
	name string
	// arguments is the text that follows the name in the usage. Bars in it separate alternatives.
	arguments string
	summary   string
	// declare declares the command's flags. It must have no other effects, because help and completion call it too.
	declare func(*flag.FlagSet) action
	// example is a typical command line.
	example string
	// everyday contains the names of the most common flags, which the help lists first.
	everyday []string
}

func verbs() []verb {
	return []verb{
		{"build", " [flags]", "builds the site into a folder that any server or CDN can serve", declareBuild, "vitrine build --out build", []string{"root", "out", "drafts", "strict"}},
		{"merge", " [FOLDER…] [flags]", "combines all parts that vitrine build --part wrote, in the given folders or in parts/, into a full build; all parts must be from the same commit", declareMerge, "vitrine merge parts --out build", []string{"root", "out"}},
		{"check", " [flags]", "lists all problems in the site without changing anything", declareCheck, "vitrine check --code V024", []string{"root", "drafts", "strict", "code", "max"}},
		{"fix", " [flags]", "fixes problems that have only one solution and shows the changes", declareFix, "vitrine fix --dry-run", []string{"dry-run", "root"}},
		{"serve", " [flags]", "builds the site and serves it as a production server does", declareServe, "vitrine serve --addr 127.0.0.1:8080", []string{"root", "addr", "out", "drafts"}},
		{"preview", " [flags]", "shows the site while you write, with drafts and problems, and rebuilds it after every save", declarePreview, "vitrine preview --open", []string{"open", "root", "addr"}},
		{"config", " " + strings.Join(configTargets(), "|") + " [flags]", "prints a configuration for a web server, service, or container that serves a build", declareConfig, "vitrine config nginx > site.conf", nil},
		{"deploy", " " + deployTargets() + " [flags] [-- PLATFORM FLAGS]", "deploys the build (to a folder, a host, or a bucket, or to " + platform.Titles() + "), waits until the site serves it, and verifies the site", declareDeploy, "vitrine deploy user@host:/var/lib/vitrine --dry-run", []string{"build", "url", "reload", "purge", "dry-run"}},
		{"pull", " s3://BUCKET/PREFIX FOLDER [flags]", "copies a bucket's current build to a folder for vitrined, once or whenever it changes", declarePull, "vitrine pull s3://bucket/prefix /var/lib/vitrine --watch 10s --reload", []string{"watch", "reload"}},
		{"verify", " URL [flags]", "checks a live site against the contract and explains how to fix failures", declareVerify, "vitrine verify https://acorn.example", nil},
		{"diff", " OLD NEW [flags]", "compares two builds, or a build and a live site, and lists the changes and the paths to purge from caches", declareDiff, "vitrine diff build https://acorn.example", nil},
		{"report", " LOG… [flags]", "reports, from access logs, who read the site: people, search engines, language models, and feed readers", declareReport, "vitrine report access.log --out report.html", []string{"out", "build", "since"}},
		{"new", " page|post|site|admin NAME [flags]", "creates a site, a page, an article, or the content editor", declareNew, "vitrine new post \"What is new\"", []string{"root", "title", "date"}},
		{"import", " FOLDER [flags]", "imports a site from Hugo, Jekyll, Docusaurus, MkDocs, or another tool and reports what remains to be done", declareImport, "vitrine import old-site --to new-site", []string{"to", "from"}},
		{"theme", " list|export [FILE…] [flags]", "lists the theme's files, or copies some into the site so that you can change them", declareTheme, "vitrine theme export partials/footer.html", []string{"root"}},
		{"version-cut", " FOLDER NAME [flags]", "copies the current documentation to a new version, in all languages", declareVersionCut, "vitrine version-cut docs v3", []string{"dry-run", "root", "label"}},
		{"schedule", " [flags]", "lists scheduled pages and shows when the next one is due", declareSchedule, "vitrine schedule", []string{"root"}},
		{"lsp", "", "runs the language server, which reports problems to editors and provides completion, links, and renaming over stdin and stdout", declareLSP, "vitrine lsp", nil},
		{"schema", " " + strings.Join(schema.Names(), "|") + " [flags]", "prints a JSON Schema for product.yaml, site.yaml, questions.yaml, authors.yaml, a sidebar, or front matter, to use in an editor", declareSchema, "vitrine schema --out schemas", nil},
		{"explain", " CODE|list", "explains a rule such as V014 and how to fix its problems", declareExplain, "vitrine explain V014", nil},
		{"completion", " bash|zsh|fish|powershell", "prints a script that completes commands and flags in bash, zsh, fish, or PowerShell", declareCompletion, "source <(vitrine completion bash)", nil},
		{"version", "", "prints the version of this program", declareVersion, "vitrine version", nil},
	}
}

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
	// exitLeft is the exit code of a failed deploy after which the new build is in place or may still be served.
	exitLeft = 3
)

// errUsage is wrapped by errors about an invalid command line, which usageError has already printed.
var errUsage = errors.New("usage")

// errProblems is returned if a command fails because of errors in the site. These errors have already been printed.
var errProblems = errors.New("the site has errors")

// errFindings is returned if verify completes but checks have failed. The findings have already been printed.
var errFindings = errors.New("something was found")

// run executes the command that the first argument names and returns the exit code.
func run(ctx context.Context, arguments []string, stdout, stderr io.Writer) int {
	if len(arguments) == 0 {
		writeOverview(stderr)
		return exitUsage
	}
	name, rest := arguments[0], arguments[1:]
	switch name {
	case "help", "-h", "-help", "--help":
		return help(rest, stdout, stderr)
	case "-version", "--version":
		name = "version"
	}
	v, ok := findVerb(name)
	if !ok {
		fmt.Fprintf(stderr, "vitrine: unknown command %q%s; run vitrine help for a list\n", name, suggestVerb(name))
		return exitUsage
	}
	_, act := v.flags(stderr)
	switch err := act(ctx, rest, stdout, stderr); {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return exitOK
	case errors.Is(err, deploy.ErrLeft), errors.Is(err, deploy.ErrDoubt):
		fmt.Fprintf(stderr, "vitrine %s: %v\n", name, err)
		return exitLeft
	case errors.Is(err, deploy.ErrFlags):
		fmt.Fprintf(stderr, "vitrine %s: %v\n", name, err)
		return exitUsage
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
