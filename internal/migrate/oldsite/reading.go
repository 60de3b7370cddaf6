package oldsite

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/lazyregexp"
	"vitrine/internal/load/tree"
	"vitrine/internal/migrate/convert"
	"vitrine/internal/migrate/source"

	bcp "golang.org/x/text/language"
)

// Give sets a front matter key, unless the page already has that key.
func (p *Page) Give(key string, n *tree.Node) {
	if p.Front.Get(key) == nil {
		p.Front.Members = append(p.Front.Members, tree.Member{Key: key, Value: n})
	}
}

// GiveOrder sets the page's order unless its front matter specifies one.
func (p *Page) GiveOrder(place int) {
	if source.TextAt(p.Front, OrderKeys...) == "" {
		p.Give("order", &tree.Node{Kind: tree.Number, Text: strconv.Itoa(place), Number: strconv.Itoa(place)})
	}
}

// GiveOrderText is like GiveOrder, but takes the order as text from front matter.
func (p *Page) GiveOrderText(place string) {
	if source.TextAt(p.Front, OrderKeys...) == "" {
		p.Give("order", &tree.Node{Kind: tree.Number, Text: place, Number: place})
	}
}

// GiveLabel sets the page's sidebar label unless its front matter specifies one.
func (p *Page) GiveLabel(label string) {
	if label != "" && source.TextAt(p.Front, LabelKeys...) == "" {
		p.Give("sidebar_label", source.TextNode(label))
	}
}

// SettingsOf returns the settings in the first existing file in names. It returns an empty map if there is no such
// file. If the file is invalid, SettingsOf also adds a note.
func (im *Site) SettingsOf(names ...string) *tree.Node {
	for i, name := range names {
		names[i] = path.Join(im.Base, name)
	}
	name := im.Src.FirstOf(names...)
	if name == "" {
		return source.EmptyMap()
	}
	im.settingsFile = name
	read, err := im.Src.Data(name)
	if err != nil {
		im.Failed(name, "the settings", err)
	}
	return source.OrMap(read)
}

// JsConfig returns the settings in the first file that contains an object with any of the keys; see convert.JsObject.
// It returns an empty map if there is no such file.
func (im *Site) JsConfig(names []string, keys ...string) *tree.Node {
	for _, name := range names {
		if n := im.Js(path.Join(im.Base, name), keys...); n != nil {
			im.settingsFile = path.Join(im.Base, name)
			return n
		}
	}
	return source.EmptyMap()
}

// Js returns the object in the named program with the most of the given keys; see convert.JsModule. It resolves
// constants in files that the program imports. It returns nil if the program can't be read or no object has any of the
// keys.
func (im *Site) Js(name string, keys ...string) *tree.Node {
	text, err := im.Src.Text(name)
	if err != nil {
		return nil
	}
	return im.JsText(text, path.Dir(name), keys...)
}

// JsDefault returns the default export of the named program, or nil if there is none.
func (im *Site) JsDefault(name string) *tree.Node {
	text, err := im.Src.Text(name)
	if err != nil {
		return nil
	}
	return convert.JsDefault(text)
}

// JsText is like Js, but takes the text of the program, and the folder to which its imports are relative.
func (im *Site) JsText(text, dir string, keys ...string) *tree.Node {
	return convert.JsModule(text, func(other string) string {
		at, ok := source.Inside(dir, other)
		if !ok {
			return ""
		}
		for _, end := range []string{"", ".ts", ".js", ".mts", ".mjs", ".cjs", ".json", "/index.ts", "/index.js", "/index.mts"} {
			if text, err := im.Src.Text(at + end); err == nil {
				return text
			}
		}
		stem, _ := source.CutSuffixes(at, ".js", ".mjs")
		text, err := im.Src.Text(stem + ".ts")
		if err != nil {
			return ""
		}
		return text
	}, keys...)
}

// SettingKeys contains the key of each setting in a generator's configuration. Alternative keys are separated by
// spaces.
type SettingKeys struct{ Url, Base, Title, Description, Language, TimeZone, Repository string }

// ReadSettings sets the site's settings from the generator's configuration. keys specifies the key of each setting.
func (im *Site) ReadSettings(config *tree.Node, keys SettingKeys) {
	at := func(list string) string { return source.TextAt(config, strings.Fields(list)...) }
	im.Config = config
	im.Settings = append(im.Settings, Settings{im.settingsFile, config})
	im.siteAddress(at(keys.Url))
	if base := strings.Trim(at(keys.Base), "/"); base != "" && !strings.Contains(base, ":") {
		im.BasePath = "/" + base
	}
	im.Title, im.Description = at(keys.Title), source.OneLine(at(keys.Description), MaxLine)
	im.Language, im.TimeZone, im.Repository = LanguageTag(at(keys.Language)), at(keys.TimeZone), at(keys.Repository)
}

