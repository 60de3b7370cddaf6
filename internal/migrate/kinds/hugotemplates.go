package kinds

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"vitrine/internal/migrate/source"
)

// readTemplates reads the shortcode templates and translated strings in the folder of a site or theme. Templates and
// strings read earlier take precedence.
func (site *HugoSite) readTemplates(src *source.Folder, root string) {
	for _, dir := range []string{"layouts/shortcodes", "layouts/_shortcodes"} {
		dir = path.Join(root, dir)
		for _, name := range src.Below(dir) {
			stem := pageStem(strings.TrimPrefix(name, dir+"/"))
			if extension := path.Ext(name); site.Own[stem] != "" || extension != ".html" && extension != ".md" {
				continue
			}
			if text, err := src.Text(name); err == nil {
				site.Own[stem] = text
			}
		}
	}
	for _, name := range src.Below(path.Join(root, "i18n")) {
		if slices.Contains(dataFiles, path.Ext(name)) {
			site.readPhrases(src, name)
		}
	}
}

// readPhrases reads a file of translations. The name of the file is its language. A translation is a string, or a map
// of plural forms. Old files contain a list of maps.
func (site *HugoSite) readPhrases(src *source.Folder, name string) {
	data, err := src.Data(name)
	if err != nil {
		return
	}
	language := strings.ToLower(source.Stem(name))
	if site.Phrases[language] == nil {
		site.Phrases[language] = map[string]string{}
	}
	add := func(key, text string) {
		if site.Phrases[language][key] == "" {
			site.Phrases[language][key] = text
		}
	}
	for _, m := range source.Members(data) {
		add(m.Key, source.Fallback(source.Text(m.Value), source.TextAt(m.Value, "other")))
	}
	for _, n := range source.Items(data) {
		add(source.TextAt(n, "id"), source.TextAt(n, "translation", "translation/other"))
	}
}

// phrase returns a translated string in the page's language or, if there is none, in the site's main language. It
// returns an error if there is neither.
func (site *HugoSite) phrase(page, key string) (string, error) {
	for _, language := range []string{site.languageOf(page), site.language} {
		if text := site.Phrases[strings.ToLower(language)][key]; text != "" {
			return text, nil
		}
	}
	return "", fmt.Errorf("unknown string %q", key)
}

// languageOf returns the language of a page: the language in the suffix of its file name, the language of its folder,
// or the main language, in that order.
func (site *HugoSite) languageOf(page string) string {
	suffix := strings.TrimPrefix(path.Ext(source.Stem(page)), ".")
	for _, root := range site.roots {
		if strings.EqualFold(root.tag, suffix) {
			return root.tag
		}
	}
	for _, root := range site.roots {
		if strings.HasPrefix(page, path.Join(site.base, root.dir)+"/") {
			return root.tag
		}
	}
	return site.language
}
