package drift

import (
	"strings"
	"testing"

	values "vitrine/internal/facts"
	"vitrine/internal/markdown"
	"vitrine/internal/site"
)

// checkIn checks text in the given language for a product with the plans Starter (49.50), Team (1299), and Scale
// (12800).
func checkIn(t *testing.T, language, currency, text string) []site.Problem {
	t.Helper()
	p := site.Product{Name: "Acorn", Pricing: site.Pricing{Currency: currency, Plans: []site.Plan{
		{Name: "Starter", MonthlyPrice: "49.50"}, {Name: "Team", MonthlyPrice: "1299", YearlyPrice: "13000"}, {Name: "Scale", MonthlyPrice: "12800"},
	}}, Facts: new(site.Fact)}
	original := p
	switch language {
	case "de":
		p.Pricing.Plans = append([]site.Plan(nil), p.Pricing.Plans...)
		p.Pricing.Plans[0].Name = "Einstieg"
	case "ja":
		p.Pricing.Plans = append([]site.Plan(nil), p.Pricing.Plans...)
		p.Pricing.Plans[0].Name = "スターター"
	}
	doc := markdown.New(markdown.Options{}).WithFacts(values.Translated(language, &p, "en", &original)).Parse("content/x.md", []byte(text), 0)
	return NewIn(language, &p, &original).Page(&site.Page{Source: "content/x.md"}, doc, nil)
}

