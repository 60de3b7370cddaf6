package publish

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/artifact"
)

// Compressed bodies are in several packs, called segments. Each is named after its hash. Only the paths of the appended
// resources determine where a segment ends, not earlier builds. So equal builds have equal packs, and an edit remakes only the
// packs that contain changes. All other packs are reused from the last build.

const (
	// leastSegment is the average number of groups in a segment on a small site. mostSegments is the approximate maximum number
	// of segments on a large one: a server keeps each of them open.
	leastSegment, mostSegments = 16, 64

	packExtension = ".pack"
	// provisionalPack is the name of a pack whose hash isn't known yet.
	provisionalPack = "pack"
)

// segment is the pack that is being assembled.
type segment struct {
	// average is the target number of groups, a power of two. groups is the number of groups added so far, and size is their
	// size in bytes.
	average, groups int
	size            int64
	// Until file is open, the segment is a prefix of the last build's pack named same. kept has the bodies of that prefix.
	same string
	kept []artifact.Body
	file io.WriteCloser
	hash *xxhash.Digest

	carried carried
	// done has the packs before this one, in order. written has the packs among them that aren't in the last build: they wait
	// in the spare folder.
	done    []string
	written []stagedPack
}

// stagedPack is a pack that waits to be moved into place.
type stagedPack struct {
	staged, name string
	hash         uint64
}

// Expect is given the number of pages before any is appended, from which the size of the segments follows.
func (s *Stage) Expect(pages int) {
	for s.segment.average = leastSegment; s.segment.average*mostSegments < pages; {
		s.segment.average *= 2
	}
}

// packName returns the provisional name of the current pack in the manifest.
func (s *Stage) packName() string { return fmt.Sprint(provisionalPack, len(s.segment.done)) }

// endGroup ends the segment after a group if the hash of the path selects it, so that added or removed pages move only the
// nearby boundaries. before is the size of the segment without the group.
func (s *Stage) endGroup(path string, before int64) error {
	g := &s.segment
	if g.size == before {
		return nil
	}
	g.groups++
	half := max(g.average, leastSegment) / 2
	if g.groups < half || g.groups < 4*half && xxhash.Sum64String(path)%uint64(half) != 0 {
		return nil
	}
	return s.EndSegment()
}

// EndSegment ends the segment. The caller uses it if the following resources are unrelated and change at other times.
func (s *Stage) EndSegment() error {
	g := &s.segment
	if g.size == 0 {
		return nil
	}
	name := g.same
	if g.file == nil {
		info, err := os.Stat(filepath.Join(s.dir, artifact.CodedDir, g.same))
		if err != nil {
			return fmt.Errorf("reusing compressed representations: %w", err)
		}
		if info.Size() != g.size {
			// The last build's had more.
			if err := s.openSegment(); err != nil {
				return err
			}
		}
	}
	if g.file != nil {
		if err := errors.Join(s.flushCarried(), g.file.Close()); err != nil {
			return fmt.Errorf("finishing coded representations: %w", err)
		}
		sum := g.hash.Sum64()
		name = fmt.Sprintf("%016x%s", sum, packExtension)
		g.written = append(g.written, stagedPack{s.stagedPack(), name, sum})
	}
	s.manifest.NamePack(s.packName(), name)
	g.done = append(g.done, name)
	g.groups, g.size, g.same, g.kept, g.file = 0, 0, "", g.kept[:0], nil
	return nil
}

func (s *Stage) stagedPack() string { return filepath.Join(s.spare, s.packName()) }

// openSegment makes a file of the segment, which is no longer one of the last build.
func (s *Stage) openSegment() (err error) {
	g := &s.segment
	if g.file != nil {
		return nil
	}
	if g.file, err = s.disk.writer(s.stagedPack()); err != nil {
		return fmt.Errorf("creating a file of compressed representations: %w", err)
	}
	g.hash, g.size = xxhash.New(), 0
	for _, b := range g.kept {
		if _, err := s.carry(b); err != nil {
			return err
		}
	}
	return nil
}

// appendCoded writes to the end of the segment, and returns where.
func (s *Stage) appendCoded(coded []byte) (offset int64, err error) {
	if err := errors.Join(s.openSegment(), s.flushCarried()); err != nil {
		return 0, err
	}
	offset = s.segment.size
	s.segment.size += int64(len(coded))
	return offset, s.writeCoded(coded)
}

func (s *Stage) writeCoded(coded []byte) error {
	if _, err := s.segment.file.Write(coded); err != nil {
		return fmt.Errorf("writing coded representations: %w", err)
	}
	// A digest's Write never fails.
	_, _ = s.segment.hash.Write(coded)
	return nil
}

