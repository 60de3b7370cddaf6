package kinds

import (
	"strconv"
	"strings"
	"unicode"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/migrate/source"

	"golang.org/x/net/html"
)

// confluenceMacro returns the function that replaces n if n is a macro, and nil otherwise.
func confluenceMacro(n *html.Node) func(*html.Node) {
	switch {
	case hasClass(n, "confluence-information-macro"):
		return informationMacro
	case hasClass(n, "code", "preformatted") && hasClass(n, "panel"):
		return codeMacro
	case hasClass(n, "panel"):
		return panelMacro
	case hasClass(n, "expand-container"):
		return expandMacro
	case hasClass(n, "inline-task-list"):
		return taskList
	case hasClass(n, "aui-lozenge"):
		return lozenge
	case hasClass(n, "emoticon"):
		return emoticon
	case hasClass(n, "plugin_attachments_container"):
		return attachmentList
	}
	return nil
}

// informationKinds maps box classes to alert kinds. Confluence's note is yellow, and its warning is red.
var informationKinds = map[string]string{"information": "note", "tip": "tip", "note": "warning", "warning": "caution"}

func informationMacro(n *html.Node) {
	kind := "note"
	for word := range strings.FieldsSeq(attr(n, "class")) {
		if rest, ok := strings.CutPrefix(word, "confluence-information-macro-"); ok && informationKinds[rest] != "" {
			kind = informationKinds[rest]
		}
	}
	box := newElement("aside", "class", "alert "+kind)
	if title := firstClass(n, "title"); title != nil && title.Parent == n {
		setAttr(box, "data-title", wordsIn(title))
		remove(title)
	}
	moveChildren(n, box)
	replaceWith(n, box)
}

// panelMacro turns a panel into an alert box with the panel's title.
func panelMacro(n *html.Node) {
	box := newElement("aside", "class", "alert note")
	if head := firstClass(n, "panelHeader"); head != nil {
		setAttr(box, "data-title", wordsIn(head))
		remove(head)
	}
	moveChildren(n, box)
	replaceWith(n, box)
}

func expandMacro(n *html.Node) {
	box, summary := newElement("details"), newElement("summary")
	control, content := firstClass(n, "expand-control"), firstClass(n, "expand-content")
	if control != nil {
		summary.AppendChild(textElement(source.Fallback(wordsIn(control), "More")))
		remove(control)
	}
	box.AppendChild(summary)
	if content == nil {
		content = n
	}
	moveChildren(content, box)
	replaceWith(n, box)
}

// taskList inserts a check box, "[ ]" or "[x]", before the text of each task.
func taskList(n *html.Node) {
	for item := range n.ChildNodes() {
		if item.Type == html.ElementNode && item.Data == "li" {
			state := "[ ] "
			if hasClass(item, "checked") {
				state = "[x] "
			}
			item.InsertBefore(textElement(state), item.FirstChild)
		}
	}
}

func lozenge(n *html.Node) {
	badge := newElement("span", "class", "badge")
	badge.AppendChild(textElement(wordsIn(n)))
	replaceWith(n, badge)
}

// attachmentList turns a table of attachments into a list of links, without its controls.
func attachmentList(n *html.Node) {
	list := newElement("ul")
	for _, a := range all(n, func(a *html.Node) bool { return a.Data == "a" && hasClass(a, "filename") }) {
		item, link := newElement("li"), newElement("a", "href", attr(a, "href"))
		link.AppendChild(textElement(wordsIn(a)))
		item.AppendChild(link)
		list.AppendChild(item)
	}
	replaceWith(n, list)
}

// codeMacro turns a code block into a <pre> element with the block's language and title as attributes.
func codeMacro(n *html.Node) {
	pre := first(n, "pre")
	if pre == nil {
		unwrap(n)
		return
	}
	block := newElement("pre")
	if language := brush(attr(pre, "data-syntaxhighlighter-params"), allText(pre)); language != "" {
		setAttr(block, "class", "language-"+language)
	}
	for _, class := range []string{"codeHeader", "preformattedHeader", "panelHeader"} {
		if head := firstClass(n, class); head != nil && attr(block, "data-title") == "" {
			setAttr(block, "data-title", wordsIn(head))
		}
	}
	moveChildren(pre, block)
	replaceWith(n, block)
}

var (
	brushName = lazyregexp.New(`brush:\s*([\w#+-]+)`)
	javaCode  = lazyregexp.New(`(?m)\b(?:class|import|package|public|private|protected|void|new|return)\b[^\n]*[;{]|^\s*@\w+`)
)

// brush returns the language of a code block. Confluence also marks blocks without a language as Java, so brush returns
// Java only if the code looks like Java.
func brush(parameters, code string) string {
	m := brushName.FindStringSubmatch(parameters)
	if m == nil {
		return ""
	}
	switch name := strings.ToLower(m[1]); name {
	case "java":
		if !javaCode.MatchString(code) {
			return ""
		}
		return name
	case "text", "plain", "none":
		return ""
	case "py":
		return "python"
	case "c#":
		return "csharp"
	case "jscript", "js":
		return "javascript"
	case "cpp", "c++":
		return "cpp"
	case "html/xml":
		return "xml"
	default:
		return strings.Trim(name, "#+")
	}
}

// emoticons maps the names of Confluence's emoticon images to characters.
var emoticons = map[string]string{
	"tick": "✅", "cross": "❌", "warning": "⚠️", "information": "ℹ️", "plus": "➕", "minus": "➖", "question": "❓", "light-on": "💡", "light-off": "💡",
	"yellow-star": "⭐", "red-star": "⭐", "green-star": "⭐", "thumbs-up": "👍", "thumbs-down": "👎", "smile": "🙂", "sad": "🙁", "cheeky": "😛",
	"laugh": "😄", "wink": "😉", "heart": "❤️", "broken-heart": "💔",
}

// emoticon replaces the image of an emoji with the character or, if there is none, with the image's alt text.
func emoticon(n *html.Node) {
	text := codePoints(attr(n, "data-emoji-id"))
	if text == "" {
		text = emoticons[attr(n, "data-emoticon-name")]
	}
	for word := range strings.FieldsSeq(attr(n, "class")) {
		if text == "" {
			text = emoticons[strings.TrimPrefix(word, "emoticon-")]
		}
	}
	if text == "" {
		text = attr(n, "alt")
	}
	replaceWith(n, textElement(text))
}

// codePoints returns the characters for the hyphen-separated hexadecimal code points in id, or "" if id isn't such a
// list.
func codePoints(id string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(id, "-") {
		n, err := strconv.ParseUint(part, 16, 21)
		if err != nil || len(part) < 4 || n > unicode.MaxRune {
			return ""
		}
		b.WriteRune(rune(n))
	}
	return b.String()
}