// siteAddress stores the scheme and host of an address in Url and its path in BasePath. It ignores addresses without a
// scheme.
func (im *Site) siteAddress(s string) {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok || scheme == "" {
		return
	}
	host, rest, _ := strings.Cut(rest, "/")
	im.Url = scheme + "://" + host
	if rest = strings.Trim(rest, "/"); rest != "" {
		im.BasePath = "/" + rest
	}
}

// LanguageTag converts a tag such as "pt_BR" to BCP 47 syntax. It returns "" if the tag is invalid.
func LanguageTag(s string) string {
	if s = strings.ReplaceAll(strings.TrimSpace(s), "_", "-"); bcp47.MatchString(s) {
		return s
	}
	return ""
}

var bcp47 = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)

// Rules describes how the files in a folder become pages and files of the site.
type Rules struct {
	// Route is the prefix of the files' addresses.
	Route string
	// Skip reports whether a file isn't part of the site. name is the path of the file in the source, and rel is its
	// path relative to the folder. If Skip is nil, no file is skipped.
	Skip func(name, rel string) bool
	// Page sets a page's address. rel is the path of the page's file, relative to the folder.
	Page func(p *Page, rel string)
	// File returns the address of a file under the route. If File is nil, the address is the file's path.
	File func(rel string) string
	// Assets omits files that aren't assets (see source.IsAsset). Linked specifies that assets are published only if a
	// page links to them. Files that aren't assets always need such a link.
	Assets, Linked bool
}

// Content adds the pages and the other files in dir to the site, as r specifies.
func (im *Site) Content(dir string, r Rules) {
	im.ContentDirs = append(im.ContentDirs, dir)
	for _, name := range im.Src.Below(dir) {
		rel := strings.TrimPrefix(name, dir+"/")
		switch {
		case r.Skip != nil && r.Skip(name, rel):
		case source.IsPage(name):
			if p, ok := im.ReadPage(name); ok {
				r.Page(p, rel)
				im.Add(p)
			}
		case source.IsAsset(name) || !r.Assets:
			if r.File != nil {
				rel = r.File(rel)
			}
			im.Files = append(im.Files, &File{Source: name, Address: im.BasePath + "/" + path.Join(r.Route, rel), Linked: r.Linked || !source.IsAsset(name)})
		}
	}
}

// SetAddress sets a page's address. at is the page's path without its extension. If the base name of at is one of
// indexes, the page becomes the index of its folder and gets the folder's address. For other pages, the address is at
// followed by end, a suffix such as ".html".
func (im *Site) SetAddress(p *Page, at, end string, indexes ...string) {
	at = strings.TrimPrefix(at, "./")
	if slices.ContainsFunc(indexes, func(s string) bool { return strings.EqualFold(s, path.Base(at)) }) {
		p.Index = true
		p.Address = im.BasePath + strings.TrimSuffix("/"+strings.TrimSuffix(path.Dir(at), "."), "/") + "/"
		return
	}
	p.Address = im.BasePath + "/" + at + end
}

// Statics adds the files in dir, to be copied verbatim, at addresses under below. name is the initial File.Name.
func (im *Site) Statics(dir, below, name string) {
	if !slices.Contains(im.StaticDirs, dir) {
		im.StaticDirs = append(im.StaticDirs, dir)
	}
	for _, f := range im.Src.Below(dir) {
		if len(im.Files) < 2000 && slices.ContainsFunc(im.Files, func(old *File) bool { return old.Source == f }) {
			continue
		}
		im.Files = append(im.Files, &File{Source: f, Address: im.BasePath + path.Join(below, strings.TrimPrefix(f, dir)), Name: name})
	}
}

// Assets adds the assets in dir at addresses under below. dir is a folder from which pages import files, relative to
// the site's folder. An asset is copied only if a page links to it.
func (im *Site) Assets(dir, below string) {
	for _, name := range im.Src.Below(path.Join(im.Base, dir)) {
		if source.IsAsset(name) {
			im.Files = append(im.Files, &File{Source: name, Address: below + strings.TrimPrefix(name, path.Join(im.Base, dir)), Name: "static", Linked: true})
		}
	}
}

// Redirected records a redirect between two addresses of the old site.
func (im *Site) Redirected(from, to string) {
	im.Redirects = append(im.Redirects, [2]string{from, to})
}

