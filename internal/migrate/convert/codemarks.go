package convert

import (
	"strconv"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/migrate/source"
)

// codeBlock is a fenced code block. Its lines include the markers of the list or quote around it.
type codeBlock struct {
	open  string
	lines []string
	// marked, inserted, and removed contain line numbers, counted from 1, and ranges such as "3-5".
	marked, inserted, removed []string
}

// codeMarks returns text with the comments that mark lines of code in other tools converted to fence options, and
// without the lines that Twoslash hides.
func codeMarks(text string) string {
	if !strings.Contains(text, "```diff lang=") && !strings.Contains(text, "code ") && !strings.Contains(text, "highlight-") && !strings.Contains(text, "twoslash") {
		return text
	}
	var out strings.Builder
	var block *codeBlock
	f := NewFences(false)
	for line := range strings.Lines(text) {
		was := f.Length
		f.Line(strings.TrimSuffix(line, "\n"))
		switch {
		case was == 0 && f.Length > 0:
			block = &codeBlock{open: line}
			continue
		case block != nil && f.Length > 0:
			block.lines = append(block.lines, line)
			continue
		case block != nil:
			out.WriteString(block.text())
			block = nil
		}
		out.WriteString(line)
	}
	if block != nil {
		out.WriteString(block.open + strings.Join(block.lines, ""))
	}
	return out.String()
}

// text returns the converted block, without its closing fence.
func (b *codeBlock) text() string {
	_, _, info := FenceOf(b.open)
	language, rest, _ := strings.Cut(info, " ")
	if strings.HasPrefix(language, hiddenSign) {
		return b.open + strings.Join(b.lines, "")
	}
	if source.HasWord(rest, "twoslash") {
		rest = strings.Join(strings.Fields(strings.Replace(rest, "twoslash", "", 1)), " ")
		b.lines = shownLines(b.lines)
	}
	if m := diffOf.FindStringSubmatch(rest); language == "diff" && m != nil {
		language, rest = m[1], strings.TrimSpace(strings.Replace(rest, m[0], "", 1))
		b.readDiff(Columns(containers.FindString(b.open)))
	}
	b.readMarks()
	for _, mark := range []struct {
		before string
		lines  []string
	}{{"", b.marked}, {"ins=", b.inserted}, {"del=", b.removed}} {
		if len(mark.lines) > 0 {
			rest = withLines(rest, mark.before, strings.Join(mark.lines, ","))
		}
	}
	if rest = strings.TrimSpace(language + " " + rest); rest != info && info != "" {
		b.open = strings.Replace(b.open, info, rest, 1)
	}
	return b.open + strings.Join(b.lines, "")
}

// diffOf matches the attribute that specifies the language of a diff in Expressive Code, and captures the language.
var diffOf = lazyregexp.New(`\blang="([\w+#-]+)"`)

// readDiff removes the "+" and "-" signs at the start of lines, and records these lines as inserted or removed. column
// is the column of the fence.
func (b *codeBlock) readDiff(column int) {
	for i, line := range b.lines {
		indent := line[:min(len(IndentOf(line)), column)]
		switch rest := line[len(indent):]; {
		case strings.HasPrefix(rest, "+"):
			b.inserted = append(b.inserted, strconv.Itoa(i+1))
			b.lines[i] = indent + rest[1:]
		case strings.HasPrefix(rest, "-"):
			b.removed = append(b.removed, strconv.Itoa(i+1))
			b.lines[i] = indent + rest[1:]
		}
	}
}

// markedSet matches the numbers of marked lines in the options of a fence, such as "{1,3-5}".
var markedSet = lazyregexp.New(`(^|\s)\{([\d,\s-]+)\}`)

// withLines returns the options of a fence with a set of line numbers added after the prefix before, such as "ins=". If
// before is "" and the options contain a set of marked lines, it extends that set.
func withLines(options, before, lines string) string {
	if before == "" && markedSet.MatchString(options) {
		return markedSet.ReplaceAllString(options, "$1{$2,"+lines+"}")
	}
	return strings.TrimSpace(options + " " + before + "{" + lines + "}")
}

