package artifact

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unsafe"

	"github.com/cespare/xxhash/v2"
)

// Names in a build folder. SpareDir contains the next build while that build is being written. Publishing swaps the two
// builds, so SpareDir then contains the previous build, which readers may still be using.
const (
	ManifestFile = "manifest"
	PublicDir    = "public"
	CodedDir     = "coded"
	SpareDir     = ".spare"
	// AsideDir is the temporary name of the previous public folder under SpareDir on systems that can't swap two
	// folders in one step.
	AsideDir = "public-aside"
	// LastManifest is the manifest of the previous build, under SpareDir. The previous build's compressed
	// representations are also under SpareDir if they differ from the current build's.
	LastManifest = "manifest.last"
)

// ErrBytes is wrapped by every error about a body whose size or hash differs from the manifest.
var ErrBytes = errors.New("the content does not match the build")

// Build is a published build, opened for reading. It keeps reading the same build even if another one is published
// later. Its methods except Close are safe for concurrent use.
type Build struct {
	Manifest *Manifest
	folders  []*publicFolder
	packs    map[string]*pack
	// since is the name of the build on which a sparse build is based, or "" for a complete build.
	since string
	// Elsewhere, if not nil, reads the bodies that are missing from the build's folder. It must check the bytes against
	// the hash in the manifest and be safe for concurrent use.
	Elsewhere func(VariantIndex, BodyIndex) ([]byte, error)
	// located maps the name of each pack to the bodies in the pack; see packed.
	locating sync.Once
	located  map[string][]packedBody
}

// pack is an open file of compressed representations.
type pack struct {
	*os.File
	size int64
}

// Open opens the build in dir and checks its manifest. Representations are checked only when they are read. If dir
// contains a sparse build or one part of a build, the error wraps ErrSparse or ErrPart. To open a sparse build, use
// OpenSparse.
func Open(dir string) (*Build, error) { return openAny(dir, false) }

func openAny(dir string, sparse bool) (*Build, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the build: %w", err)
	}
	defer root.Close()
	// If another build is published while the loop opens this one, the checksum in the manifest's header changes. In
	// that case, start again.
	for {
		since, err := sparseSince(root)
		if err == nil && since != "" && !sparse {
			err = errSparse(dir, since)
		}
		if err != nil {
			return nil, err
		}
		data, sum, err := readSummed(root, ManifestFile)
		if err != nil {
			return nil, errPart(root, dir, err)
		}
		b, err := open(root, data, sum, since, PublicDir, filepath.Join(SpareDir, PublicDir), filepath.Join(SpareDir, AsideDir))
		if head, e := readHead(root); e == nil && !strings.HasPrefix(data, head) {
			if b != nil {
				_ = b.Close()
			}
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("opening the build in %s: %w", dir, err)
		}
		return b, nil
	}
}

// OpenInterrupted opens the build in dir whose publication was interrupted before its manifest left the spare folder.
// The build reads public files only from PublicDir, so Verify fails if the public folders of the two builds weren't
// swapped yet.
func OpenInterrupted(dir string) (*Build, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	data, sum, err := readSummed(root, filepath.Join(SpareDir, ManifestFile))
	if err != nil {
		return nil, err
	}
	return open(root, data, sum, "", PublicDir)
}

// OpenLast opens the previous build in dir. It returns an error if the build's manifest or one of its packs is missing.
// Other parts of the build may be missing or damaged; Verify reports them. The previous build shares unchanged files
// with the current build, so damage to them affects both builds.
func OpenLast(dir string) (*Build, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the previous build: %w", err)
	}
	defer root.Close()
	data, sum, err := readSummed(root, filepath.Join(SpareDir, LastManifest))
	if err != nil {
		return nil, fmt.Errorf("reading the manifest of the previous build: %w", err)
	}
	b, err := open(root, data, sum, "", filepath.Join(SpareDir, PublicDir), PublicDir)
	if err != nil {
		return nil, fmt.Errorf("opening the previous build: %w", err)
	}
	return b, nil
}

