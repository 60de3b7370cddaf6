package site

import "golang.org/x/text/language"

// Direction is the way in which a language is written, "ltr" or "rtl", as the dir attribute of HTML says it. It follows
// the script that the tag names, else the one that the language is usually written in (CLDR's likely subtags).
func Direction(tag string) string {
	script, _ := language.Make(tag).Script()
	switch script.String() {
	// The scripts whose letters have the bidirectional class R or AL (UAX #9), those of living languages first.
	case "Arab", "Aran", "Hebr", "Thaa", "Syrc", "Nkoo", "Adlm", "Rohg", "Mand", "Mend", "Samr", "Yezi",
		"Armi", "Avst", "Chrs", "Cprt", "Elym", "Gara", "Hatr", "Hung", "Khar", "Lydi", "Mani", "Merc", "Mero", "Narb", "Nbat",
		"Orkh", "Ougr", "Palm", "Phli", "Phlp", "Phnx", "Prti", "Sarb", "Sogd", "Sogo":
		return "rtl"
	}
	return "ltr"
}
