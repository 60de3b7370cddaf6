package rig

import (
	_ "embed"

	"golang.org/x/tools/txtar"
)

//go:embed languages.txtar
var languages []byte

// LanguagesSite is a small, whole site in English, German, Japanese and Arabic, by the names of its files: all of it is
// there in German, and some in Japanese and Arabic.
func LanguagesSite() map[string]string { return filesOf(languages) }

//go:embed path.txtar
var path []byte

// PathBase is the base URL of PathSite.
const PathBase = "https://user.example/atelier"

// PathSite is a small, whole site under a path, by the names of its files: in French, English, Arabic, and Japanese, with
// prices in dinars, and with facts that name the site's own URLs and are not all translated.
func PathSite() map[string]string { return filesOf(path) }

//go:embed versions.txtar
var versions []byte

// VersionsSite is a small, whole site with versions of its documentation, by the names of its files.
func VersionsSite() map[string]string { return filesOf(versions) }

func filesOf(archive []byte) map[string]string {
	files := make(map[string]string)
	for _, f := range txtar.Parse(archive).Files {
		files[f.Name] = string(f.Data)
	}
	return files
}
