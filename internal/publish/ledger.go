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

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/artifact"
	"vitrine/internal/codec"
	"vitrine/internal/folder"
)

// A ledger says what a publication left behind, so that the next one need not
// read it: which build build/public is, and in which files the spare public
// folder, the build before, differs from it. It is removed before either is touched and
// written when a publication is over, so that a build that was cut off leaves
// none, and one that is there can be relied on as far as the stamps in it hold.
type ledger struct {
	// build identifies the published build; see artifact.Manifest.
	build uint64
	// folders are those of build/public, "." first.
	folders []string
	// stamps are those of the folders, and of the files beside them.
	stamps map[string]folder.Stamp
	// spare says that the spare folder has a public folder. In it differs are
	// missing or not as in build/public, and extra are not in build/public.
	spare          bool
	differs, extra []string
}

const (
	ledgerFile  = "ledger"
	ledgerMagic = "vitrine ledger 2\n"
)

func ledgerPath(dir string) string {
	return filepath.Join(dir, artifact.SpareDir, ledgerFile)
}

// readLedger returns the ledger of a build folder; nil where there is none, or
// one that does not hold any longer.
func readLedger(dir string) *ledger {
	data, err := os.ReadFile(ledgerPath(dir))
	if err != nil || len(data) < len(ledgerMagic)+8 || string(data[:len(ledgerMagic)]) != ledgerMagic {
		return nil
	}
	body := data[len(ledgerMagic)+8:]
	if binary.LittleEndian.Uint64(data[len(ledgerMagic):]) != xxhash.Sum64(body) {
		return nil
	}
	l := new(ledger)
	r := codec.NewReader(string(body))
	if l.record(codec.From(r)); !r.Done() || !l.holds(dir) {
		return nil
	}
	return l
}

// record writes the ledger, or reads it.
func (l *ledger) record(c codec.Coder) {
	c.Hash(&l.build)
	c.Texts(&l.folders)
	c.Bool(&l.spare)
	c.Texts(&l.differs)
	c.Texts(&l.extra)
	codec.Map(c, &l.stamps, c.Text, func(s *folder.Stamp) { s.Record(c) })
}

// write puts the ledger in place, with the stamps of what is there now.
func (l *ledger) write(dir string, beside []string) error {
	l.stamps = make(map[string]folder.Stamp)
	names := beside
	for _, name := range l.folders {
		names = append(names, artifact.PublicDir+"/"+name)
	}
	for _, name := range names {
		s, err := folder.StampOf(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		l.stamps[name] = s
	}
	w := codec.Writer{Data: append([]byte(ledgerMagic), make([]byte, 8)...)}
	l.record(codec.To(&w))
	binary.LittleEndian.PutUint64(w.Data[len(ledgerMagic):], xxhash.Sum64(w.Data[len(ledgerMagic)+8:]))
	provisional := ledgerPath(dir) + ".new"
	if err := os.WriteFile(provisional, w.Data, 0o666); err != nil {
		return err
	}
	return rename(provisional, ledgerPath(dir))
}

// holds reports whether everything is as it was when the ledger was written.
func (l *ledger) holds(dir string) bool {
	for name, was := range l.stamps {
		is, err := folder.StampOf(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil || is != was {
			return false
		}
	}
	return true
}

// forget removes the ledger of a build folder, because what it says is about to
// become wrong.
func forget(dir string) error {
	if err := os.Remove(ledgerPath(dir)); err != nil && !errors.Is(err, os.ErrNotExist) {
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
