package render

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/currency"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"

	"vitrine/internal/site"
)

// newFunctions returns what templates can call, in HTML and in Markdown alike.
func newFunctions(s *site.Site, assets []asset) map[string]any {
	money := newMoney(s.Config.Language, s.Product.Pricing.Currency)
	return map[string]any{
		"asset":    func(name string) (string, error) { return assetPath(assets, name) },
		"abs":      func(path string) string { return absolute(s.Config.BaseURL, path) },
		"price":    money.format,
		"isoDate":  func(t time.Time) string { return t.Format(time.DateOnly) },
		"longDate": func(t time.Time) string { return t.Format("2 January 2006") },
		"mdtext":   markdownText,
		"mdcell":   func(text string) string { return strings.ReplaceAll(markdownText(text), "|", `\|`) },
		"mdurl":    markdownURL,
	}
}

// assetPath finds the published path of an asset by the name of its source.
func assetPath(assets []asset, name string) (string, error) {
	stem, extension := splitExtension(name)
	for _, a := range assets {
		if strings.HasPrefix(a.path, "/assets/"+stem+".") && strings.HasSuffix(a.path, extension) {
			return a.path, nil
		}
	}
	return "", fmt.Errorf("there is no %s among the theme's assets", name)
}

// absolute makes an absolute URL of a decoded path on the site, and leaves
// what is one already.
func absolute(baseURL, path string) string {
	if !strings.HasPrefix(path, "/") {
		return path
	}
	return baseURL + (&url.URL{Path: path}).EscapedPath()
}

// money formats amounts in one currency and language.
type money struct {
	printer *message.Printer
	symbol  string
	// before says that the symbol stands before the amount.
	before bool
}

func newMoney(tag, code string) money {
	lang := language.Make(tag)
	m := money{printer: message.NewPrinter(lang), symbol: code + "\u00a0"}
	if unit, err := currency.ParseISO(code); err == nil {
		m.symbol = m.printer.Sprint(currency.NarrowSymbol(unit))
	}
	base, _ := lang.Base()
	switch base.String() {
	case "en", "ja", "zh", "ko", "ga", "mt", "th", "hi":
		m.before = true
	}
	if len(m.symbol) == len(code) && m.before && m.symbol == code {
		m.symbol += "\u00a0"
	}
	return m
}

// format writes an amount with as many decimals as the editor gave it: 49 is
// €49, and 49.50 is €49.50.
func (m money) format(amount string) (string, error) {
	value, err := strconv.ParseFloat(amount, 64)
	if err != nil {
		return "", fmt.Errorf("%q is not an amount", amount)
	}
	decimals := 0
	if _, fraction, ok := strings.Cut(amount, "."); ok {
		decimals = len(fraction)
	}
	written := m.printer.Sprint(number.Decimal(value, number.Scale(decimals)))
	if m.before {
		return m.symbol + written, nil
	}
	return written + "\u00a0" + strings.TrimSpace(m.symbol), nil
}

// markdownText escapes a line of plain text, so that it reads the same as
// Markdown. Line breaks become spaces, and a URL becomes an autolink.
func markdownText(text string) string {
	var b strings.Builder
	b.Grow(len(text) + 8)
	for i, word := range strings.Fields(text) {
		if i > 0 {
			b.WriteByte(' ')
		}
		if strings.HasPrefix(word, "https://") || strings.HasPrefix(word, "http://") {
			link := strings.TrimRight(word, ".,;:!?)\"'")
			b.WriteString("<" + markdownURL(link) + ">")
			word = word[len(link):]
			escapeWord(&b, word, false)
			continue
		}
		escapeWord(&b, word, i == 0)
	}
	return b.String()
}

// escapeWord writes a word with a backslash before what Markdown would read as
// its own. first says that the word begins the line, where more is.
func escapeWord(b *strings.Builder, word string, first bool) {
	for i, r := range word {
		switch r {
		case '\\', '`', '*', '_', '[', ']', '<', '~':
			b.WriteByte('\\')
		case '&':
			if entityFollows(word[i+1:]) {
				b.WriteByte('\\')
			}
		case '#', '+', '-', '>':
			if first && i == 0 {
				b.WriteByte('\\')
			}
		case '.', ')':
			if first && i > 0 && strings.Trim(word[:i], "0123456789") == "" {
				b.WriteByte('\\')
			}
		}
		b.WriteRune(r)
	}
}

// entityFollows reports whether what follows an ampersand makes it a character
// reference.
func entityFollows(rest string) bool {
	end := strings.IndexByte(rest, ';')
	return end > 0 && strings.Trim(rest[:end], "#0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// markdownURL makes a URL safe to stand between parentheses or angle brackets.
func markdownURL(link string) string {
	if !strings.ContainsAny(link, "()<> ") {
		return link
	}
	return strings.NewReplacer("(", "%28", ")", "%29", "<", "%3C", ">", "%3E", " ", "%20").Replace(link)
}
