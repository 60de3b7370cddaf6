package site

import (
	"net/url"
	"path"
	"slices"
	"strings"
)

// Repository is the repository that contains the site's sources.
type Repository struct {
	URL    string // the address of the repository
	Branch string // the branch that is published
	Path   string // the site's folder in the repository, or empty if it is the root
	// Content is the folder under `.Path` from which the site's `content/` is copied, or empty if it is `content/`
	// itself.
	Content string
}

// name returns the path of source, a file of the site such as "content/a.md", in the repository.
func (r *Repository) name(source string) string {
	if below, ok := strings.CutPrefix(source, "content/"); ok && r.Content != "" {
		source = r.Content + "/" + below
	}
	return path.Join(r.Path, source)
}

// Edit returns the URL at which to edit a source file, such as `content/about.md`, on the repository's host.
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

// view returns the URL at which to view a file or a folder of the repository. name is the path of the file or folder in
// the repository.
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

// host returns the kind of code host, which determines the format of URLs: "gitlab", "bitbucket", "gitea", or "" for
// GitHub and unknown hosts.
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

// outside returns the URL, on the code host, of a target outside the site's content. rel is a relative link to the
// target in the file called source. ok is false if the target is in the content or outside the repository.
func (r *Repository) outside(source, rel string) (to Ref, ok bool) {
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

// howOut returns the end of a message about a link to a target outside the content folder: the correct way to link to
// the target. It returns "" if the settings contain a repository, because the target is then outside the repository
// too.
func (x *Index) howOut() string {
	if x.repository != nil {
		return ""
	}
	return `; write the target's full address, or set "repository" in site.yaml so that links can point to files in the repository`
}
