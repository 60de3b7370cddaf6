package publish

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"vitrine/internal/artifact"
)

// What a build has in common with the last one need not be made again: Reuse
// takes resources of the last build over, with their files and their coded
// representations.

// Last is the build that stands. It is nil where there is none, or where it is
// no longer what was published, so that nothing of it can be taken over.
func (s *Stage) Last() *artifact.Manifest {
	if s.ledger == nil {
		return nil
	}
	s.readLast.Do(func() {
		m, err := artifact.ReadManifestFile(filepath.Join(s.dir, artifact.ManifestFile))
		if err != nil || m.Build != s.ledger.build {
			return
		}
		s.last, s.copier = m, artifact.NewCopier(s.manifest, m)
	})
	return s.last
}

// LastBuild identifies the build that Last returns; ok is false where there is
// none. It does not read the build.
func (s *Stage) LastBuild() (build uint64, ok bool) {
	if s.ledger == nil {
		return 0, false
	}
	return s.ledger.build, true
}

// Kind says how the stage writes a build: two builds of one kind differ only in
// what they are given.
func (s *Stage) Kind() string {
	return fmt.Sprint(s.options.Codings, s.options.Derive != nil)
}

// Public is the folder of the last build's public files.
func (s *Stage) Public() string { return filepath.Join(s.dir, artifact.PublicDir) }

// Keep leaves the last build as it is, because this one would be the same.
// Commit then publishes nothing and returns the summary given.
func (s *Stage) Keep(summary Summary) {
	s.summary, s.keep = summary, true
	s.summary.Unchanged = true
}

// Added is the number of resources that were appended so far.
func (s *Stage) Added() int { return s.manifest.Added() }

// OnPublished has a function called when the build is published, while no other
// build of the folder can begin. places are where the resources stand in the
// manifest, in the order in which they were appended.
func (s *Stage) OnPublished(do func(summary Summary, places []uint32) error) {
	s.onPublished = do
}

// Reuse appends resources of the last build, by their places in its manifest.
// They were appended in one call then; see Append.
func (s *Stage) Reuse(routes []uint32) error {
	if err := s.start(); err != nil {
		return err
	}
	last := s.Last()
	if last == nil {
		return errors.New("there is no last build to take anything from")
	}
	if !s.delta {
		if err := s.linkRoutes(last, routes); err != nil {
			return fmt.Errorf("taking files over from the last build: %w", err)
		}
	}
	sum, err := s.copier.Add(routes, provisionalPack, s.carry)
	if err != nil {
		return fmt.Errorf("taking resources over from the last build: %w", err)
	}
	s.summary.Pages += sum.Pages
	s.summary.Files += sum.Files
	s.summary.Bytes += sum.Bytes
	return nil
}

// linkRoutes links the public files of resources into the new public folder.
func (s *Stage) linkRoutes(last *artifact.Manifest, routes []uint32) error {
	var linked [2]string
	for _, index := range routes {
		r, ok := last.RouteAt(index)
		if !ok {
			return artifact.ErrManifest
		}
		for i := range r.Variants() {
			name := last.File(r.Variant(i))
			if name == "" || name == linked[0] || name == linked[1] {
				continue
			}
			linked[0], linked[1] = linked[1], name
			if err := s.link(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// link gives a file of build/public a place in the new public folder too. Nobody
// writes to a file of either in place.
func (s *Stage) link(name string) error {
	path, err := s.place(filepath.Join(s.spare, artifact.PublicDir), name)
	if err != nil {
		return err
	}
	copied, err := s.disk.link(filepath.Join(s.dir, artifact.PublicDir, filepath.FromSlash(name)), path)
	if copied {
		s.copied.Store(true)
	}
	return err
}

// sameAsLast reports whether the last build has a public file with these bytes.
func (s *Stage) sameAsLast(resource, name string, body artifact.Body) bool {
	if s.last == nil {
		return false
	}
	route, ok := s.last.Lookup(resource)
	if !ok {
		return false
	}
	for i := range route.Variants() {
		v := route.Variant(i)
		if s.last.File(v) != name {
			continue
		}
		if index, ok := s.last.BodyIn(v, artifact.Identity); ok {
			was := s.last.Body(index)
			return was.Hash == body.Hash && was.Size == body.Size
		}
	}
	return false
}

// there reports whether build/public, of which nothing is known, has a file with
// these bytes.
func (s *Stage) there(name string, body []byte) bool {
	if !s.public {
		return false
	}
	path := filepath.Join(s.dir, artifact.PublicDir, filepath.FromSlash(name))
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(body)) {
		return false
	}
	is, err := os.ReadFile(path)
	return err == nil && bytes.Equal(is, body)
}

// carry takes a body over from the last build's pack and returns its place in
// the new one. Bodies are read many at a time, for they stand one behind the
// other as a rule.
func (s *Stage) carry(b artifact.Body) (int64, error) {
	c := &s.carried
	if c.pack != b.Pack || c.from+c.size != b.Offset || c.size > carriedAtOnce {
		if err := s.flushCarried(); err != nil {
			return 0, err
		}
		c.pack, c.from = b.Pack, b.Offset
	}
	offset := s.offset + c.size
	c.size += b.Size
	c.bodies = append(c.bodies, b)
	return offset, nil
}

// carriedAtOnce is about how many bytes are read at once from the last pack.
const carriedAtOnce = 1 << 20

// carried are bodies on their way from the last pack into the new one.
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
	c := &s.carried
	if c.size == 0 {
		return nil
	}
	if c.open != c.pack {
		if err := c.close(); err != nil {
			return err
		}
		file, err := os.Open(filepath.Join(s.dir, artifact.CodedDir, c.pack))
		if err != nil {
			return fmt.Errorf("opening the last build's coded representations: %w", err)
		}
		c.file, c.open = file, c.pack
	}
	if int64(cap(c.buffer)) < c.size {
		c.buffer = make([]byte, c.size)
	}
	buffer := c.buffer[:c.size]
	if _, err := c.file.ReadAt(buffer, c.from); err != nil {
		return fmt.Errorf("reading the last build's coded representations: %w", err)
	}
	rest := buffer
	for _, b := range c.bodies {
		if artifact.Hash(rest[:b.Size]) != b.Hash {
			return fmt.Errorf("reading the last build's coded representations: %w", artifact.ErrBytes)
		}
		rest = rest[b.Size:]
	}
	c.size, c.bodies = 0, c.bodies[:0]
	return s.append(buffer)
}

func (c *carried) close() error {
	if c.file == nil {
		return nil
	}
	err := c.file.Close()
	c.file, c.open = nil, ""
	return err
}

// append writes to the end of the pack.
func (s *Stage) append(coded []byte) error {
	if _, err := s.pack.Write(coded); err != nil {
		return fmt.Errorf("writing coded representations: %w", err)
	}
	// A digest's Write never fails.
	_, _ = s.packHash.Write(coded)
	s.offset += int64(len(coded))
	return nil
}
