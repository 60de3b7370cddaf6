package publish

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/artifact"
)

// Compressed bodies are stored in several packs, called segments. Each pack is named after its hash. The end of a
// segment depends only on the paths of the appended resources, not on earlier builds. So identical builds have
// identical packs, and an edit regenerates only the packs that contain changes. All other packs are reused from the
// last build.

const (
	// leastSegment is the average number of groups in a segment on a small site. mostSegments is the approximate
	// maximum number of segments on a large site, because a server keeps each segment open.
	leastSegment, mostSegments = 16, 64

	packExtension = ".pack"
	// provisionalPack is the name of a pack whose hash isn't known yet.
	provisionalPack = "pack"
)

// packs assembles the packs of a build, one segment after the other.
type packs struct {
	*target
	manifest *artifact.ManifestWriter
	// since is the build whose packs a sparse build reuses, or nil for a full build.
	since *artifact.Build
	// average is the target number of groups in a segment, a power of two. groups is the number of groups in the
	// current segment.
	average, groups int
	// size is the size of the current segment in bytes.
	size int64
	// Until file is open, the segment is a prefix of the last build's pack named same. kept contains the bodies of that
	// prefix.
	same string
	kept []artifact.Body
	file io.WriteCloser
	hash *xxhash.Digest

	carried carried
	// done contains the names of the finished packs, in order.
	done []string
	// written contains the packs in done that aren't in the last build. They are staged in the spare folder.
	written []stagedPack
}

// stagedPack is a pack waiting to be moved into place.
type stagedPack struct {
	staged, name string
	hash         uint64
}

// expect sets the average size of the segments, based on the number of pages.
func (p *packs) expect(pages int) {
	for p.average = leastSegment; p.average*mostSegments < pages; {
		p.average *= 2
	}
}

// packName returns the provisional name of the current pack in the manifest.
func (p *packs) packName() string { return fmt.Sprint(provisionalPack, len(p.done)) }

// endGroup ends a group of bodies, and with it the segment if the hash of the path selects this boundary. Added or
// removed pages then move only the nearby boundaries. before is the size of the segment without the group.
func (p *packs) endGroup(path string, before int64) error {
	if p.size == before {
		return nil
	}
	p.groups++
	half := max(p.average, leastSegment) / 2
	if p.groups < half || p.groups < 4*half && xxhash.Sum64String(path)%uint64(half) != 0 {
		return nil
	}
	return p.endSegment()
}

// endSegment ends the segment, unless it is empty.
func (p *packs) endSegment() error {
	if p.size == 0 {
		return nil
	}
	name := p.same
	if p.file == nil {
		size, err := p.lastSize(p.same)
		if err != nil {
			return fmt.Errorf("reusing compressed representations: %w", err)
		}
		if size != p.size {
			// The last build's segment had more bodies.
			if err := p.openSegment(); err != nil {
				return err
			}
		}
	}
	if p.file != nil {
		if err := errors.Join(p.flushCarried(), p.file.Close()); err != nil {
			return fmt.Errorf("finishing compressed representations: %w", err)
		}
		sum := p.hash.Sum64()
		name = fmt.Sprintf("%016x%s", sum, packExtension)
		p.written = append(p.written, stagedPack{p.stagedPack(), name, sum})
	}
	p.manifest.NamePack(p.packName(), name)
	p.done = append(p.done, name)
	p.groups, p.size, p.same, p.kept, p.file = 0, 0, "", p.kept[:0], nil
	return nil
}

