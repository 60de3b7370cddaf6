package site

import "golang.org/x/text/language"

// Direction returns the writing direction of a language as a value of HTML's dir attribute, "ltr" or "rtl". It depends
// on the script in the tag or, if the tag has no script, on the language's most likely script according to CLDR.
func Direction(tag string) string {
	script, _ := language.Make(tag).Script()
	switch script.String() {
	// Scripts whose characters have the bidirectional class R or AL (UAX #9), starting with living languages.
	case "Arab", "Aran", "Hebr", "Thaa", "Syrc", "Nkoo", "Adlm", "Rohg", "Mand", "Mend", "Samr", "Yezi",
		"Armi", "Avst", "Chrs", "Cprt", "Elym", "Gara", "Hatr", "Hung", "Khar", "Lydi", "Mani", "Merc", "Mero", "Narb", "Nbat",
		"Orkh", "Ougr", "Palm", "Phli", "Phlp", "Phnx", "Prti", "Sarb", "Sogd", "Sogo":
		return "rtl"
	}
	return "ltr"
}
