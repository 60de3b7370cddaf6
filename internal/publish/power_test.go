package publish

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"vitrine/internal/artifact"
)

// recordedDisk records the operations of a build, so that a test can construct every state that a power loss may leave.
// It models a journaling file system. Changes to names reach the disk in order, but with any delay. The bytes of a file
// reach the disk before or after its name, or never. After a sync, the bytes of the synced files and all earlier
// changes to names are on the disk.
type recordedDisk struct {
	realDisk
	dir string
	// byName reports whether only the named files are synced, as on a system that can't sync a whole file system.
	// inSteps reports whether folders are exchanged in three steps.
	byName, inSteps bool

	mu  sync.Mutex
	ops []op
}

// op is an operation. For a sync, names contains the synced files, or is nil if all files are synced.
type op struct {
	do    string
	a, b  string
	data  []byte
	names []string
}

// note records an operation if err is nil.
func (d *recordedDisk) note(o op, err error) error {
	if err == nil {
		d.mu.Lock()
		o.a, o.b = d.name(o.a), d.name(o.b)
		d.ops = append(d.ops, o)
		d.mu.Unlock()
	}
	return err
}

func (d *recordedDisk) name(of string) string {
	if of == "" {
		return ""
	}
	name, err := filepath.Rel(d.dir, of)
	if err != nil {
		panic(err)
	}
	return filepath.ToSlash(name)
}

func (d *recordedDisk) mkdirAll(name string) error {
	return d.note(op{do: "mkdir", a: name}, d.realDisk.mkdirAll(name))
}

func (d *recordedDisk) create(name string, body []byte) error {
	return d.note(op{do: "create", a: name, data: body}, d.realDisk.create(name, body))
}

func (d *recordedDisk) write(name string, body []byte) error {
	return d.note(op{do: "create", a: name, data: body}, d.realDisk.write(name, body))
}

func (d *recordedDisk) writer(name string) (io.WriteCloser, error) {
	w, err := d.realDisk.writer(name)
	return &recordedWriter{WriteCloser: w, disk: d, name: name}, err
}

type recordedWriter struct {
	io.WriteCloser
	disk *recordedDisk
	name string
	data []byte
}

func (w *recordedWriter) Write(data []byte) (int, error) {
	w.data = append(w.data, data...)
	return w.WriteCloser.Write(data)
}

func (w *recordedWriter) Close() error {
	return w.disk.note(op{do: "create", a: w.name, data: w.data}, w.WriteCloser.Close())
}

func (d *recordedDisk) link(from, to string) (bool, error) {
	copied, err := d.realDisk.link(from, to)
	if copied {
		panic("the test needs hard links")
	}
	return false, d.note(op{do: "link", a: from, b: to}, err)
}

func (d *recordedDisk) rename(from, to string) error {
	return d.note(op{do: "rename", a: from, b: to}, d.realDisk.rename(from, to))
}

func (d *recordedDisk) exchange(a, b string) error {
	if d.inSteps {
		return exchangeInSteps(d, a, b)
	}
	return d.note(op{do: "exchange", a: a, b: b}, d.realDisk.exchange(a, b))
}

func (d *recordedDisk) remove(name string) error {
	return d.note(op{do: "remove", a: name}, d.realDisk.remove(name))
}

func (d *recordedDisk) removeAll(name string) error {
	return d.note(op{do: "remove", a: name}, d.realDisk.removeAll(name))
}

func (d *recordedDisk) sync(_ string, names func() []string) error {
	o := op{do: "sync"}
	if d.byName {
		for _, name := range names() {
			o.names = append(o.names, d.name(name))
		}
	}
	return d.note(o, nil)
}

func (d *recordedDisk) syncFolders(names ...string) error {
	o := op{do: "sync"}
	for _, name := range names {
		o.names = append(o.names, d.name(name))
	}
	return d.note(o, nil)
}

// file is a file with any number of names. synced reports whether its bytes are on the disk.
type file struct {
	data   []byte
	synced bool
}

// tree maps names to files, or to nil for folders.
type tree map[string]*file

// moved removes the file from and all files under it, and returns them with names in which from is replaced with to.
func (t tree) moved(from, to string) tree {
	found := make(tree)
	for name, f := range t {
		if name == from || strings.HasPrefix(name, from+"/") {
			found[to+name[len(from):]] = f
			delete(t, name)
		}
	}
	return found
}

// apply applies an operation to the tree. made is the file that the operation creates.
func (t tree) apply(o op, made *file) {
	switch o.do {
	case "mkdir":
		for name := o.a; name != "." && name != "/"; name = path.Dir(name) {
			t[name] = nil
		}
	case "create":
		t[o.a] = made
	case "link":
		t[o.b] = t[o.a]
	case "rename":
		found := t.moved(o.a, o.b)
		t.moved(o.b, "")
		maps.Copy(t, found)
	case "exchange":
		a, b := t.moved(o.a, o.b), t.moved(o.b, o.a)
		maps.Copy(t, a)
		maps.Copy(t, b)
	case "remove":
		t.moved(o.a, "")
	}
}

// left returns what is on the disk after a power loss that follows the operations ops[:at]. Of the changes to names,
// only those in ops[:names] have reached the disk.
func left(ops []op, at, names int) tree {
	all, onDisk := make(tree), make(tree)
	for i, o := range ops[:at] {
		made := &file{data: o.data}
		all.apply(o, made)
		if i < names {
			onDisk.apply(o, made)
		}
		if o.do != "sync" {
			continue
		}
		for name, f := range all {
			if f != nil && (o.names == nil || slices.Contains(o.names, name)) {
				f.synced = true
			}
		}
	}
	return onDisk
}

