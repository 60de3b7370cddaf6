package site

import (
	"net/url"
	"path"
	"slices"
	"strings"
)

// Repository is where the sources of the pages are read and edited, with all that stands beside them.
type Repository struct {
	// URL is that of the repository, Branch the one that is published, and Path
	// the site's folder in it, "" for its root.
	URL    string // the repository
	Branch string // the branch that is published
	Path   string // the site's folder in it
	// Content is the folder below Path that the site's content/ is a copy of, "" where
	// it is content/ itself.
	Content string
}

// name is what a source, such as "content/a.md", is called in the repository.
func (r *Repository) name(source string) string {
	if below, ok := strings.CutPrefix(source, "content/"); ok && r.Content != "" {
		source = r.Content + "/" + below
	}
	return path.Join(r.Path, source)
}

// Edit is where a source can be edited, by the forms of the hosts that are known.
func (r *Repository) Edit(source string) Ref {
	name := r.name(source)
	switch r.host() {
	case "gitlab":
		return r.ref("/-/edit/", name, "")
	case "bitbucket":
		return r.ref("/src/", name, "?mode=edit")
	case "gitea":
		return r.ref("/_edit/", name, "")
	}
	return r.ref("/edit/", name, "")
}

// view is where a file or a folder of the repository can be read.
func (r *Repository) view(name string) Ref {
	switch r.host() {
	case "gitlab":
		return r.ref("/-/blob/", name, "")
	case "bitbucket":
		return r.ref("/src/", name, "")
	case "gitea":
		return r.ref("/src/branch/", name, "")
	}
	return r.ref("/blob/", name, "")
}

func (r *Repository) ref(verb, name, query string) Ref {
	return Ref(r.URL+verb) + RefTo("/" + r.Branch)[1:] + RefTo("/"+name) + Ref(query)
}

// host is whose forms of addresses the repository has, "" for GitHub's.
func (r *Repository) host() string {
	u, err := url.Parse(r.URL)
	if err != nil {
		return ""
	}
	name := strings.ToLower(u.Hostname())
	has := func(part string) bool { return strings.Contains(name, part) }
	switch {
	case has("gitlab"):
		return "gitlab"
	case has("bitbucket"):
		return "bitbucket"
	case slices.ContainsFunc([]string{"gitea", "forgejo", "codeberg"}, has):
		return "gitea"
	}
	return ""
}

// leads is where a relative link of a source leads that names a file of the repository
// outside of the site's content, as it does for readers on the code host. ok is false
// for one that stays inside, and for one that leaves the repository.
func (r *Repository) leads(source, rel string) (to Ref, ok bool) {
	name := path.Join(path.Dir(r.name(source)), rel)
	content := path.Dir(r.name("content/any"))
	switch {
	case name == content || strings.HasPrefix(name, content+"/") || content == ".":
		return "", false
	case name == ".." || strings.HasPrefix(name, "../"):
		return "", false
	case name == ".":
		return Ref(r.URL), true
	}
	return r.view(name), true
}

// howOut says what to write in place of a link out of the content.
func (x *Index) howOut() string {
	if x.repository != nil {
		return "" // and out of the repository
	}
	return `; write the full address of its target, or add "repository:" to site.yaml, and it points to the file there`
}
