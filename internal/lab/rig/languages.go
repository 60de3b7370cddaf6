package rig

import (
	_ "embed"

	"golang.org/x/tools/txtar"
)

//go:embed languages.txtar
var languages []byte

// LanguagesSite returns the files of a small, complete site in English, German, Japanese, and Arabic, keyed by name.
// All content is translated into German, and some of it into Japanese and Arabic.
func LanguagesSite() map[string]string { return filesOf(languages) }

//go:embed path.txtar
var path []byte

// PathBase is the base URL of PathSite.
const PathBase = "https://user.example/atelier"

// PathSite returns the files of a small, complete site under a base path, keyed by name. It is in French, English,
// Arabic, and Japanese, with prices in dinars and partly translated facts that contain the site's URLs.
func PathSite() map[string]string { return filesOf(path) }

//go:embed versions.txtar
var versions []byte

// VersionsSite returns the files of a small, complete site with versioned documentation, keyed by name.
func VersionsSite() map[string]string { return filesOf(versions) }

func filesOf(archive []byte) map[string]string {
	files := make(map[string]string)
	for _, f := range txtar.Parse(archive).Files {
		files[f.Name] = string(f.Data)
	}
	return files
}
