package publish

import (
	"encoding/binary"
	"errors"
	"iter"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/artifact"
	"vitrine/internal/codec"
	"vitrine/internal/folder"
)

// A ledger says what a publication left behind, so that the next one need not
// read it: which build build/public is, how the file system knows its files, and
// in which files the spare public folder, the build before, differs from it. It is
// removed before either is touched and written when a publication is over, so that
// a build that was cut off leaves none, and one that is there can be relied on as
// far as the stamps in it hold.
type ledger struct {
	// build identifies the published build; see artifact.Manifest.
	build uint64
	// folders are those of build/public, in the order of their names, "." first.
	folders []publicFolder
	// packs are the names of the files of coded representations, derived are the files
	// for platforms, each with the hash of its bytes.
	packs   []string
	derived map[string]uint64
	// stamps are those of the folders, and of the files beside them.
	stamps map[string]folder.Stamp
	// spare says that the spare folder has a public folder with spareFolders. In it
	// differs are missing or not as in build/public, and extra are not in
	// build/public. All others are the very files of build/public.
	spare                        bool
	spareFolders, differs, extra []string
	// synced says that the build was synced to the disk.
	synced bool
	// size is about how many bytes the ledger has, 0 if that is not known.
	size int
}

// publicFolder is a folder of build/public with its files, in the order of names.
type publicFolder struct {
	name  string
	files []publicFile
}

// publicFile is a public file by the hash of its stamp; 0 where the stamp was too
// fresh to prove anything.
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

// readLedger returns the ledger of a build folder; nil where there is none. Whether
// it holds is not looked at.
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

// record writes the ledger, or reads it.
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

// write puts the ledger in place, with the stamps of the folders and of what is
// beside them as they are now.
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

// holds reports whether folders, and the files beside them, are as they were when
// the ledger was written.
func (l *ledger) holds(dir string) bool {
	for name, was := range l.stamps {
		is, err := folder.StampOf(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil || is != was {
			return false
		}
	}
	return true
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

// place returns where a public file is in the ledger, or belongs.
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

// set notes the stamp of a public file, drop that there is no such file.
func (l *ledger) set(name string, stamp uint64) {
	f, at, there := l.place(name)
	if !there {
		f.files = slices.Insert(f.files, at, publicFile{name: path.Base(name)})
	}
	f.files[at].stamp = stamp
}

func (l *ledger) drop(name string) {
	if f, at, there := l.place(name); there {
		f.files = slices.Delete(f.files, at, at+1)
	}
}

// list notes the public files given, and no others, without their stamps.
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

// hashStamp is the hash of a stamp that was taken at a moment.
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

// forget removes the ledger of a build folder, because what it says is about to
// become wrong.
func (s *Stage) forget() error {
	if err := s.disk.remove(ledgerPath(s.dir)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// foldersOf returns the folders that files stand in, "." first.
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

// publicFiles yields the name of every public file of a build, some more than
// once.
func publicFiles(m *artifact.Manifest) iter.Seq[string] {
	return func(yield func(string) bool) {
		for v := range artifact.VariantIndex(m.VariantCount()) {
			if name := m.File(v); name != "" && !yield(name) {
				return
			}
		}
	}
}