func TestDriftInLanguages(t *testing.T) {
	for _, test := range []struct {
		language, currency, text string
		// wrong is the reported amount, or "" for no report.
		wrong string
	}{
		{"de", "EUR", "Team kostet 1.399,00 € im Monat.", "1.399,00 €"},
		{"de", "EUR", "Der Tarif Team kostet nur 1399 Euro pro Monat.", "1399 Euro"},
		{"de", "EUR", "Das Einstieg-Paket gibt es für 59,- €/Monat.", "59,- €"},
		{"de", "EUR", "Der Starter-Tarif: 59 € monatlich.", "59 €"},
		{"de", "EUR", "| Tarif | Preis |\n|---|---|\n| Einstieg | 59 € |\n| Team | 1.299 € |", "59 €"},
		{"de", "EUR", "Team kostet 1.299,00 € im Monat, Einstieg 49,50 €.", ""},
		{"de", "EUR", "Einstieg kostet 49,50 € im Monat.", ""},
		{"de-AT", "EUR", "Team kostet € 1.399 pro Monat.", "€ 1.399"},
		{"de-CH", "CHF", "Team kostet CHF 1’399.– im Monat.", "CHF 1’399.–"},
		{"fr", "EUR", "L’offre Team coûte 1 399 € par mois.", "1 399 €"},
		{"fr", "EUR", "L’offre Team coûte 1 299,00 € par mois.", ""},
		{"fr", "EUR", "L’offre Team coûte 1\u202f399,00\u00a0€ par mois.", "1\u202f399,00\u00a0€"},
		{"es", "EUR", "El plan Team cuesta 1399 € al mes.", "1399 €"},
		{"it", "EUR", "Il piano Team costa 1.399 euro al mese.", "1.399 euro"},
		{"pt", "BRL", "O plano Team custa R$ 1.399,00 por mês.", "R$ 1.399,00"},
		{"nl", "EUR", "Team kost € 1.399,- per maand.", "€ 1.399,-"},
		{"pl", "PLN", "Plan Team kosztuje 1399 zł miesięcznie.", "1399 zł"},
		{"ja", "JPY", "Scaleプランは月額¥13,800です。", "¥13,800"},
		{"ja", "JPY", "Scaleプランは月額１３，８００円です。", "１３，８００円"},
		{"ja", "JPY", "Scaleプランは月額12,800円です。", ""},
		{"ja", "EUR", "スタータープランは月額59ユーロです。", "59ユーロ"},
		{"zh", "CNY", "Scale方案每月¥13,800。", "¥13,800"},
		{"zh-TW", "CNY", "Scale 方案每月 13,800 元。", "13,800 元"},
		{"ko", "KRW", "Scale 요금제는 월 13,800원입니다.", "13,800원"},
		{"ar", "EUR", "خطة Team تكلف ١٣٩٩ يورو شهريًا.", "١٣٩٩ يورو"},
		{"ar", "EUR", "خطة Team تكلف ١٬٢٩٩٫٠٠ يورو شهريًا.", ""},
		{"ar", "EUR", "خطة Team تكلف 1,399 € شهريًا.", "1,399 €"},
		{"he", "ILS", "תוכנית Team עולה 1,399 ₪ לחודש.", "1,399 ₪"},
		// Unknown languages: tables that are evidently about prices.
		{"sv", "SEK", "| A | B |\n|---|---|\n| Starter | 49,50 kr |\n| Team | 1 299 kr |\n| Scale | 13 800 kr |", "13 800 kr"},
		{"sv", "SEK", "| A | B |\n|---|---|\n| Starter | 59 kr |\n| Team | 1 399 kr |\n| Scale | 12 800 kr |", ""},
		{"sv", "SEK", "| A | B | C |\n|---|---|---|\n| Starter | 49,50 kr | 45 kr |\n| Team | 1 299 kr | 1 199 kr |\n| Scale | 12 800 kr | 11 000 kr |", ""},
		{"sv", "SEK", "Team kostar 1 399 kr i månaden.", ""},
		{"hi", "INR", "| A | B |\n|---|---|\n| Starter | ₹४९.५० |\n| Team | ₹1,299 |\n| Scale | ₹१३,८०० |", "₹१३,८००"},
		{"tlh", "EUR", "| A | B |\n|---|---|\n| Starter | 49.50 € |\n| Team | 1299 € |\n| Scale | 13 € |", ""},
		// Amounts that aren't today's monthly price.
		{"de", "EUR", "Ein Team zahlt im Schnitt 80 € im Monat.", ""},
		{"de", "EUR", "Ein Team kostet 80 € im Monat.", ""},
		{"de", "EUR", "Team kostet 99 € pro Person im Monat.", ""},
		{"de", "EUR", "Bis 2025 kostete Team 999 € im Monat.", ""},
		{"de", "EUR", "Team kostet 990 € im Monat, wenn jährlich bezahlt wird.", ""},
		{"de", "EUR", "Team spart 200 € im Monat.", ""},
		{"de", "EUR", "Team kostet 100–200 € im Monat.", ""},
		{"de", "EUR", "Team kostet +200 € im Monat.", ""},
		{"de", "EUR", "Team kostet 1.399 $ im Monat.", ""},
		{"de", "EUR", "Team: seit 1.3.2026, Version 2.0.1, Telefon 030 1234567.", ""},
		{"de", "EUR", "Team 2026 kostet 12.03.2026 im Monat.", ""},
		{"de", "EUR", "| Tarif | Preis pro Jahr |\n|---|---|\n| Einstieg | 490 € |\n| Team | 12.990 € |", ""},
		{"de", "EUR", "| Tarif | Preis pro Nutzer |\n|---|---|\n| Einstieg | 4 € |", ""},
		{"de", "EUR", "| Tarif | Preis |\n|---|---|\n| Team | 13.000 € |", ""},
		{"de", "EUR", "Team kostet 1.399 € im Monat. {{ meant }}", ""},
		{"de", "EUR", "Team kostet {{ price \"Einstieg\" }} im Monat.", ""},
		{"fr", "EUR", "En 2025, l’offre Team coûtait 999 € par mois.", ""},
		{"fr", "EUR", "Offre Team : 06 12 34 56 78, version 3.2, 12/05/2026.", ""},
		{"fr", "EUR", "L’offre Team coûte 12 990 € par an.", ""},
		{"ja", "JPY", "以前、Scaleプランは月額9,800円でした。", ""},
		{"ja", "JPY", "Scaleプランは1人あたり月額9,800円です。", ""},
		{"ja", "JPY", "Scaleプランは2026年5月1日に始まります。電話は03-1234-5678です。", ""},
		{"ja", "JPY", "Scaleプランは月額約1万2千円です。", ""},
		{"ja", "EUR", "スターターキットは月額59ユーロです。", ""},
		{"zh", "CNY", "Scale方案原价每月¥9,800。", ""},
		{"ko", "KRW", "Scale 요금제는 1인당 월 9,800원입니다.", ""},
		{"ar", "EUR", "كانت خطة Team تكلف 999 يورو شهريًا.", ""},
		{"ar", "EUR", "خطة Team: الإصدار 2.0، الهاتف 0123 456 789، 01/05/2026.", ""},
		{"he", "ILS", "תוכנית Team עולה 99 ₪ לחודש לכל משתמש.", ""},
	} {
		var wrong []string
		for _, p := range checkIn(t, test.language, test.currency, test.text) {
			_, amount, _ := strings.Cut(p.Text, `"`)
			amount, _, _ = strings.Cut(amount, `" is`)
			wrong = append(wrong, strings.NewReplacer(`\u00a0`, "\u00a0", `\u202f`, "\u202f").Replace(amount))
		}
		if got := strings.Join(wrong, ", "); got != test.wrong {
			t.Errorf("%s, %s: %q: reported %q, want %q", test.language, test.currency, test.text, got, test.wrong)
		}
	}
}

// Knows returns an extent for every language, including regional and unknown ones.
func TestKnows(t *testing.T) {
	for language, want := range map[string]Extent{
		"en": Everything, "en-GB": Everything, "de": Prices, "de-CH": Prices, "pt-BR": Prices, "zh-Hant-TW": Prices, "ja": Prices,
		"sv": Tables, "hi": Tables, "fa": Tables, "tlh": Nothing,
	} {
		if got := Knows(language); got != want {
			t.Errorf("of %s, %d is looked at, want %d", language, got, want)
		}
	}
}
