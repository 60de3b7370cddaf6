package rig

import (
	_ "embed"

	"golang.org/x/tools/txtar"
)

//go:embed languages.txtar
var languages []byte

// LanguagesSite is a small, whole site in English, German, Japanese and Arabic, by the names of its files: all of it is
// there in German, and some in Japanese and Arabic.
func LanguagesSite() map[string]string {
	files := make(map[string]string)
	for _, f := range txtar.Parse(languages).Files {
		files[f.Name] = string(f.Data)
	}
	return files
}
