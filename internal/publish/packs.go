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

// Compressed bodies, and bodies that have no public file, are stored in files called packs. Each pack is named after
// the hash of its content. The content of one pack is called a segment. The boundaries between segments depend only on
// the paths of the appended resources, not on earlier builds. Identical builds therefore have identical packs, and an
// edit changes only the packs with changed bodies. A build reuses all other packs of the previous build.

const (
	// leastSegment is the average number of groups in a segment of a small site. mostSegments is the approximate
	// maximum number of segments of a large site. The number is limited because a server keeps every pack open.
	leastSegment, mostSegments = 16, 64

	packExtension = ".pack"
	// provisionalPack is the prefix of a pack's provisional name. The pack gets its final name when its hash is known.
	provisionalPack = "pack"
)

// packs writes the packs of a build, one after the other.
type packs struct {
	*target
	manifest *artifact.ManifestWriter
	// since is the build from which a sparse build reuses packs. It is nil for a full build.
	since *artifact.Build
	// average is the intended average number of groups in a segment, a power of two. groups is the number of groups in
	// the current segment.
	average, groups int
	// size is the size of the current segment in bytes.
	size int64
	// file is the file of the current segment. It is nil as long as the segment is a prefix of same, a pack of the
	// previous build. kept contains the bodies in that prefix.
	same string
	kept []artifact.Body
	file io.WriteCloser
	hash *xxhash.Digest

	carried carried
	// done contains the names of the finished packs, in the order of the segments.
	done []string
	// written contains the packs in done that the previous build doesn't have. They are staged in the spare folder.
	written []stagedPack
}

// A stagedPack is a finished pack that must still be moved to its place.
type stagedPack struct {
	staged, name string
	hash         uint64
}

// expect sets the average number of groups in a segment for a site with the given number of pages.
func (p *packs) expect(pages int) {
	for p.average = leastSegment; p.average*mostSegments < pages; {
		p.average *= 2
	}
}

// packName returns the provisional name that the pack with the current segment has in the manifest.
func (p *packs) packName() string { return fmt.Sprint(provisionalPack, len(p.done)) }

// endGroup ends a group of bodies, which are the bodies of resources that are appended together. It also ends the
// segment if the hash of path, the path of a resource in the group, selects this boundary. As a result, new or removed
// pages move only the nearest boundaries. before is the size of the segment before the group was appended.
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

// endSegment ends the current segment. It does nothing if the segment is empty.
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
			// The previous build's pack contains more bodies than this segment, so write a new pack.
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

// lastSize returns the size in bytes of the named pack of the previous build.
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

// openSegment creates a file for the segment, because the segment isn't a prefix of a pack of the previous build. It
// does nothing if the file is already open.
func (p *packs) openSegment() (err error) {
	if p.file != nil {
		return nil
	}
	if p.file, err = p.disk.writer(p.stagedPack()); err != nil {
		return fmt.Errorf("creating a file for compressed representations: %w", err)
	}
	p.hash, p.size = xxhash.New(), 0
	for _, b := range p.kept {
		if _, err := p.carry(b); err != nil {
			return err
		}
	}
	return nil
}

// appendCoded appends a new body to the segment and returns its offset.
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

// carry appends a body of the previous build to the segment and returns its offset. It reads no bytes as long as the
// segment is a prefix of the pack that contains the body.
func (p *packs) carry(b artifact.Body) (int64, error) {
	if p.file == nil && b.Offset == p.size && (p.size == 0 || b.Pack == p.same) {
		p.same, p.kept = b.Pack, append(p.kept, b)
		p.size += b.Size
		return b.Offset, nil
	}
	if err := p.openSegment(); err != nil {
		return 0, err
	}
	// Usually, consecutive bodies are adjacent in the pack, so read many of them together.
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

// carriedAtOnce is the approximate maximum number of bytes to read from a pack of the previous build in one call.
const carriedAtOnce = 1 << 20

// carried contains adjacent bodies that must still be copied from a pack of the previous build to the segment.
type carried struct {
	pack       string
	from, size int64
	bodies     []artifact.Body
	buffer     []byte
	file       *os.File
	open       string
}

// flushCarried copies the carried bodies to the segment. It returns an error if a body doesn't match its hash.
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
		return fmt.Errorf("reading the previous build's compressed representations: %w", err)
	}
	rest := buffer
	for _, b := range c.bodies {
		if artifact.Hash(rest[:b.Size]) != b.Hash {
			return fmt.Errorf("reading the previous build's compressed representations: %w", artifact.ErrBytes)
		}
		rest = rest[b.Size:]
	}
	c.size, c.bodies = 0, c.bodies[:0]
	return p.writeCoded(buffer)
}

// readCarried reads the carried bodies into the buffer into.
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

// place ends the last segment and moves the new packs to the folder for packs under their final names.
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

// placePack moves a pack to its place. On some systems, a file that a server has open can't be replaced. If the
// existing file has the same content, placePack keeps it and removes the new file.
func placePack(d disk, provisional, placed string, hash uint64) error {
	err := d.rename(provisional, placed)
	if err != nil && packHolds(placed, hash) {
		return d.remove(provisional)
	}
	return err
}

// packHolds reports whether the content of the named file has the given hash.
func packHolds(name string, hash uint64) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	sum := xxhash.New()
	_, err = io.Copy(sum, f)
	return errors.Join(err, f.Close()) == nil && sum.Sum64() == hash
}

// close closes all open files without finishing the current segment.
func (p *packs) close() {
	if p.file != nil {
		_ = p.file.Close()
	}
	_ = p.carried.close()
}

// sweep moves the packs that only the previous build uses to the spare folder, and removes packs that neither build
// uses. If a pack can't be removed, for example because a server has it open, sweep leaves it to the next build.
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

// isPack reports whether name looks like the name of a finished pack.
func isPack(name string) bool {
	hash, ok := strings.CutSuffix(name, packExtension)
	return ok && len(hash) == 16 && strings.Trim(hash, "0123456789abcdef") == ""
}
