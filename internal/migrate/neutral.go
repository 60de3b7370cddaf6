package migrate

import (
	"slices"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// A neutralizer returns text, the content of a file, without the errors in problems. The import tries the neutralizers
// from the smallest change to the largest. bodyAsCode keeps the words of a page without any syntax that can fail, and
// titleOnly keeps only the essential keys of the front matter.
type neutralizer func(text string, problems []site.Problem) string

var neutralizers = []neutralizer{atPlace, wholeLine, bodyAsCode, titleOnly}

// splitPage splits a page into its front matter, with both fences, and its body.
func splitPage(text string) (front, body string) {
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return "", text
	}
	head, body, ok := strings.Cut(rest, "\n---\n")
	if !ok {
		return "", text
	}
	return "---\n" + head + "\n---\n", body
}

// lastFirst returns the problems sorted from the end of the file to its start, so that fixing a problem doesn't shift
// the positions of the remaining problems.
func lastFirst(problems []site.Problem) []site.Problem {
	list := slices.Clone(problems)
	slices.SortStableFunc(list, func(a, b site.Problem) int {
		if a.Line != b.Line {
			return b.Line - a.Line
		}
		return b.Col - a.Col
	})
	return list
}

// atPlace returns text with a minimal change at the position of each problem.
func atPlace(text string, problems []site.Problem) string {
	front, _ := splitPage(text)
	head, lines := strings.Count(front, "\n"), strings.Split(text, "\n")
	mask := codeLines(text)
	settings := front == "" && !strings.Contains(problems[0].Path, ".md")
	for _, p := range lastFirst(problems) {
		i := p.Line - 1
		switch {
		case (p.Line == 0 || i >= len(lines)) && linkCodes[p.Code]:
			lines = withoutAddress(lines, p)
		case p.Line == 0 || i >= len(lines):
			lines = withKey(lines, p)
		case settings || i < head:
			lines = withoutKey(lines, i, p)
		case mask[i]:
			lines[i] = codeLine(lines[i])
		case linkCodes[p.Code]:
			lines[i] = unlinked(lines[i], p.Col)
		default:
			lines[i] = escapedAt(lines[i], p.Col)
		}
	}
	return strings.Join(lines, "\n")
}

// linkCodes contains the codes of the rules that the address of a link or an image can violate.
var linkCodes = map[site.Code]bool{rule.DeadLink: true, rule.DeadAnchor: true, rule.NotAnImage: true, rule.UnsafeLink: true, rule.UnlinkedFile: true}

// codeLines returns a slice that reports for each line of text whether it is code.
func codeLines(text string) []bool {
	var mask []bool
	f := convert.NewFences(false)
	for line := range strings.SplitSeq(text, "\n") {
		mask = append(mask, f.Line(line))
	}
	return mask
}

// codeLine returns a line of a code block without the syntax that can fail. It removes the options from a fence, and
// separates double opening braces in other lines.
func codeLine(line string) string {
	if _, length, info := convert.FenceOf(line); length > 0 && info != "" {
		language, _, _ := strings.Cut(info, " ")
		return strings.Replace(line, info, strings.Trim(language, "{}[]"), 1)
	}
	return strings.ReplaceAll(line, "{{", "{ {")
}

// namedAddress matches the address in the message about a broken link.
var namedAddress = lazyregexp.New(`links to "(?:https?:/)?/([^"]+)"`)

// withoutAddress returns lines with the scheme or the leading slash of a broken address removed, so that the text isn't
// an address. The position of the address in the page is unknown.
func withoutAddress(lines []string, p site.Problem) []string {
	if m := namedAddress.FindStringSubmatch(p.Text); m != nil {
		for i, line := range lines {
			lines[i] = strings.NewReplacer("https://"+m[1], m[1], "http://"+m[1], m[1], "/"+m[1], m[1]).Replace(line)
		}
	}
	return lines
}

// withKey returns lines with a placeholder for the missing title or date that p reports. It returns lines unchanged for
// other problems.
func withKey(lines []string, p site.Problem) []string {
	var add []string
	switch p.Code {
	case rule.NoTitle:
		add = []string{"title: Untitled"}
	case rule.NoDate:
		add = []string{"date: 2000-01-01"}
	default:
		return lines
	}
	if lines[0] != "---" {
		add = append([]string{"---"}, append(add, "---")...)
		return append(add, lines...)
	}
	return slices.Insert(lines, 1, add...)
}