// Program adds a note that the named file can't be converted because it is a program. what describes the file's
// content, such as "the page /about".
func (im *Site) Program(name, what string) {
	im.Note(convert.Note{File: name, What: what, Why: "it is a program", Do: "rewrite it as Markdown or as a template"})
}

// Entry adds an entry to the navigation unless its label or its target is "".
func (im *Site) Entry(label, to string) {
	to = strings.TrimPrefix(to, "$BASE_URL") // used in Zola
	if label != "" && to != "" {
		im.Navigation = append(im.Navigation, Item{label, to})
	}
}

// Menu adds the entries in the list n to the navigation. A group links to its first page.
func (im *Site) Menu(n *tree.Node) {
	for _, one := range source.Items(n) {
		to := source.TextAt(one, "url", "path", "link", "to", "href")
		if to == "" {
			to = firstLink(one, 0)
		}
		im.Entry(source.TextAt(one, "name", "title", "label", "text"), to)
	}
}

// firstLink returns the first address in a menu group that isn't on another host, or "" if there is none.
func firstLink(n *tree.Node, depth int) string {
	for _, key := range []string{"items", "children"} {
		for _, one := range source.Items(source.Get(n, key)) {
			// In VuePress, an item may be only the path of a page.
			to := source.Fallback(source.Text(one), source.TextAt(one, "url", "path", "link", "to", "href"))
			if to == "" && depth < 5 {
				to = firstLink(one, depth+1)
			}
			if to != "" && !strings.Contains(to, "://") {
				return to
			}
		}
	}
	return ""
}

// AtSlug returns the page whose address, without the site's base path, is slug, or nil if there is none.
func (im *Site) AtSlug(slug string) *Page {
	want := source.CleanAddress(slug)
	for _, p := range im.Pages {
		if source.CleanAddress(im.Strip(p.Address)) == want {
			return p
		}
	}
	return nil
}

// Folder returns the pages in a source folder and its subfolders, sorted by folder, order, and name.
func (im *Site) Folder(dir string) (list []*Page) {
	for _, p := range im.Pages {
		if strings.HasPrefix(p.Source, dir+"/") || dir == "." {
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, func(a, b *Page) int {
		if at, bt := path.Dir(a.Source), path.Dir(b.Source); at != bt {
			return strings.Compare(at, bt)
		}
		return cmp.Or(cmp.Compare(ownPlace(a), ownPlace(b)), strings.Compare(a.Source, b.Source))
	})
	return list
}

// ownPlace returns the order in the page's front matter. If the front matter specifies no order, ownPlace returns a
// value that sorts an index page first and other pages last.
func ownPlace(p *Page) float64 {
	if n, err := strconv.ParseFloat(source.TextAt(p.Front, OrderKeys...), 64); err == nil {
		return n
	}
	if p.Index {
		return -1
	}
	return 1e9
}

// LocaleFolders adds the languages with a folder under dir, except the main language. The keys of locales are the names
// of the language folders. If locales is empty, a folder is a language folder if its name is a language tag and it has
// an index page.
func (im *Site) LocaleFolders(dir string, locales map[string]string) {
	seen := map[string]bool{}
	for _, name := range im.Src.Below(dir) {
		first, _, below := strings.Cut(strings.TrimPrefix(name, dir+"/"), "/")
		if !below || seen[first] {
			continue
		}
		seen[first] = true
		lang, known := locales[first]
		if !known && (len(locales) > 0 || !IsLocale(first) || im.Src.FirstOf(path.Join(dir, first, "index.md"), path.Join(dir, first, "index.mdx")) == "") {
			continue
		}
		if !strings.EqualFold(first, im.Language) && !strings.EqualFold(lang, im.Language) {
			im.Languages = append(im.Languages, Language{Tag: first})
		}
	}
}

// IsLocale reports whether a folder's name is a language tag. It rejects three-letter languages, because such names are
// usually words, such as "api".
func IsLocale(name string) bool {
	if !localeName.MatchString(name) {
		return false
	}
	_, err := bcp.Parse(name)
	return err == nil
}

var localeName = lazyregexp.New(`^[a-z]{2}(?:-[A-Za-z]{2,4})?$`)

// LabelKeys and OrderKeys are the front matter keys of a page's label and position in sidebars.
var (
	LabelKeys = []string{"linkTitle", "sidebar_label", "sidebar/label", "nav_title", "short_title", "menuTitle", "sidebarTitle"}
	OrderKeys = []string{"weight", "sidebar_position", "nav_order", "order", "sidebar/order", "position"}
)

// Maximum lengths of front matter values, in characters; see internal/load.
const (
	MaxTitle = 300
	MaxTag   = 100
	MaxLine  = 2000
)
