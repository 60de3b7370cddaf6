package record

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/artifact"
	"vitrine/internal/codec"
)

// magic is the start of each file that is stored for the next run. The number in magic changes with the format.
const magic = magicName + "10\n"

// magicName is the part of magic that all versions of the format share.
const magicName = "vitrine build "

var errOtherFormat = errors.New("another version of Vitrine wrote the file")

// fileHead is the size in bytes of a file's header, which consists of magic and the hash of the content.
const fileHead = len(magic) + 8

// ReadFile reads a file written by a File, and returns the file's content and the hash of the content. It returns an
// error if the hash doesn't match.
func ReadFile(name string) (*codec.Reader, uint64, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, 0, err
	}
	data, sum, err := artifact.ReadSummed(f, fileHead)
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, 0, err
	}
	return parseFile(data, sum)
}

// parseFile checks the header in data, a complete file, and returns the file's content and sum. sum is the actual hash
// of the content, which must be equal to the hash in the header.
func parseFile(data string, sum uint64) (*codec.Reader, uint64, error) {
	if strings.HasPrefix(data, magicName) && !strings.HasPrefix(data, magic) {
		return nil, 0, errOtherFormat
	}
	if len(data) < fileHead || !strings.HasPrefix(data, magic) {
		return nil, 0, errors.New("the file is not a build cache file")
	}
	if codec.NewReader(data[len(magic):fileHead]).Hash() != sum {
		return nil, 0, errors.New("the content does not match its checksum")
	}
	return codec.NewReader(data[fileHead:]), sum, nil
}

// A File is a file being written. Its header contains a hash of its content. Until Finish, its name is provisional.
type File struct {
	name, provisional string
	file              *os.File
	out               *bufio.Writer
	hash              *xxhash.Digest
	// failed is the first error. After an error, Write does nothing.
	failed error
}

// CreateFile creates a file with a provisional name, which Finish changes to name. If CreateFile or Write fails, Finish
// returns the error.
func CreateFile(name, provisional string) *File {
	s := &File{name: name, provisional: provisional, hash: xxhash.New()}
	if s.failed = os.MkdirAll(filepath.Dir(name), 0o777); s.failed != nil {
		return s
	}
	s.file, s.failed = os.OpenFile(s.provisional, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if s.failed == nil {
		s.out = bufio.NewWriterSize(s.file, 1<<16)
		_, s.failed = s.out.Write(append([]byte(magic), make([]byte, 8)...))
	}
	return s
}

// Write appends data to the file's content.
func (s *File) Write(data []byte) {
	if s.failed != nil {
		return
	}
	// A digest's Write never fails.
	_, _ = s.hash.Write(data)
	_, s.failed = s.out.Write(data)
}

// Finish completes the file, renames it to its final name, and returns the hash of its content. The error is the first
// error from any step since CreateFile.
func (s *File) Finish() (sum uint64, err error) {
	if s.failed == nil {
		s.failed = s.out.Flush()
	}
	sum = s.hash.Sum64()
	if s.failed == nil {
		_, s.failed = s.file.WriteAt(binary.LittleEndian.AppendUint64(nil, sum), int64(len(magic)))
	}
	if s.failed != nil {
		return 0, errors.Join(s.failed, s.Discard())
	}
	if err := s.file.Close(); err != nil {
		return 0, errors.Join(err, RemoveIfThere(s.provisional))
	}
	// Remove an older file first. If a file replaces another file, some file systems immediately sync it, which is slow
	// and not needed here.
	_ = os.Remove(s.name)
	return sum, os.Rename(s.provisional, s.name)
}

// Discard closes and removes the unfinished file. It does nothing if the file couldn't be created.
func (s *File) Discard() error {
	if s.file == nil {
		return nil
	}
	// Ignore the error, because the file may already be closed.
	_ = s.file.Close()
	return RemoveIfThere(s.provisional)
}

// RemoveIfThere removes the named file. It returns nil if there is no such file.
func RemoveIfThere(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
