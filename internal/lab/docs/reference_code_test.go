package docs_test

import (
	"regexp"
	"strings"
	"testing"
)

// literal matches the parts of a description that files, commands, or requests contain verbatim, and text that is
// already marked as code.
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

// phrases are phrases in which a word is literal, with that word marked as code. Elsewhere, the same word may be
// ordinary text.
var phrases = []string{
	"`json` and `github` list", "`text`, `json`, or `github`", "`text` or `json`",
	"`json` (the default if you omit the value) or `combined`", "`gzip`, `br`, `gzip,br`, or `none`",
	"`auto` writes `gzip` for all files and also `br` for", "site's `baseURL`", "name of a build, or `previous`",
	"the folder `build` in", "such as `3.x`", "such as `4.x`", "`fast`, or `net/http` (Go's server), which",
	"`internal`, or `external` for", "example, `3/16` is", "`off`, `warning`, or `error`", "`allow` or `disallow`", "set to `no`,", "If `no`,", "CSS `unicode-range`.",
	"(`system`, `serif`, or `mono`)", "same forms as `text`.", "either `path` or `url`", "value of `color` as `.Page.Params.color`",
	"under `backend`", "relative to `path`", "The same as `path`.", "HTML's `defer`", "HTML's `async`", "both `defer` and `async` are", "HTML's `sizes`", "With `auto`,", "such as `month`",
	"such as `BusinessApplication` or `DeveloperApplication`", "such as `Windows`, or `Web` for",
	"such as `keys/example.key`", "as `owner/name`", "(`wide`)", "(`split`)", "`wide` for a picture, `split` for code",
	"`a-z`, `A-Z`, `0-9`, and `-`.", "`docs` in documentation", "`home` for the home", "`post` for articles", "`list` for an index", "and `page` for",
	"either `picture` or `code`", "fact in `answer`.", "such as `rocket`",
	"set `unlimitedReps` in `words` in", "set `unlimitedTeams` in `words` in",
}

// withPhrases marks words as code where the text contains one of the phrases.
var withPhrases = func() *strings.Replacer {
	var pairs []string
	for _, p := range phrases {
		pairs = append(pairs, strings.ReplaceAll(p, "`", ""), p)
	}
	return strings.NewReplacer(pairs...)
}()

// coded marks the literal parts of a description as code.
func coded(text string) string {
	return literal.ReplaceAllStringFunc(withPhrases.Replace(text), func(s string) string {
		if strings.HasPrefix(s, "`") {
			return s
		}
		text := strings.TrimLeft(s, " ")
		return s[:len(s)-len(text)] + "`" + strings.ReplaceAll(text, `\`, "") + "`"
	})
}

// checkPhrases fails the test if a phrase is on none of the pages.
func checkPhrases(t *testing.T, pages map[string]string) {
	t.Helper()
	for _, p := range phrases {
		found := false
		for _, page := range pages {
			found = found || strings.Contains(page, p)
		}
		if !found {
			t.Errorf("no reference contains %q: correct the phrase, or remove it", p)
		}
	}
}