// Check returns an error if a file with compressed representations is missing or shorter than the manifest requires. It
// doesn't read the files.
func (b *Build) Check() error {
	for i := range BodyIndex(b.Manifest.BodyCount()) {
		body := b.Manifest.Body(i)
		if body.Pack == "" {
			continue
		}
		if p := b.packs[body.Pack]; p == nil || p.size < body.Offset+body.Size {
			return fmt.Errorf("reading %s/%s at byte %d: %w", CodedDir, body.Pack, body.Offset, errSize(body))
		}
	}
	return nil
}

// OpenOwn opens the build in dir for the only program that publishes there. The program must not publish at the same
// time. Unlike Open, OpenOwn doesn't open and lock the public folder of the previous build, so the next publication can
// reuse that folder.
func OpenOwn(dir string) (*Build, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the build: %w", err)
	}
	defer root.Close()
	data, sum, err := readSummed(root, ManifestFile)
	if err != nil {
		return nil, fmt.Errorf("reading the manifest in %s: %w", dir, err)
	}
	b, err := open(root, data, sum, "", PublicDir)
	if err != nil {
		return nil, fmt.Errorf("opening the build in %s: %w", dir, err)
	}
	return b, nil
}

// open opens a build, given its manifest, the manifest's checksum, and the public folders that exist. since is "" for a
// complete build, in which a missing pack is an error.
func open(root *os.Root, data string, sum uint64, since string, folders ...string) (*Build, error) {
	m, err := newManifest(data, sum)
	if err != nil {
		return nil, err
	}
	b := &Build{Manifest: m, packs: make(map[string]*pack), since: since}
	for _, name := range folders {
		if f, err := openPublic(root, name); err == nil {
			b.folders = append(b.folders, f)
		}
	}
	if len(b.folders) == 0 {
		return nil, fmt.Errorf("opening the folder %s: %w", PublicDir, os.ErrNotExist)
	}
	for _, name := range m.Packs() {
		if b.packs[name] != nil {
			continue
		}
		if b.packs[name], err = openPack(root, name); err != nil {
			delete(b.packs, name)
			if since != "" && errors.Is(err, os.ErrNotExist) {
				continue
			}
			_ = b.Close()
			return nil, fmt.Errorf("opening the compressed representations: %w", err)
		}
	}
	return b, nil
}

func openPack(root *os.Root, name string) (*pack, error) {
	f, err := root.Open(filepath.Join(CodedDir, name))
	if errors.Is(err, os.ErrNotExist) {
		f, err = root.Open(filepath.Join(SpareDir, CodedDir, name))
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &pack{File: f, size: info.Size()}, nil
}

// readHead reads the manifest's magic and checksum, which precede the bytes that the checksum covers.
func readHead(root *os.Root) (string, error) {
	f, err := root.Open(ManifestFile)
	if err != nil {
		return "", err
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, int64(headerAt)))
	return string(head), err
}

// readSummed reads the manifest in the file called name and computes the checksum of the bytes after its checksum
// field.
func readSummed(root *os.Root, name string) (data string, sum uint64, err error) {
	f, err := root.Open(name)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	return ReadSummed(f, headerAt)
}

// ReadSummed returns the content of f and the XXH64 of the bytes after the first head bytes. A server's startup time
// depends on this function, so it hashes each piece while the piece is in the processor's cache, and doesn't copy the
// bytes.
func ReadSummed(f *os.File, head int) (data string, sum uint64, err error) {
	const piece = 256 << 10
	info, err := f.Stat()
	if err != nil {
		return "", 0, err
	}
	// An extra byte lets Read report the end of the file without growing the buffer. The buffer has room for head bytes
	// even if the file is shorter.
	text := freshMemory(max(int(info.Size()), head) + 1)[:0]
	digest := xxhash.New()
	for {
		if len(text) == cap(text) {
			text = append(text, 0)[:len(text)]
		}
		n, err := f.Read(text[len(text):min(cap(text), len(text)+piece)])
		_, _ = digest.Write(text[max(head, len(text)):max(head, len(text)+n)]) // never fails
		text = text[:len(text)+n]
		if err == io.EOF {
			// A string is safe here, because the bytes are never written again.
			return unsafe.String(unsafe.SliceData(text), len(text)), digest.Sum64(), nil
		}
		if err != nil {
			return "", 0, err
		}
	}
}

// publicFolder is an open folder of public files. It stays readable after the folder is renamed. Its lock keeps
// publishers from reusing the folder.
type publicFolder struct {
	root *os.Root
	lock *os.File
}