// lastSize returns the size in bytes of a pack in the last build.
func (p *packs) lastSize(name string) (int64, error) {
	if p.since != nil {
		return p.since.PackSize(name), nil
	}
	info, err := os.Stat(filepath.Join(p.dir, artifact.CodedDir, name))
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (p *packs) stagedPack() string { return filepath.Join(p.spare, p.packName()) }

// openSegment starts a file for the segment because the segment differs from the last build's. It does nothing if the
// file is open already.
func (p *packs) openSegment() (err error) {
	if p.file != nil {
		return nil
	}
	if p.file, err = p.disk.writer(p.stagedPack()); err != nil {
		return fmt.Errorf("creating a file of compressed representations: %w", err)
	}
	p.hash, p.size = xxhash.New(), 0
	for _, b := range p.kept {
		if _, err := p.carry(b); err != nil {
			return err
		}
	}
	return nil
}

// appendCoded appends a body to the segment and returns its offset.
func (p *packs) appendCoded(coded []byte) (offset int64, err error) {
	if err := errors.Join(p.openSegment(), p.flushCarried()); err != nil {
		return 0, err
	}
	offset = p.size
	p.size += int64(len(coded))
	return offset, p.writeCoded(coded)
}

func (p *packs) writeCoded(coded []byte) error {
	if _, err := p.file.Write(coded); err != nil {
		return fmt.Errorf("writing compressed representations: %w", err)
	}
	// A digest's Write never fails.
	_, _ = p.hash.Write(coded)
	return nil
}

// carry copies a body from a pack of the last build and returns its offset in the segment. As long as the segment is a prefix
// of that pack, it doesn't read any bytes.
func (p *packs) carry(b artifact.Body) (int64, error) {
	if p.file == nil && b.Offset == p.size && (p.size == 0 || b.Pack == p.same) {
		p.same, p.kept = b.Pack, append(p.kept, b)
		p.size += b.Size
		return b.Offset, nil
	}
	if err := p.openSegment(); err != nil {
		return 0, err
	}
	// Read many bodies together because they are usually adjacent.
	c := &p.carried
	if c.pack != b.Pack || c.from+c.size != b.Offset || c.size > carriedAtOnce {
		if err := p.flushCarried(); err != nil {
			return 0, err
		}
		c.pack, c.from = b.Pack, b.Offset
	}
	c.size += b.Size
	c.bodies = append(c.bodies, b)
	offset := p.size
	p.size += b.Size
	return offset, nil
}

// carriedAtOnce is the approximate maximum number of bytes in one read from a pack of the last build.
const carriedAtOnce = 1 << 20

// carried contains bodies waiting to be copied from a pack of the last build into the segment.
type carried struct {
	pack       string
	from, size int64
	bodies     []artifact.Body
	buffer     []byte
	file       *os.File
	open       string
}

// flushCarried writes the carried bodies after checking each body against its hash.
func (p *packs) flushCarried() error {
	c := &p.carried
	if c.size == 0 {
		return nil
	}
	if int64(cap(c.buffer)) < c.size {
		c.buffer = make([]byte, c.size)
	}
	buffer := c.buffer[:c.size]
	if err := p.readCarried(buffer); err != nil {
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
	return p.writeCoded(buffer)
}

// readCarried reads the bytes of the carried bodies.
func (p *packs) readCarried(into []byte) error {
	c := &p.carried
	if p.since != nil {
		return p.since.ReadPack(c.pack, into, c.from)
	}
	if c.open != c.pack {
		if err := c.close(); err != nil {
			return err
		}
		file, err := os.Open(filepath.Join(p.dir, artifact.CodedDir, c.pack))
		if err != nil {
			return err
		}
		c.file, c.open = file, c.pack
	}
	_, err := c.file.ReadAt(into, c.from)
	return err
}

func (c *carried) close() error {
	if c.file == nil {
		return nil
	}
	err := c.file.Close()
	c.file, c.open = nil, ""
	return err
}

// place ends the last segment and moves the new packs into the folder of packs under their final names.
func (p *packs) place() error {
	if err := errors.Join(p.endSegment(), p.carried.close()); err != nil {
		return err
	}
	folder := filepath.Join(p.dir, artifact.CodedDir)
	if err := p.disk.mkdirAll(folder); err != nil {
		return err
	}
	for _, w := range p.written {
		if err := placePack(p.disk, w.staged, filepath.Join(folder, w.name), w.hash); err != nil {
			return err
		}
	}
	return nil
}

// placePack moves a pack to its place. Some systems can't replace a file that a server has open. If that file has the same
// bytes, placePack keeps it.
func placePack(d disk, provisional, placed string, hash uint64) error {
	err := d.rename(provisional, placed)
	if err != nil && packHolds(placed, hash) {
		return d.remove(provisional)
	}
	return err
}

// packHolds reports whether the content of the file called name has the given hash.
func packHolds(name string, hash uint64) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	sum := xxhash.New()
	_, err = io.Copy(sum, f)
	return errors.Join(err, f.Close()) == nil && sum.Sum64() == hash
}

// close closes the open files without finishing the current segment.
func (p *packs) close() {
	if p.file != nil {
		_ = p.file.Close()
	}
	_ = p.carried.close()
}

// sweep moves the last build's packs to the spare folder, except packs that the new build shares, and removes packs that no
// manifest refers to. It leaves a pack that it can't remove, for example because a server has it open, to the next build.
func (p *packs) sweep() error {
	folder, spare := filepath.Join(p.dir, artifact.CodedDir), filepath.Join(p.spare, artifact.CodedDir)
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("looking for old compressed representations: %w", err)
	}
	if err := p.disk.removeAll(spare); err != nil {
		return fmt.Errorf("removing old compressed representations: %w", err)
	}
	var last []string
	if m, err := artifact.ReadManifestFile(filepath.Join(p.spare, artifact.LastManifest)); err == nil {
		last = m.Packs()
	}
	for _, e := range entries {
		name := filepath.Join(folder, e.Name())
		if slices.Contains(p.done, e.Name()) || !isPack(e.Name()) {
			continue
		}
		if slices.Contains(last, e.Name()) && p.disk.mkdirAll(spare) == nil &&
			p.disk.rename(name, filepath.Join(spare, e.Name())) == nil {
			continue
		}
		_ = p.disk.remove(name)
	}
	return nil
}

// isPack reports whether name has the form of a pack's name.
func isPack(name string) bool {
	hash, ok := strings.CutSuffix(name, packExtension)
	return ok && len(hash) == 16 && strings.Trim(hash, "0123456789abcdef") == ""
}
