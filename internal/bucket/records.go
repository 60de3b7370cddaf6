package bucket

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"

	"vitrine/internal/artifact"
)

// Later builds can be based on a build with records; see record.Remote. The heap of records grows with each build, so
// it is stored in several objects, and each build adds one. The build's entry in the object "current" lists the
// objects.

// Part is a file of a build's records or a section of their heap. The name of its object contains its hash.
type Part struct {
	Name string `json:"name"`
	// Offset is the part's offset in the heap in bytes, or 0 for a file.
	Offset int64 `json:"offset,omitempty"`
	// Size is the number of bytes.
	Size int64 `json:"size"`
	// Sum is the XXH64 of the bytes in hexadecimal.
	Sum string `json:"sum"`

	// data contains the bytes of a part to upload, or is nil if they are in a file.
	data []byte
	// file is the path of the file that contains the bytes, and at is their offset in this file. If data is nil and
	// file is "", only the bucket has the bytes.
	file string
	at   int64
}

func (p *Part) key() string { return fmt.Sprintf("%s%s-%d", recordsFolder, p.Sum, p.Size) }

const (
	// maxPart is the maximum size of a new part in bytes.
	maxPart = 8 << 20
	// smallPart is the size in bytes below which a heap's last part is uploaded again, together with the records that
	// follow it. In a large heap, this size is larger; see tailOf.
	smallPart = 64 << 10
	// block is the maximum number of heap bytes that one request reads.
	block = 256 << 10
)

// Stored describes the record files in a folder; see record.Stored.
type Stored struct {
	Dir string
	// Files lists the names of all files except the heap.
	Files []string
	// Heap is the name of the heap. HeapFile is the name of the file that contains the heap's bytes from Base to End,
	// or "" if there is no such file.
	Heap, HeapFile string
	Base, End      int64
	// More contains the bytes of other files, keyed by name.
	More map[string][]byte
	// Since is the result of Records.Describe, or nil.
	Since []byte
}

// parts returns the parts of stored records. It divides the heap at the same offsets as the known parts, up to the
// first part whose bytes differ, so that unchanged parts aren't uploaded again.
func (s *Stored) parts(known []Part) (parts []Part, err error) {
	if s.Since != nil {
		if err := json.Unmarshal(s.Since, &parts); err != nil {
			return nil, fmt.Errorf("reading the records: %w", err)
		}
	}
	for _, name := range s.Files {
		data, err := os.ReadFile(filepath.Join(s.Dir, name))
		if err != nil {
			return nil, fmt.Errorf("reading the records: %w", err)
		}
		parts = append(parts, Part{Name: name, Size: int64(len(data)), Sum: sumOf(data), file: filepath.Join(s.Dir, name)})
	}
	for name, data := range s.More {
		parts = append(parts, Part{Name: name, Size: int64(len(data)), Sum: sumOf(data), data: data})
	}
	if s.HeapFile == "" {
		return parts, nil
	}
	name := filepath.Join(s.Dir, s.HeapFile)
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("reading the records: %w", err)
	}
	defer f.Close()
	heap := io.NewSectionReader(f, 0, s.End-s.Base)
	offset := s.Base
	add := func(size int64) (Part, error) {
		data := make([]byte, size)
		if _, err := heap.ReadAt(data, offset-s.Base); err != nil {
			return Part{}, fmt.Errorf("reading the records: %w", err)
		}
		return Part{Name: s.Heap, Offset: offset, Size: size, Sum: sumOf(data), file: name, at: offset - s.Base}, nil
	}
	kept := known
	if tail := tailOf(known, s.Heap); tail < s.End {
		kept = before(known, s.Heap, tail)
	}
	for _, k := range kept {
		if k.Name != s.Heap || k.Offset != offset || offset+k.Size > s.End {
			continue
		}
		part, err := add(k.Size)
		if err != nil {
			return nil, err
		}
		if part.Sum != k.Sum {
			break
		}
		parts, offset = append(parts, part), offset+k.Size
	}
	for offset < s.End {
		part, err := add(min(maxPart, s.End-offset))
		if err != nil {
			return nil, err
		}
		parts, offset = append(parts, part), offset+part.Size
	}
	return parts, nil
}

func sumOf(data []byte) string { return fmt.Sprintf("%016x", xxhash.Sum64(data)) }

// endOf returns the end of the heap in bytes, or 0 if no part belongs to the heap.
func endOf(parts []Part, heap string) (end int64) {
	for _, p := range parts {
		if p.Name == heap {
			end = max(end, p.Offset+p.Size)
		}
	}
	return end
}

// tailOf returns the offset of a heap's last part if the part is smaller than smallPart or a 32nd of the heap.
// Otherwise, it returns the heap's end. This keeps both the number of parts and the number of rewritten bytes small.
func tailOf(parts []Part, heap string) int64 {
	end := endOf(parts, heap)
	for _, p := range parts {
		if p.Name == heap && p.Offset+p.Size == end && p.Size < max(smallPart, end/32) {
			return p.Offset
		}
	}
	return end
}

// before returns the parts of heap that end at or before offset.
func before(parts []Part, heap string, offset int64) (kept []Part) {
	for _, p := range parts {
		if p.Name == heap && p.Offset+p.Size <= offset {
			kept = append(kept, p)
		}
	}
	return kept
}

