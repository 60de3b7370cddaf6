package publish

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/artifact"
	"vitrine/internal/codec"
	"vitrine/internal/folder"
)

// A ledger describes the result of a publication, so that the next build doesn't have to read that result. It
// identifies the build in build/public and contains the stamps of the build's files. It also lists the differences
// between build/public and the spare public folder, which contains the build that was published before.
//
// A build removes the ledger before it changes one of these folders, and writes a new ledger after the publication. An
// interrupted build therefore leaves no ledger, and an existing ledger is reliable if its stamps match.
type ledger struct {
	// build is the ID of the published build; see artifact.Manifest.
	build uint64
	// folders contains the folders of build/public, sorted by name. The first folder is ".".
	folders []publicFolder
	// packs contains the names of the build's packs.
	packs []string
	// derived maps the names of the platform files to the hashes of their contents.
	derived map[string]uint64
	// stamps contains the stamps of the manifest, the packs, the platform files, the folders of build/public, and the
	// folders of the spare public folder. Its keys are paths in the build folder.
	stamps map[string]folder.Stamp
	// spare reports whether the spare folder contains a public folder.
	spare bool
	// spareFolders contains the folders of the spare public folder. differs lists the files of build/public that are
	// missing in the spare public folder or have different content there. extra lists the files that only the spare
	// public folder has. All other files in the spare public folder are hard links to the files of build/public.
	spareFolders, differs, extra []string
	// synced reports whether the build has been synced to disk.
	synced bool
	// size is the approximate size in bytes of the encoded ledger, or 0 if the size is unknown. It is used only to
	// allocate memory.
	size int
}

// A publicFolder is a folder of build/public with its files, sorted by name.
type publicFolder struct {
	name  string
	files []publicFile
}

// A publicFile is a file in a public folder. stamp is the hash of the file's stamp, or 0 if the stamp was too recent to
// prove that the file is unchanged.
type publicFile struct {
	name  string
	stamp uint64
}

const (
	ledgerFile  = "ledger"
	ledgerMagic = "vitrine ledger 4\n"
)

func ledgerPath(dir string) string {
	return filepath.Join(dir, artifact.SpareDir, ledgerFile)
}

// readLedger returns the ledger in the build folder dir, or nil if it is missing or damaged. It doesn't compare the
// stamps with the files.
func readLedger(dir string) *ledger {
	data, err := os.ReadFile(ledgerPath(dir))
	if err != nil || len(data) < len(ledgerMagic)+8 || string(data[:len(ledgerMagic)]) != ledgerMagic {
		return nil
	}
	body := data[len(ledgerMagic)+8:]
	if binary.LittleEndian.Uint64(data[len(ledgerMagic):]) != xxhash.Sum64(body) {
		return nil
	}
	l := &ledger{size: len(data)}
	r := codec.NewReader(string(body))
	if l.record(codec.From(r)); !r.Done() {
		return nil
	}
	return l
}

// record writes the ledger to c or reads the ledger from c.
func (l *ledger) record(c codec.Coder) {
	c.Hash(&l.build)
	codec.List(c, &l.folders, func(f *publicFolder) {
		c.Text(&f.name)
		codec.List(c, &f.files, func(p *publicFile) {
			c.Text(&p.name)
			c.Hash(&p.stamp)
		})
	})
	c.Texts(&l.packs)
	codec.Map(c, &l.derived, c.Text, c.Hash)
	codec.Map(c, &l.stamps, c.Text, func(s *folder.Stamp) { s.Record(c) })
	c.Bool(&l.spare)
	c.Texts(&l.spareFolders)
	c.Texts(&l.differs)
	c.Texts(&l.extra)
	c.Bool(&l.synced)
}