func openPublic(root *os.Root, name string) (*publicFolder, error) {
	sub, err := root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	dir, err := sub.Open(".")
	if err != nil {
		return nil, errors.Join(err, sub.Close())
	}
	if err := lockShared(dir); err != nil {
		return nil, errors.Join(fmt.Errorf("locking %s: %w", name, err), dir.Close(), sub.Close())
	}
	return &publicFolder{root: sub, lock: dir}, nil
}

// read reads the file called name into the slice returned by memory, and checks its size and hash against want.
func (p *publicFolder) read(name string, want Body, memory func(int) []byte) ([]byte, error) {
	f, err := p.root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return readChecked(io.NewSectionReader(f, 0, info.Size()), want, memory)
}

func (p *publicFolder) Close() error {
	return errors.Join(p.lock.Close(), p.root.Close())
}

// Read returns the bytes of a variant's body after checking them against the hash in the manifest. The error wraps
// ErrBytes if the bytes don't match the hash.
func (b *Build) Read(v VariantIndex, i BodyIndex) ([]byte, error) {
	return b.ReadInto(v, i, func(n int) []byte { return make([]byte, n) })
}

// ReadInto is like Read, but reads into the caller's memory. It calls memory with the size of the body, at most once
// for each possible location of the body. A body from Elsewhere is returned in its own memory instead.
func (b *Build) ReadInto(v VariantIndex, i BodyIndex, memory func(int) []byte) ([]byte, error) {
	body, err := b.readHere(v, i, memory)
	if b.Elsewhere != nil && errors.Is(err, os.ErrNotExist) {
		return b.Elsewhere(v, i)
	}
	return body, err
}

// readHere is like ReadInto, but never calls Elsewhere.
func (b *Build) readHere(v VariantIndex, i BodyIndex, memory func(int) []byte) ([]byte, error) {
	want := b.Manifest.Body(i)
	if want.Pack != "" {
		return b.readPacked(want, memory)
	}
	name := b.Manifest.File(v)
	first := os.ErrNotExist
	for n, f := range b.folders {
		body, err := f.read(name, want, memory)
		if err == nil {
			return body, nil
		}
		if n == 0 {
			first = err
		}
	}
	return nil, fmt.Errorf("reading %s/%s: %w", PublicDir, name, first)
}

func (b *Build) readPacked(want Body, memory func(int) []byte) ([]byte, error) {
	pack, ok := b.packs[want.Pack]
	if !ok {
		return nil, fmt.Errorf("reading %s/%s: %w", CodedDir, want.Pack, os.ErrNotExist)
	}
	size := min(want.Size, max(0, pack.size-want.Offset))
	body, err := readChecked(io.NewSectionReader(pack, want.Offset, size), want, memory)
	if err != nil {
		return nil, fmt.Errorf("reading %s/%s at byte %d: %w", CodedDir, want.Pack, want.Offset, err)
	}
	return body, nil
}

// readChecked reads a body and checks its size and hash against the manifest. It checks the size before it allocates
// memory, so an invalid manifest can't make it allocate more than the size of the file.
func readChecked(r *io.SectionReader, want Body, memory func(int) []byte) ([]byte, error) {
	if r.Size() != want.Size {
		return nil, errSize(want)
	}
	body := memory(int(want.Size))
	switch _, err := io.ReadFull(r, body); {
	case err == io.EOF, err == io.ErrUnexpectedEOF:
		return nil, errSize(want) // the file was truncated in the meantime
	case err != nil:
		return nil, err
	}
	if sum := Hash(body); sum != want.Hash {
		return nil, fmt.Errorf("%w: hash %016x, want %016x", ErrBytes, sum, want.Hash)
	}
	return body, nil
}

func errSize(want Body) error {
	return fmt.Errorf("%w: size differs from the %d bytes in the manifest", ErrBytes, want.Size)
}

// Close closes the build's files. Bodies already read stay valid.
func (b *Build) Close() error {
	var problems []error
	for _, f := range b.folders {
		problems = append(problems, f.Close())
	}
	for _, f := range b.packs {
		problems = append(problems, f.Close())
	}
	return errors.Join(problems...)
}
