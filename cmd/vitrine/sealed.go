package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/artifact"
	"vitrine/internal/record"
)

// sealedHead is how many bytes stand before what a sealed file holds: the magic
// and the hash of what follows.
const sealedHead = len(memoryMagic) + 8

// readSealed reads a file that a sealedFile wrote, and its hash.
func readSealed(name string) (*record.Reader, uint64, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, 0, err
	}
	data, sum, err := artifact.ReadSummed(f, sealedHead)
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, 0, err
	}
	if len(data) < sealedHead || !strings.HasPrefix(data, memoryMagic) {
		return nil, 0, errors.New("not a memory")
	}
	if record.NewReader(data[len(memoryMagic):sealedHead]).Hash() != sum {
		return nil, 0, errors.New("not what was written")
	}
	return record.NewReader(data[sealedHead:]), sum, nil
}

// sealedFile is a file that is written with its hash, bit by bit, and takes its
// place when it is whole. Only one is written for a name at a time: a build's
// folder is locked.
type sealedFile struct {
	name string
	file *os.File
	out  *bufio.Writer
	hash *xxhash.Digest
	// failed is the first problem. What is written after it is dropped.
	failed error
}

// createSealed begins a file. What fails is told when it is finished.
func createSealed(name string) *sealedFile {
	s := &sealedFile{name: name, hash: xxhash.New()}
	if s.failed = os.MkdirAll(filepath.Dir(name), 0o777); s.failed != nil {
		return s
	}
	s.file, s.failed = os.OpenFile(s.provisional(), os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if s.failed == nil {
		s.out = bufio.NewWriterSize(s.file, 1<<16)
		_, s.failed = s.out.Write(append([]byte(memoryMagic), make([]byte, 8)...))
	}
	return s
}

func (s *sealedFile) provisional() string { return s.name + ".new" }

// write appends to what the file holds.
func (s *sealedFile) write(data []byte) {
	if s.failed != nil {
		return
	}
	// A digest's Write never fails.
	_, _ = s.hash.Write(data)
	_, s.failed = s.out.Write(data)
}

// finish puts the file in place and returns its hash.
func (s *sealedFile) finish() (sum uint64, err error) {
	if s.failed == nil {
		s.failed = s.out.Flush()
	}
	sum = s.hash.Sum64()
	if s.failed == nil {
		_, s.failed = s.file.WriteAt(binary.LittleEndian.AppendUint64(nil, sum), int64(len(memoryMagic)))
	}
	if s.failed != nil {
		return 0, errors.Join(s.failed, s.drop())
	}
	if err := s.file.Close(); err != nil {
		return 0, errors.Join(err, removeIfThere(s.provisional()))
	}
	// A file that takes the place of another is written to the disk at once by
	// some file systems; this one need not be.
	_ = os.Remove(s.name)
	return sum, os.Rename(s.provisional(), s.name)
}

// drop gives the file up.
func (s *sealedFile) drop() error {
	if s.file == nil {
		return nil
	}
	// It may be closed already.
	_ = s.file.Close()
	return removeIfThere(s.provisional())
}

// writeSealed writes a file with its hash, whole or not at all.
func writeSealed(name string, body []byte) (sum uint64, err error) {
	s := createSealed(name)
	s.write(body)
	return s.finish()
}