// write sets l.stamps to the current stamps and writes the ledger to the build folder dir.
func (l *ledger) write(d disk, dir string) error {
	names := append([]string{artifact.ManifestFile}, slices.Collect(maps.Keys(l.derived))...)
	for _, pack := range l.packs {
		names = append(names, artifact.CodedDir+"/"+pack)
	}
	for _, f := range l.folders {
		names = append(names, artifact.PublicDir+"/"+f.name)
	}
	if l.spare {
		for _, name := range l.spareFolders {
			names = append(names, artifact.SpareDir+"/"+artifact.PublicDir+"/"+name)
		}
	}
	l.stamps = make(map[string]folder.Stamp, len(names))
	for _, name := range names {
		s, err := folder.StampOf(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		l.stamps[name] = s
	}
	w := codec.Writer{Data: make([]byte, len(ledgerMagic)+8, l.size+l.size/32+1<<12)}
	copy(w.Data, ledgerMagic)
	l.record(codec.To(&w))
	binary.LittleEndian.PutUint64(w.Data[len(ledgerMagic):], xxhash.Sum64(w.Data[len(ledgerMagic)+8:]))
	provisional := ledgerPath(dir) + ".new"
	if err := d.mkdirAll(filepath.Dir(provisional)); err != nil {
		return err
	}
	if err := d.write(provisional, w.Data); err != nil {
		return err
	}
	return d.rename(provisional, ledgerPath(dir))
}

// holds reports whether all files and folders in l.stamps still have these stamps in the build folder dir. The files in
// build/public aren't in l.stamps; the method changed checks them.
func (l *ledger) holds(dir string) bool {
	for name, was := range l.stamps {
		is, err := folder.StampOf(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil || is != was {
			return false
		}
	}
	return true
}

// changed returns the public files that may have changed: they are missing, their stamps differ from the ledger, or
// their stamps were too recent when the ledger was written. If note is true, changed instead updates the ledger with
// the current stamps, and returns an error if a file is missing. For speed, changed uses all processors, and looks up
// files by name in an open folder.
func (l *ledger) changed(public string, note bool) ([]string, error) {
	const atOnce = 512
	var found names
	var failed names
	var working sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, f := range l.folders {
		if len(f.files) == 0 {
			continue
		}
		dir, err := os.Open(filepath.Join(public, filepath.FromSlash(f.name)))
		if err != nil {
			return nil, fmt.Errorf("checking the previous build: %w", err)
		}
		var inFolder sync.WaitGroup
		for first := 0; first < len(f.files); first += atOnce {
			part := f.files[first:min(first+atOnce, len(f.files))]
			slots <- struct{}{}
			inFolder.Go(func() {
				defer func() { <-slots }()
				now := time.Now()
				for i := range part {
					is, err := folder.StampIn(dir, part[i].name)
					switch {
					case note && err != nil:
						failed.add(path.Join(f.name, part[i].name))
					case note:
						part[i].stamp = hashStamp(is, now)
					case err != nil || part[i].stamp == 0 || hashStamp(is, now) != part[i].stamp:
						found.add(path.Join(f.name, part[i].name))
					}
				}
			})
		}
		working.Go(func() {
			inFolder.Wait()
			_ = dir.Close() // the folder was only read
		})
	}
	working.Wait()
	if len(failed.all) > 0 {
		return nil, fmt.Errorf("checking the published files: %s: %w", failed.sorted()[0], fs.ErrNotExist)
	}
	return found.sorted(), nil
}

// all yields the names of the public files.
func (l *ledger) all(yield func(string) bool) {
	for _, f := range l.folders {
		for _, p := range f.files {
			if !yield(path.Join(f.name, p.name)) {
				return
			}
		}
	}
}

// place returns the folder of a public file in the ledger, and the index of the file in that folder. there reports
// whether the ledger has the file. If there is false, at is the index at which to insert the file. place adds the
// folder to the ledger if it is missing.
func (l *ledger) place(name string) (f *publicFolder, at int, there bool) {
	i, there := slices.BinarySearchFunc(l.folders, path.Dir(name), func(f publicFolder, name string) int {
		return strings.Compare(f.name, name)
	})
	if !there {
		l.folders = slices.Insert(l.folders, i, publicFolder{name: path.Dir(name)})
	}
	f = &l.folders[i]
	at, there = slices.BinarySearchFunc(f.files, path.Base(name), func(p publicFile, name string) int {
		return strings.Compare(p.name, name)
	})
	return f, at, there
}

// set sets the stamp of a public file in the ledger. It adds a file that isn't in the ledger yet.
func (l *ledger) set(name string, stamp uint64) {
	f, at, there := l.place(name)
	if !there {
		f.files = slices.Insert(f.files, at, publicFile{name: path.Base(name)})
	}
	f.files[at].stamp = stamp
}

// drop removes a public file from the ledger.
func (l *ledger) drop(name string) {
	if f, at, there := l.place(name); there {
		f.files = slices.Delete(f.files, at, at+1)
	}
}

// list replaces the public files in the ledger with files. It doesn't set their stamps.
func (l *ledger) list(files iter.Seq[string]) {
	l.folders = nil
	byFolder := make(map[string][]publicFile)
	for name := range files {
		byFolder[path.Dir(name)] = append(byFolder[path.Dir(name)], publicFile{name: path.Base(name)})
	}
	for _, name := range foldersOf(files) {
		f := publicFolder{name, byFolder[name]}
		slices.SortFunc(f.files, func(a, b publicFile) int { return strings.Compare(a.name, b.name) })
		f.files = slices.Compact(f.files)
		l.folders = append(l.folders, f)
	}
}

// hashStamp returns the hash of a stamp that was taken at the given time. It returns 0 if the stamp is too recent to
// prove later that the file is unchanged; see folder.Stamp.Fresh.
func hashStamp(s folder.Stamp, taken time.Time) uint64 {
	if s.Fresh(taken) {
		return 0
	}
	var b [36]byte
	binary.LittleEndian.PutUint32(b[:], uint32(s.Mode))
	for i, n := range [...]uint64{uint64(s.Size), uint64(s.Modified), uint64(s.Changed), s.Inode} {
		binary.LittleEndian.PutUint64(b[4+8*i:], n)
	}
	return xxhash.Sum64(b[:])
}

// foldersOf returns the folders that contain one of files, at any depth, sorted by name. The first folder is ".".
func foldersOf(files iter.Seq[string]) []string {
	known := map[string]bool{".": true}
	last := "."
	for name := range files {
		folder := path.Dir(name)
		if folder == last {
			continue
		}
		for last = folder; !known[folder]; folder = path.Dir(folder) {
			known[folder] = true
		}
	}
	return slices.Sorted(maps.Keys(known))
}

// publicFiles yields the names of all public files of a build. It may yield a name more than once.
func publicFiles(m *artifact.Manifest) iter.Seq[string] {
	return func(yield func(string) bool) {
		for v := range artifact.VariantIndex(m.VariantCount()) {
			if name := m.File(v); name != "" && !yield(name) {
				return
			}
		}
	}
}
