package build

import (
	"bufio"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/artifact"
	"vitrine/internal/codec"
)

// magic begins each file that a build keeps for the next. It changes with what is
// kept.
const magic = "vitrine build 6\n"

// checksummedHead is how many bytes stand before what such a file holds: the magic
// and the hash of what follows.
const checksummedHead = len(magic) + 8

// readChecksummed reads a file that a checksummedFile wrote, and its hash.
func readChecksummed(name string) (*codec.Reader, uint64, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, 0, err
	}
	data, sum, err := artifact.ReadSummed(f, checksummedHead)
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, 0, err
	}
	if len(data) < checksummedHead || !strings.HasPrefix(data, magic) {
		return nil, 0, errors.New("not what a build keeps")
	}
	if codec.NewReader(data[len(magic):checksummedHead]).Hash() != sum {
		return nil, 0, errors.New("not what was written")
	}
	return codec.NewReader(data[checksummedHead:]), sum, nil
}

// checksummedFile is a file that is written with its hash, piece by piece, and takes its
// place when it is whole. Only one is written for a name at a time: a build's
// folder is locked.
type checksummedFile struct {
	name string
	file *os.File
	out  *bufio.Writer
	hash *xxhash.Digest
	// failed is the first problem. What is written after it is dropped.
	failed error
}

// createChecksummed begins a file. What fails is returned when it is finished.
func createChecksummed(name string) *checksummedFile {
	s := &checksummedFile{name: name, hash: xxhash.New()}
	if s.failed = os.MkdirAll(filepath.Dir(name), 0o777); s.failed != nil {
		return s
	}
	s.file, s.failed = os.OpenFile(s.provisional(), os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if s.failed == nil {
		s.out = bufio.NewWriterSize(s.file, 1<<16)
		_, s.failed = s.out.Write(append([]byte(magic), make([]byte, 8)...))
	}
	return s
}

func (s *checksummedFile) provisional() string { return s.name + ".new" }

// write appends to what the file holds.
func (s *checksummedFile) write(data []byte) {
	if s.failed != nil {
		return
	}
	// A digest's Write never fails.
	_, _ = s.hash.Write(data)
	_, s.failed = s.out.Write(data)
}

// finish puts the file in place and returns its hash.
func (s *checksummedFile) finish() (sum uint64, err error) {
	if s.failed == nil {
		s.failed = s.out.Flush()
	}
	sum = s.hash.Sum64()
	if s.failed == nil {
		_, s.failed = s.file.WriteAt(binary.LittleEndian.AppendUint64(nil, sum), int64(len(magic)))
	}
	if s.failed != nil {
		return 0, errors.Join(s.failed, s.discard())
	}
	if err := s.file.Close(); err != nil {
		return 0, errors.Join(err, removeIfThere(s.provisional()))
	}
	// A file that takes the place of another is written to the disk at once by
	// some file systems; this one need not be.
	_ = os.Remove(s.name)
	return sum, os.Rename(s.provisional(), s.name)
}

// discard gives the file up.
func (s *checksummedFile) discard() error {
	if s.file == nil {
		return nil
	}
	// It may be closed already.
	_ = s.file.Close()
	return removeIfThere(s.provisional())
}