// carry copies a body from a pack of the last build and returns its offset in the segment. As long as the segment is a prefix
// of that pack, it doesn't read any bytes.
func (s *Stage) carry(b artifact.Body) (int64, error) {
	g := &s.segment
	if g.file == nil && b.Offset == g.size && (g.size == 0 || b.Pack == g.same) {
		g.same, g.kept = b.Pack, append(g.kept, b)
		g.size += b.Size
		return b.Offset, nil
	}
	if err := s.openSegment(); err != nil {
		return 0, err
	}
	// Read many bodies together, because they usually follow each other.
	c := &g.carried
	if c.pack != b.Pack || c.from+c.size != b.Offset || c.size > carriedAtOnce {
		if err := s.flushCarried(); err != nil {
			return 0, err
		}
		c.pack, c.from = b.Pack, b.Offset
	}
	c.size += b.Size
	c.bodies = append(c.bodies, b)
	offset := g.size
	g.size += b.Size
	return offset, nil
}

// carriedAtOnce is the approximate number of bytes per read from a pack of the last build.
const carriedAtOnce = 1 << 20

// carried has bodies that wait to be copied from a pack of the last build into the segment.
type carried struct {
	pack       string
	from, size int64
	bodies     []artifact.Body
	buffer     []byte
	file       *os.File
	open       string
}

// flushCarried writes the bodies that are on their way. Each is checked against
// its hash.
func (s *Stage) flushCarried() error {
	c := &s.segment.carried
	if c.size == 0 {
		return nil
	}
	if c.open != c.pack {
		if err := c.close(); err != nil {
			return err
		}
		file, err := os.Open(filepath.Join(s.dir, artifact.CodedDir, c.pack))
		if err != nil {
			return fmt.Errorf("opening the last build's compressed representations: %w", err)
		}
		c.file, c.open = file, c.pack
	}
	if int64(cap(c.buffer)) < c.size {
		c.buffer = make([]byte, c.size)
	}
	buffer := c.buffer[:c.size]
	if _, err := c.file.ReadAt(buffer, c.from); err != nil {
		return fmt.Errorf("reading the last build's compressed representations: %w", err)
	}
	rest := buffer
	for _, b := range c.bodies {
		if artifact.Hash(rest[:b.Size]) != b.Hash {
			return fmt.Errorf("reading the last build's compressed representations: %w", artifact.ErrBytes)
		}
		rest = rest[b.Size:]
	}
	c.size, c.bodies = 0, c.bodies[:0]
	return s.writeCoded(buffer)
}

func (c *carried) close() error {
	if c.file == nil {
		return nil
	}
	err := c.file.Close()
	c.file, c.open = nil, ""
	return err
}

// placePacks ends the last segment and gives the new packs their names in the folder of packs.
func (s *Stage) placePacks() error {
	if err := errors.Join(s.EndSegment(), s.segment.carried.close()); err != nil {
		return err
	}
	folder := filepath.Join(s.dir, artifact.CodedDir)
	if err := s.disk.mkdirAll(folder); err != nil {
		return err
	}
	for _, p := range s.segment.written {
		err := placePack(s.disk, p.staged, filepath.Join(folder, p.name), p.hash)
		if err != nil {
			return err
		}
	}
	return nil
}

// placePack gives a pack its place. Not every system replaces a file that a
// server has open, and there is no need to where the same bytes are there.
func placePack(d disk, provisional, placed string, hash uint64) error {
	err := d.rename(provisional, placed)
	if err != nil && packHolds(placed, hash) {
		return d.remove(provisional)
	}
	return err
}

// packHolds reports whether a file has the bytes of a hash.
func packHolds(name string, hash uint64) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	sum := xxhash.New()
	_, err = io.Copy(sum, f)
	return errors.Join(err, f.Close()) == nil && sum.Sum64() == hash
}

// closePacks gives up the segment that is being written.
func (s *Stage) closePacks() {
	if s.segment.file != nil {
		_ = s.segment.file.Close()
	}
	_ = s.segment.carried.close()
}

// sweep moves the last build's packs to the spare folder, except packs that the new build shares, and removes packs that no
// manifest refers to. It leaves a pack that it can't remove, for example because a server has it open, to the next build.
func (s *Stage) sweep() error {
	folder, spare := filepath.Join(s.dir, artifact.CodedDir), filepath.Join(s.spare, artifact.CodedDir)
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("looking for old compressed representations: %w", err)
	}
	if err := s.disk.removeAll(spare); err != nil {
		return fmt.Errorf("removing old compressed representations: %w", err)
	}
	var last []string
	if m, err := artifact.ReadManifestFile(filepath.Join(s.spare, artifact.LastManifest)); err == nil {
		last = m.Packs()
	}
	for _, e := range entries {
		name := filepath.Join(folder, e.Name())
		if slices.Contains(s.segment.done, e.Name()) || !isPack(e.Name()) {
			continue
		}
		if slices.Contains(last, e.Name()) && s.disk.mkdirAll(spare) == nil &&
			s.disk.rename(name, filepath.Join(spare, e.Name())) == nil {
			continue
		}
		_ = s.disk.remove(name)
	}
	return nil
}