// withoutKey returns lines without the key on line i and its value. If the problem is a missing title or date, it
// returns the result of withKey instead. It removes a title only if the value is invalid. The report keeps the removed
// text.
func withoutKey(lines []string, i int, p site.Problem) []string {
	if p.Code == rule.NoTitle || p.Code == rule.NoDate {
		return withKey(lines, p)
	}
	if lines[i] == "---" || strings.HasPrefix(lines[i], "title:") && p.Code != rule.WrongValue {
		return lines
	}
	indent := len(lines[i]) - len(strings.TrimLeft(lines[i], " "))
	end := i + 1
	for end < len(lines) && lines[end] != "---" && lines[end] != "" && len(lines[end])-len(strings.TrimLeft(lines[end], " ")) > indent {
		end++
	}
	lines = slices.Delete(lines, i, end)
	// Removing the only item would leave a key without a value.
	if i > 0 && indent > 0 && strings.HasSuffix(lines[i-1], ":") && (i == len(lines) || !strings.HasPrefix(lines[i], strings.Repeat(" ", indent))) {
		lines = slices.Delete(lines, i-1, i)
	}
	return lines
}

// inlineLink matches a link or an image in Markdown, and captures the "!" of an image, the text, and the address.
var inlineLink = lazyregexp.New(`(!?)\[((?:[^\[\]\\]|\\.|!?\[[^\[\]]*\](?:\([^()]*\))?)*)\]\((<[^<>]*>|(?:[^()\s]|\([^()\s]*\))*)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\)`)

// unlinked returns line with the link or image at column col replaced by its text. If neither is at col, it replaces
// the first link or image in the line. If the address of a link has a path and a fragment, it removes only the
// fragment. If the line has no links, it escapes the character at col.
func unlinked(line string, col int) string {
	at := byteOf(line, col)
	all := inlineLink.FindAllStringSubmatchIndex(line, -1)
	if len(all) == 0 {
		return escapedAt(line, col)
	}
	best := all[0]
	for _, m := range all {
		if m[0] <= at && at < m[1] {
			best = m
		}
	}
	words, address := line[best[4]:best[5]], line[best[6]:best[7]]
	if page, _, anchored := strings.Cut(address, "#"); anchored && page != "" && best[2] == best[3] {
		return line[:best[6]] + page + line[best[7]:]
	}
	if strings.TrimSpace(words) == "" {
		words = convert.CodeSpan(strings.Trim(address, "<>"))
	}
	return line[:best[0]] + words + line[best[1]:]
}

// byteOf returns the byte offset of column col in line. Columns count characters from 1.
func byteOf(line string, col int) int {
	for i := range line {
		if col--; col <= 0 {
			return i
		}
	}
	return len(line)
}

// escapedAt returns line with the character at column col escaped if it is an unescaped syntax character.
func escapedAt(line string, col int) string {
	i := byteOf(line, col)
	if i >= len(line) || !strings.ContainsRune("<>[]{}:!%&*_`|#$", rune(line[i])) || i > 0 && line[i-1] == '\\' {
		return line
	}
	return line[:i] + `\` + line[i:]
}

// wholeLine returns text with all syntax escaped on the lines of the page body that have problems.
func wholeLine(text string, problems []site.Problem) string {
	front, _ := splitPage(text)
	head, lines := strings.Count(front, "\n"), strings.Split(text, "\n")
	for _, p := range problems {
		if i := p.Line - 1; i >= head && i < len(lines) && strings.HasSuffix(p.Path, ".md") {
			start := convert.Containers(lines[i])
			lines[i] = start + escapedText(lines[i][len(start):])
		}
	}
	return strings.Join(lines, "\n")
}

// escapedText returns s with the syntax of Markdown, components, and facts escaped.
func escapedText(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if strings.IndexByte("<>[]{}:!*_`#&$", s[i]) >= 0 && (i == 0 || s[i-1] != '\\') {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// bodyAsCode returns the page with its body as a code block, or text unchanged if no problem is in the body.
func bodyAsCode(text string, problems []site.Problem) string {
	if !strings.HasSuffix(problems[0].Path, ".md") {
		return text
	}
	front, body := splitPage(text)
	head := strings.Count(front, "\n")
	if !slices.ContainsFunc(problems, func(p site.Problem) bool { return p.Line > head }) {
		return text
	}
	return front + "\n" + convert.CodeFence("text", strings.ReplaceAll(strings.TrimSpace(body), "{{", "{ {")) + "\n"
}

// titleOnly returns the page with only the title, the date, and the layout in its front matter.
func titleOnly(text string, problems []site.Problem) string {
	front, body := splitPage(text)
	if front == "" || !strings.HasSuffix(problems[0].Path, ".md") {
		return text
	}
	kept := "---\n"
	for line := range strings.Lines(front) {
		if key, _, _ := strings.Cut(line, ":"); key == "title" || key == "date" || key == "layout" {
			kept += line
		}
	}
	return kept + "---\n" + body
}
