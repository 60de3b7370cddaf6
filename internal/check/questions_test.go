package check

import (
	"testing"
)

// Answers are found as complete words, regardless of Markdown syntax, case, and line breaks. In scripts without spaces
// between words, answers are found anywhere. A match ends after its last character.
func TestReading(t *testing.T) {
	for _, c := range []struct{ text, words, before string }{
		{"Team costs **€49.50** a month.", "team costs €49.50 a month", "Team costs **€49.50** a month"},
		{"It costs €49.50.", "€49", ""},
		{"It costs €49.", "€49", "It costs €49"},
		{"It costs €490.", "€49", ""},
		{"1,200 credits", "200 credits", ""},
		{"1,200 credits", "1,200", "1,200"},
		{"concatenate, cat", "cat", "concatenate, cat"},
		{"cats", "cat", ""},
		{"per [month](https://x.example/a_(b)) and\nseat", "per month and seat", "per [month](https://x.example/a_(b)) and\nseat"},
		{"[Sign up](https://x.example/sign_up?a=b)", "https://x.example/sign_up?a=b", "[Sign up](https://x.example/sign_up?a=b"},
		{"| Team | €49 |", "Team €49", "| Team | €49"},
		{"R\\&D, or R&amp;D", "R&D, or R&D", "R\\&D, or R&amp;D"},
		{"> a quote\n> on two lines", "a quote on two lines", "> a quote\n> on two lines"},
		{"un**limit**ed", "unlimited", "un**limit**ed"},
		{"料金は月額¥980です", "月額¥980", "料金は月額¥980"},
		{"料金は月額¥9800です", "月額¥980", ""},
		{"Acorn을 쓴다", "Acorn", "Acorn"},
		{"cafe\u0301 au lait", "CAFÉ au", "café au"},
		{"C, not C#", "C#", "C, not C#"},
		{"20\u00a0% off", "20 % off", "20\u00a0% off"},
		{"soft\u00adhyphen", "softhyphen", "soft\u00adhyphen"},
		{"", "a", ""},
		{"a", "", ""},
		{"a\xffb a", "b a", "a\xffb a"},
		{"](", "a", ""},
		{"&", "a", ""},
	} {
		r := newReading([]byte(c.text), false)
		end, ok := r.find(c.words)
		if got := string(r.source[:end]); got != c.before || ok != (c.before != "") {
			t.Errorf("%q in %q: found %t, and read %q until then, want %q", c.words, c.text, ok, got, c.before)
		}
	}
}

// In JSON, strings are decoded, and a match can't span two strings.
func TestReadingJSON(t *testing.T) {
	const text = `{"name": "A \"B\"\nC", "price": 49.50, "free": true, "url": "https:\/\/x.example"}`
	for words, before := range map[string]string{
		`A "B" C`:           `{"name": "A \"B\"\nC"`,
		"49.50":             `{"name": "A \"B\"\nC", "price": 49.50`,
		"49":                "",
		"C price":           "",
		"free":              `{"name": "A \"B\"\nC", "price": 49.50, "free"`,
		"https://x.example": text[:len(text)-1],
		"true":              `{"name": "A \"B\"\nC", "price": 49.50, "free": true`,
	} {
		r := newReading([]byte(text), true)
		if end, ok := r.find(words); string(r.source[:end]) != before || ok != (before != "") {
			t.Errorf("%q: found %t, and read %q until then, want %q", words, ok, r.source[:end], before)
		}
	}
}

// A search terminates for any text, and returns an offset within the text.
func FuzzReading(f *testing.F) {
	f.Add("a [b](c) &amp; **d**", "b d")
	f.Add(`{"a": [1, "b"]}`, "b")
	f.Fuzz(func(t *testing.T, text, words string) {
		for _, isJSON := range []bool{false, true} {
			r := newReading([]byte(text), isJSON)
			if end, ok := r.find(words); end < 0 || end > len(r.source) || ok && end == 0 {
				t.Fatalf("%q in %q ends at %d", words, text, end)
			}
		}
	})
}