// read reads the bytes of a part to upload.
func (p *Part) read() ([]byte, error) {
	if p.data != nil {
		return p.data, nil
	}
	f, err := os.Open(p.file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data := make([]byte, p.Size)
	if _, err := f.ReadAt(data, p.at); err != nil {
		return nil, err
	}
	if sumOf(data) != p.Sum {
		return nil, fmt.Errorf("%w: %s was modified during the deploy", artifact.ErrBytes, p.file)
	}
	return data, nil
}

// planRecords returns the parts of a build's records, the parts that the bucket lacks, and the size of the missing
// parts in bytes. It returns no parts if the records depend on earlier records that the bucket no longer has.
func planRecords(s *Stored, builds []Build) (parts, missing []Part, bytes int64, err error) {
	var known []Part
	has := make(map[string]bool)
	for _, b := range builds {
		if known == nil {
			known = b.Records
		}
		for _, p := range b.Records {
			has[p.key()] = true
		}
	}
	if parts, err = s.parts(known); err != nil {
		return nil, nil, 0, err
	}
	for _, p := range parts {
		if has[p.key()] {
			continue
		}
		if p.file == "" && p.data == nil {
			// The bucket no longer has this part, and this machine never had its bytes.
			return nil, nil, 0, nil
		}
		has[p.key()] = true
		missing, bytes = append(missing, p), bytes+p.Size
	}
	return parts, missing, bytes, nil
}

// putRecords uploads the objects of parts concurrently.
func (s *Store) putRecords(ctx context.Context, parts []Part) error {
	return each(ctx, len(parts), func(i int) int64 { return parts[i].Size }, func(ctx context.Context, _, i int) error {
		data, err := parts[i].read()
		if err != nil {
			return err
		}
		return s.put(ctx, parts[i].key(), data, meta{contentType: "application/octet-stream", cacheControl: "private, no-store"})
	}, func(int) {})
}

// Records reads the records of a build in a bucket. It implements record.Remote and is safe for concurrent use.
type Records struct {
	ctx   context.Context
	store *Store
	heap  string
	parts []Part

	mu     sync.Mutex
	blocks map[blockOf]readBlock
	// failed is the first read error other than missing or wrong bytes.
	failed error
}

// readBlock is the result of reading a block.
type readBlock struct {
	data []byte
	err  error
}

// blockOf identifies a block of a part.
type blockOf struct {
	key   string
	index int64
}

// Records returns a reader of b's records. heap is the name of their heap. Canceling ctx cancels the reader's requests.
func (s *Store) Records(ctx context.Context, b Build, heap string) *Records {
	return &Records{ctx: ctx, store: s, heap: heap, parts: b.Records, blocks: make(map[blockOf]readBlock)}
}

// Read reads the file called name and checks it against its hash. The error wraps os.ErrNotExist if there is no such
// file.
func (r *Records) Read(name string) (data []byte, err error) {
	for _, p := range r.parts {
		if p.Name != name || name == r.heap {
			continue
		}
		if err := r.Err(); err != nil {
			return nil, err
		}
		err = repeat(r.ctx, func() (err error) {
			if data, _, err = r.store.getOnce(r.ctx, p.key(), p.Size); err == nil && sumOf(data) != p.Sum {
				err = artifact.ErrBytes
			}
			return err
		})
		r.mu.Lock()
		defer r.mu.Unlock()
		return data, r.note(&p, err)
	}
	return nil, fmt.Errorf("reading %s: %w", name, os.ErrNotExist)
}

// note adds the address of p's object to err, an error from reading p. It also records the error in r.failed, unless
// the error is about missing or wrong bytes. The caller must hold mu.
func (r *Records) note(p *Part, err error) error {
	if err == nil {
		return nil
	}
	err = fmt.Errorf("reading %s: %w", r.store.at(p.key()), err)
	if r.failed == nil && !errors.Is(err, artifact.ErrBytes) && !errors.Is(err, os.ErrNotExist) {
		r.failed = err
	}
	return err
}

// Err returns the first read error other than missing or wrong bytes, or nil if there is none. After such an error, no
// method sends a request.
func (r *Records) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed
}

// ReadAt reads from the heap in blocks. It implements io.ReaderAt, and returns io.EOF at an offset outside all parts.
func (r *Records) ReadAt(into []byte, offset int64) (n int, err error) {
	for n < len(into) {
		part := r.partAt(offset)
		if part == nil {
			return n, io.EOF
		}
		within := offset - part.Offset
		data, err := r.block(part, within/block)
		if err != nil {
			return n, err
		}
		copied := copy(into[n:], data[within%block:])
		n, offset = n+copied, offset+int64(copied)
	}
	return n, nil
}

func (r *Records) partAt(offset int64) *Part {
	for i := range r.parts {
		if p := &r.parts[i]; p.Name == r.heap && p.Offset <= offset && offset < p.Offset+p.Size {
			return p
		}
	}
	return nil
}

// block returns a block of a part. It requests each block only once, and then returns the stored result.
func (r *Records) block(p *Part, index int64) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	name := blockOf{p.key(), index}
	if read, ok := r.blocks[name]; ok || r.failed != nil {
		return read.data, errors.Join(read.err, r.failed)
	}
	from := index * block
	size := min(block, p.Size-from)
	var data []byte
	err := repeat(r.ctx, func() (err error) {
		data, err = r.store.getRange(r.ctx, p.key(), from, size)
		return err
	})
	err = r.note(p, err)
	r.blocks[name] = readBlock{data, err}
	return data, err
}

// Tail returns the offset from which the next build rewrites the heap.
func (r *Records) Tail() int64 { return tailOf(r.parts, r.heap) }

// Describe returns the value for Stored.Since: a JSON description of the heap's parts before base and, if index is set,
// of the index.
func (r *Records) Describe(base int64, index bool) []byte {
	parts := before(r.parts, r.heap, base)
	for _, p := range r.parts {
		if index && strings.HasSuffix(p.Name, "-index") {
			parts = append(parts, p)
		}
	}
	data, _ := json.Marshal(parts) // never fails
	return data
}