// synced reports whether the bytes of all files are on the disk.
func (t tree) synced() bool {
	for _, f := range t {
		if f != nil && !f.synced {
			return false
		}
	}
	return true
}

// put creates the tree in dir. part returns the bytes of a file that have reached the disk before the file was synced.
func (t tree) put(dir string, part func(data []byte) []byte) error {
	for _, name := range slices.Sorted(maps.Keys(t)) {
		to, f := filepath.Join(dir, filepath.FromSlash(name)), t[name]
		if f == nil {
			if err := os.MkdirAll(to, 0o777); err != nil {
				return err
			}
			continue
		}
		data := f.data
		if !f.synced {
			data = part(data)
		}
		if err := os.WriteFile(to, data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// contents returns the names and the contents of all files in a folder.
func contents(dir string) string {
	var all strings.Builder
	_ = filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			data, _ := os.ReadFile(name)
			rel, _ := filepath.Rel(dir, name)
			fmt.Fprintf(&all, "%s %q\n", rel, data)
		}
		return nil
	})
	return all.String()
}

// powerLoss publishes builds, and checks every state that a power loss after the first build can leave. It returns the
// number of states and the problems in them.
func powerLoss(t *testing.T, disk *recordedDisk, options Options) (states int, wrong []string) {
	t.Helper()
	disk.dir = t.TempDir()
	options.disk = disk
	public, put := filepath.Join(disk.dir, artifact.PublicDir), t.TempDir()
	before := publishOne(t, disk.dir, "one", options, false).Build
	for _, content := range []string{"two", "three", "four"} {
		whole := map[string]bool{contents(public): true}
		begin := len(disk.ops)
		if options.NoSync {
			_ = disk.sync("", func() []string { return disk.names() }) // the last build must be on the disk
		}
		after := publishOne(t, disk.dir, content, options, false).Build
		whole[contents(public)] = true
		synced := begin
		for at := begin; at <= len(disk.ops); at++ {
			if at > 0 && disk.ops[at-1].do == "sync" {
				synced = at
			}
			first := at
			if at == len(disk.ops) {
				first = synced // after Commit, all changes before the last sync are on the disk
			}
			// Until the next sync, the state depends only on which changes to names have reached the disk.
			for names := first; names <= at; names++ {
				for what, part := range map[string]func([]byte) []byte{
					"nothing": func([]byte) []byte { return nil },
					"a half":  func(data []byte) []byte { return data[:len(data)/2] },
					"zeros":   func(data []byte) []byte { return make([]byte, len(data)) },
				} {
					is := left(disk.ops, at, names)
					if what != "nothing" && is.synced() {
						continue // all bytes are on the disk, so the state is the same
					}
					states++
					dir := filepath.Join(put, fmt.Sprint(states))
					state := fmt.Sprintf("build %s, %d operations, names of %d, %s of what was not synced", content, at-begin, names-begin, what)
					if err := is.put(dir, part); err != nil {
						t.Fatal(err)
					}
					if problem := lookAt(t, dir, whole, before, after, at == len(disk.ops)); problem != "" {
						wrong = append(wrong, state+": "+problem)
					} else if states%3 == 0 {
						if problem := buildNext(t, dir); problem != "" {
							wrong = append(wrong, state+": "+problem)
						}
					}
					if err := os.RemoveAll(dir); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		before = after
	}
	return states, wrong
}

// buildNext publishes a build after a power loss. It returns what is wrong with the new build, or "".
func buildNext(t *testing.T, dir string) string {
	t.Helper()
	fresh := t.TempDir()
	if unknown := publishOne(t, dir, "next", Options{NoSync: true}, false).Unknown; len(unknown) > 0 {
		return fmt.Sprintf("the next build finds foreign files: %q", unknown)
	}
	publishOne(t, fresh, "next", Options{NoSync: true}, false)
	if is := filepath.Join(dir, artifact.PublicDir); contents(is) != contents(filepath.Join(fresh, artifact.PublicDir)) {
		return "the next build is wrong"
	}
	return ""
}

// names returns the names of all files.
func (d *recordedDisk) names() []string {
	return slices.DeleteFunc(below(d.dir), func(name string) bool { return name == d.dir })
}

// lookAt returns what is wrong with the state that a power loss has left, or "". over reports whether the publication
// had ended.
func lookAt(t *testing.T, dir string, whole map[string]bool, before, after uint64, over bool) string {
	b, err := artifact.Open(dir)
	if err != nil {
		return err.Error()
	}
	defer b.Close()
	if err := b.Verify(t.Context()); err != nil {
		return err.Error()
	}
	if is := b.Manifest.Build; is != after && (over || is != before) {
		return fmt.Sprintf("the build is %016x, of %016x and %016x", is, before, after)
	}
	if public := filepath.Join(dir, artifact.PublicDir); exists(public) && !whole[contents(public)] {
		return "a web server finds files of no build"
	}
	return ""
}

// After a power loss at any moment of a publication, either the last build or the new build is intact. After a power
// loss when the publication has ended, the new build is intact. In both cases, the next build is correct.
func TestPowerLoss(t *testing.T) { survivesPowerLoss(t, &recordedDisk{byName: true}) }

// survivesPowerLoss tries every state that a power loss can leave on a disk.
func survivesPowerLoss(t *testing.T, disk *recordedDisk) {
	t.Helper()
	t.Parallel()
	states, wrong := powerLoss(t, disk, Options{})
	t.Logf("%d states, %d wrong", states, len(wrong))
	if len(wrong) > 0 {
		t.Errorf("%d of %d states are wrong:\n%s", len(wrong), states, strings.Join(wrong[:min(len(wrong), 5)], "\n"))
	}
}
