package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"vitrine/internal/lab/rig"
)

// pagesWithCommands returns the pages whose commands TestCommands runs, as paths in the repository.
func pagesWithCommands(t *testing.T) []string {
	t.Helper()
	return append(markdownFiles(t, "docs"), "README.md", "CONTRIBUTING.md", "SECURITY.md")
}

// block is a fenced code block on a page.
type block struct {
	line            int // number of the first line of text
	language, title string
	text            string
	notRun          string
	fails           int
	reports         string
	newSite, ourOwn bool
	oldSite         bool
	release, ended  bool
}

var (
	fence = regexp.MustCompile("^( *)(`{3,}|~{3,})([A-Za-z]*)(.*)$")
	sign  = regexp.MustCompile(`^ *<!-- (run|not run): (.*) -->$`)
)

// readBlocks returns the fenced blocks of a page in order, each with the comments above it.
func readBlocks(text string) []block {
	var blocks []block
	var next block
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		if m := sign.FindStringSubmatch(lines[i]); m != nil {
			switch word, rest, _ := strings.Cut(m[2], " "); {
			case m[1] == "not run":
				next.notRun = m[2]
			case m[2] == "in a new site":
				next.newSite = true
			case m[2] == "in the sample site":
				next.ourOwn = true
			case m[2] == "with a built site":
				next.oldSite = true
			case m[2] == "with a release":
				next.release = true
			case m[2] == "after Ctrl-C":
				next.ended = true
			case word == "fails":
				next.fails, _ = strconv.Atoi(rest)
			case word == "reports":
				next.reports = rest
			}
			continue
		}
		m := fence.FindStringSubmatch(lines[i])
		if m == nil {
			continue
		}
		next.line, next.language = i+2, m[3]
		if _, title, ok := strings.Cut(m[4], `title="`); ok {
			next.title, _, _ = strings.Cut(title, `"`)
		}
		var body []string
		for i++; i < len(lines) && strings.TrimSpace(lines[i]) != m[2]; i++ {
			body = append(body, strings.TrimPrefix(lines[i], m[1]))
		}
		next.text = strings.Join(body, "\n") + "\n"
		blocks = append(blocks, next)
		next = block{}
	}
	return blocks
}

// command is a command on a page, including its continuation lines.
type command struct {
	line       int
	text, want string
	checked    bool // want is the expected output
	fails      int
}

// commands returns the commands of a block.
func (b *block) commands() []command {
	var all []command
	lines := strings.Split(strings.TrimSuffix(b.text, "\n"), "\n")
	add := func(from, to int) {
		text := strings.Join(lines[from:to], "\n")
		if trimmed := strings.TrimSpace(text); trimmed != "" && (trimmed[0] != '#' || strings.Contains(trimmed, "\n")) {
			all = append(all, command{line: b.line + from, text: text, fails: b.fails})
		}
	}
	if b.language == "console" {
		for i, line := range lines {
			if text, ok := strings.CutPrefix(line, "$ "); ok {
				all = append(all, command{line: b.line + i, text: text, checked: true, fails: b.fails})
			} else if len(all) > 0 {
				all[len(all)-1].want += line + "\n"
			}
		}
		return all
	}
	heredoc := regexp.MustCompile(`<<-?'?"?([A-Za-z]+)`)
	for i := 0; i < len(lines); {
		from := i
		end := ""
		for {
			line := lines[i]
			i++
			if end != "" {
				if line == end {
					end = ""
				}
			} else if m := heredoc.FindStringSubmatch(line); m != nil {
				end = m[1]
			}
			if i == len(lines) || end == "" && !strings.HasSuffix(line, "\\") {
				break
			}
		}
		add(from, i)
	}
	return all
}

// isShell reports whether the block contains commands.
func (b *block) isShell() bool {
	switch b.language {
	case "sh", "console", "bash", "shell":
		return true
	}
	return false
}

// countCommands returns the number of commands on all pages, and how many of them TestCommands runs.
func countCommands(t *testing.T) (all, run int) {
	t.Helper()
	for _, name := range pagesWithCommands(t) {
		text, err := os.ReadFile(filepath.Join(rig.Root(t), name))
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range readBlocks(string(text)) {
			if !b.isShell() {
				continue
			}
			n := len(b.commands())
			if all += n; b.notRun == "" {
				run += n
			}
		}
	}
	return all, run
}
