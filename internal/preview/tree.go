package preview

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// maxDepth is how deep folders are followed into one another; a site's loader
// refuses what is deeper.
const maxDepth = 64

// racy is how close to the moment of looking a file's time may be for a later
// write to leave no trace in it. Such a file counts as changed once more.
const racy = 50 * time.Millisecond

// tree remembers what the files of some folders looked like.
type tree struct {
	root    string
	folders []string
	top     node
	// links are the symbolic links to files, and those that lead nowhere.
	links map[string]bool
	// watch and unwatch are told of each folder that is found, and of each that
	// is gone; nil for nobody.
	watch, unwatch func(name string)
	changed        []string
}

// node is a file or a folder as it was when it was last looked at.
type node struct {
	// info is nil for a symbolic link that leads nowhere.
	info fs.FileInfo
	// link says that it is a symbolic link, linked that a link led to its folder.
	link, linked bool
	racy         bool
	// children are nil for a file.
	children map[string]*node
}

func (n *node) isDir() bool { return n.info != nil && n.info.IsDir() }

// same reports whether nothing tells two looks at a file apart.
func (n *node) same(other *node) bool {
	if n.info == nil || other.info == nil {
		return n.info == nil && other.info == nil
	}
	return os.SameFile(n.info, other.info) && n.info.Mode() == other.info.Mode() &&
		(n.isDir() || n.info.Size() == other.info.Size() && n.info.ModTime().Equal(other.info.ModTime()))
}

func newTree(root string, folders []string) *tree {
	return &tree{root: root, folders: folders, top: node{children: make(map[string]*node)}, links: make(map[string]bool)}
}

// local is a path as the system knows it.
func (t *tree) local(name string) string { return filepath.Join(t.root, filepath.FromSlash(name)) }

// name is a system's path as the site knows it; ok is false for what is none of
// the site's content.
func (t *tree) name(local string) (name string, ok bool) {
	below, err := filepath.Rel(t.root, local)
	if err != nil || !filepath.IsLocal(below) {
		return "", false
	}
	name = filepath.ToSlash(below)
	first, _, _ := strings.Cut(name, "/")
	return name, slices.Contains(t.folders, first) && !ignored(name)
}

// find returns what is known of a name, and of the folder that it is in; both
// are nil where that folder is not known.
func (t *tree) find(name string) (n, parent *node) {
	n = &t.top
	for part := range strings.SplitSeq(name, "/") {
		if parent = n; parent == nil || parent.children == nil {
			return nil, nil
		}
		n = parent.children[part]
	}
	return n, parent
}

// isFile reports whether a name was a file when it was last looked at.
func (t *tree) isFile(name string) bool {
	n, _ := t.find(name)
	return n != nil && !n.isDir()
}

// scan looks at everything and returns what changed.
func (t *tree) scan() []string { return t.refresh(t.folders) }

// refresh looks at some names, and at all below them where they are folders,
// and returns what changed.
func (t *tree) refresh(names []string) []string {
	t.changed = nil
	var there []string
	// What is gone goes first: a folder that was renamed must be forgotten under
	// its old name before it can be watched under the new one.
	for _, name := range names {
		if _, err := os.Lstat(t.local(name)); err != nil {
			t.forget(name)
		} else {
			there = append(there, name)
		}
	}
	for _, name := range there {
		// A folder that is not known yet is looked at as a whole when it is found.
		if _, parent := t.find(name); parent != nil {
			t.visit(name, parent)
		}
	}
	return t.changed
}

// forget drops a name and all below it.
func (t *tree) forget(name string) {
	n, parent := t.find(name)
	if n == nil {
		return
	}
	delete(parent.children, path.Base(name))
	t.changed = append(t.changed, name)
	t.gone(name, n)
}

// gone notes that a node, and all below it, is not there any longer.
func (t *tree) gone(name string, n *node) {
	delete(t.links, name)
	if n.children == nil {
		return
	}
	if t.unwatch != nil {
		t.unwatch(name)
	}
	for base, child := range n.children {
		if name := name + "/" + base; child.children == nil {
			t.changed = append(t.changed, name)
			delete(t.links, name)
		} else {
			t.gone(name, child)
		}
	}
}

// visit looks at a name that is there.
func (t *tree) visit(name string, parent *node) {
	now := t.stat(name, parent.link || parent.linked)
	if now == nil {
		t.forget(name)
		return
	}
	before := parent.children[path.Base(name)]
	if before != nil && before.isDir() != now.isDir() {
		t.forget(name)
		before = nil
	}
	if before == nil || !now.same(before) || before.racy {
		t.changed = append(t.changed, name)
	}
	if before != nil {
		now.children = before.children
	}
	parent.children[path.Base(name)] = now
	if now.link && !now.isDir() {
		t.links[name] = true
	}
	// As the loader does, a link inside a linked folder is not followed further.
	if now.isDir() && strings.Count(name, "/") < maxDepth && !(now.link && now.linked) {
		t.folder(name, now)
	}
}

// stat looks at a name, through a symbolic link; it is nil where there is
// nothing.
func (t *tree) stat(name string, linked bool) *node {
	info, err := os.Lstat(t.local(name))
	if err != nil {
		return nil
	}
	n := &node{info: info, linked: linked, link: info.Mode()&fs.ModeSymlink != 0}
	if n.link {
		if n.info, err = os.Stat(t.local(name)); err != nil {
			n.info = nil
		}
	}
	n.racy = n.info != nil && !n.isDir() && time.Since(n.info.ModTime()) < racy
	return n
}

// folder looks at what is in a folder. It is watched before it is read, so that
// nothing can come between.
func (t *tree) folder(name string, n *node) {
	if n.children == nil {
		n.children = make(map[string]*node)
	}
	if t.watch != nil {
		t.watch(name)
	}
	listed, err := os.ReadDir(t.local(name))
	if err != nil {
		return
	}
	present := make(map[string]bool, len(listed))
	for _, e := range listed {
		present[e.Name()] = true
	}
	for base := range maps.Clone(n.children) {
		if !present[base] {
			t.forget(name + "/" + base)
		}
	}
	for _, e := range listed {
		if child := name + "/" + e.Name(); !ignored(child) {
			t.visit(child, n)
		}
	}
}

// ignored reports whether a file or folder is no content, as the loader has it:
// hidden ones, and what editors leave beside the file that they write.
func ignored(name string) bool {
	if name == "content/static/.well-known" {
		return false
	}
	base := path.Base(name)
	return strings.HasPrefix(base, ".") || strings.HasSuffix(base, "~") || strings.HasSuffix(base, ".swp") ||
		len(base) > 1 && strings.HasPrefix(base, "#") && strings.HasSuffix(base, "#")
}
