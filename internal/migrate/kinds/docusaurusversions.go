package kinds

import (
	"path"
	"slices"
	"strings"

	"vitrine/internal/load/tree"
	"vitrine/internal/migrate/oldsite"
	"vitrine/internal/migrate/source"
)

// docsVersion is a version of the documentation of a Docusaurus site. dir is the version's folder in the site, and
// folder is the name of its folder in translations. route is the version's address without the leading slash, and
// sidebars are the possible files of its sidebar.
type docsVersion struct {
	dir, folder, route string
	sidebars           []string
	oldsite.Version
}

// docusaurusVersions returns the versions of the main documentation, starting with the version at the documentation's
// address. The result is empty if the site has no versions, the import omits versions, or the documentation is at the
// root, where Vitrine doesn't support versions.
func docusaurusVersions(im *oldsite.Site, part docsPart) (list []docsVersion) {
	if !im.AllVersions || part.route == "" || source.TruthAt(part.options, "disableVersioning") {
		return nil
	}
	read, err := im.Src.Data(path.Join(im.Base, "versions.json"))
	if err != nil {
		return nil
	}
	names := source.Texts(read)
	if len(names) == 0 {
		return nil
	}
	newest := names[0]
	if !source.IsFalse(source.Get(part.options, "includeCurrentVersion")) {
		names = append([]string{"current"}, names...)
	}
	last := source.TextAt(part.options, "lastVersion")
	if !slices.Contains(names, last) {
		last = newest
	}
	for _, name := range names {
		v := versionOf(part, name, last)
		if dir, ok := source.Inside(im.Base, v.dir); !ok || !im.Src.HasFolder(dir) {
			continue
		}
		if name == last {
			list = append([]docsVersion{v}, list...)
		} else {
			list = append(list, v)
		}
	}
	return list
}

// versionOf returns the named version according to its settings. last is the name of the version at the documentation's
// address.
func versionOf(part docsPart, name, last string) docsVersion {
	v := docsVersion{dir: "versioned_docs/version-" + name, folder: "version-" + name, sidebars: []string{"versioned_sidebars/version-" + name + "-sidebars.json"}}
	at := name
	if name == "current" {
		v.dir, v.folder, v.sidebars, at = part.dir, "current", sidebarFiles(part, true), "next"
	}
	settings := source.Get(part.options, "versions", name)
	if own := source.Get(settings, "path"); own != nil && own.Kind == tree.Text {
		at = strings.Trim(own.Text, "/")
	} else if name == last {
		at = ""
	}
	v.Label = source.Fallback(source.TextAt(settings, "label"), name)
	if v.Label == "current" {
		v.Label = "Next"
	}
	v.route = path.Join(part.route, at)
	v.Unmaintained = source.TextAt(settings, "banner") == "unmaintained"
	v.NoIndex = source.TruthAt(settings, "noIndex")
	v.Address = "/" + v.route
	return v
}

// readVersion reads the pages of v and adds v to the site's versions.
func readVersion(im *oldsite.Site, v docsVersion) {
	dir, ok := source.Inside(im.Base, v.dir)
	if !ok {
		return
	}
	docusaurusDocs(im, dir, v.route)
	im.DocRoots = append(im.DocRoots, v.Address)
	im.Versions = append(im.Versions, v.Version)
}

// omitVersions records the number of pages in versions that the import omits. main reports whether the versions of the
// main documentation are imported.
func omitVersions(im *oldsite.Site, main bool) {
	reason := "they belong to earlier versions; import them with --versions"
	if im.AllVersions {
		reason = "they belong to versions that a site cannot contain"
	}
	for _, name := range im.Src.Below(im.Base) {
		folder, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(name, im.Base), "/"), "/")
		if source.IsPage(name) && (strings.HasPrefix(folder, "versioned_docs") && !(main && folder == "versioned_docs") || strings.HasSuffix(folder, "_versioned_docs")) {
			im.Omitted[reason]++
		}
	}
}