var (
	// codeMark matches a Shiki notation, such as [!code ++], at the end of a line, usually in a comment.
	codeMark = lazyregexp.New(`[ \t]*(?:(?://|#|--|;|%|/\*|<!--|\{/\*)[ \t]*)?\[!code ([a-z+-]+)(?::([^\]\n]*))?\][ \t]*(?:\*/\}?|-->)?[ \t]*$`)
	// codeEscape matches an escaped notation, which Shiki's documentation uses to show a notation in code.
	codeEscape = lazyregexp.New(`\[!!code |\[\\!code `)
	// magicComment matches a Docusaurus comment on its own line, such as "// highlight-next-line".
	magicComment = lazyregexp.New(`^[ \t>]*(?://|#|--|%|/\*|<!--|\{/\*)[ \t]*highlight-(next-line|start|end)[ \t]*(?:\*/\}?|-->)?[ \t]*$`)
)

// readMarks removes Shiki notations and Docusaurus comments from the code, and records the lines to which they apply. A
// notation on its own line applies to the lines after it.
func (b *codeBlock) readMarks() {
	var kept []string
	inside, next := false, false
	for _, line := range b.lines {
		plain := strings.TrimSuffix(line, "\n")
		if m := magicComment.FindStringSubmatch(plain); m != nil {
			inside, next = m[1] == "start" || inside && m[1] != "end", next || m[1] == "next-line"
			continue
		}
		plain, alone := b.readShiki(plain, len(kept)+1)
		if alone {
			continue
		}
		kept = append(kept, codeEscape.ReplaceAllString(plain, "[!code ")+"\n")
		if inside || next {
			b.marked = append(b.marked, strconv.Itoa(len(kept)))
		}
		next = false
	}
	b.lines = kept
}

// readShiki removes the Shiki notations from line, the line with the given number, and records the lines to which they
// apply. It returns the rest of the line. alone reports whether the line contains only notations.
func (b *codeBlock) readShiki(line string, number int) (rest string, alone bool) {
	for m := codeMark.FindStringSubmatch(line); m != nil; m = codeMark.FindStringSubmatch(line) {
		line = line[:len(line)-len(m[0])]
		alone = strings.Trim(line, " \t>") == ""
		count, err := strconv.Atoi(m[2])
		if err != nil || count < 1 || count > 1000 {
			count = 1
		}
		numbers := strconv.Itoa(number)
		if count > 1 {
			numbers += "-" + strconv.Itoa(number+count-1)
		}
		switch m[1] {
		case "++":
			b.inserted = append(b.inserted, numbers)
		case "--":
			b.removed = append(b.removed, numbers)
		case "highlight", "hl", "focus", "error", "warning", "info":
			b.marked = append(b.marked, numbers)
		}
	}
	return line, alone
}

var (
	twoslashCut   = lazyregexp.New(`^[ \t>]*//[ \t]*---cut(-before|-after|-start|-end)?---[ \t]*$`)
	twoslashQuery = lazyregexp.New(`^[ \t>]*//[ \t]*(?:\^[?|^]*|@(?:errors|noErrors|noErrorValidation|showEmit|showEmittedFile|keepNotations|target|module|moduleResolution|lib|strict|types|jsx|esModuleInterop|allowJs|checkJs)\b.*)[ \t]*$`)
)

// shownLines returns the lines of a block that Twoslash shows. It omits lines before ---cut--- or ---cut-before---,
// after ---cut-after---, and between ---cut-start--- and ---cut-end---, as well as compiler instructions.
func shownLines(lines []string) (shown []string) {
	hidden := false
	for _, line := range lines {
		plain := strings.TrimSuffix(line, "\n")
		if m := twoslashCut.FindStringSubmatch(plain); m != nil {
			if hidden = m[1] == "-start"; m[1] == "-after" {
				return shown
			} else if m[1] == "" || m[1] == "-before" {
				shown = nil
			}
			continue
		}
		if !hidden && !twoslashQuery.MatchString(plain) {
			shown = append(shown, line)
		}
	}
	return shown
}
