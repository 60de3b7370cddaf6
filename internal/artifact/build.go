package artifact

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Names of what a build folder holds. SpareDir is where the next build is
// written and where, after the two have changed places, the previous one is
// kept: a reader that began with it can go on.
const (
	ManifestFile = "manifest"
	PublicDir    = "public"
	CodedDir     = "coded"
	SpareDir     = ".spare"
	// AsideDir is the previous tree's place below SpareDir for the moment in
	// which two folders change places on a system that needs three steps to it.
	AsideDir = "public-aside"
)

// ErrBytes is wrapped by every refusal to hand out bytes that are not those
// that were built.
var ErrBytes = errors.New("not the bytes that were built")

// Build is a published build, opened for reading. It goes on reading the build
// that it opened while others are published after it.
type Build struct {
	Manifest *Manifest
	trees    []*tree
	packs    map[string]*os.File
}

// Open opens the build in a folder. It reads and checks the manifest, not the
// representations: those are checked as they are read.
func Open(dir string) (*Build, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the build: %w", err)
	}
	defer root.Close()
	// A build may be published between the steps below. Then the manifest's
	// head, which holds its checksum, has changed at the end, and the steps are
	// taken again.
	for {
		data, err := readText(root, ManifestFile)
		if err != nil {
			return nil, fmt.Errorf("reading the manifest of %s: %w", dir, err)
		}
		b, err := open(root, data, PublicDir, filepath.Join(SpareDir, PublicDir), filepath.Join(SpareDir, AsideDir))
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

// OpenInterrupted opens the build whose publication in dir was begun and not
// ended: its manifest is still in the spare folder. Bytes are read from
// build/public alone, so that Verify tells whether the two folders had changed
// places already.
func OpenInterrupted(dir string) (*Build, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	data, err := readText(root, filepath.Join(SpareDir, ManifestFile))
	if err != nil {
		return nil, err
	}
	return open(root, data, PublicDir)
}

// open opens a build with the trees that exist among those named.
func open(root *os.Root, data string, trees ...string) (*Build, error) {
	m, err := ReadManifest(data)
	if err != nil {
		return nil, err
	}
	b := &Build{Manifest: m, packs: make(map[string]*os.File)}
	for _, name := range trees {
		if t, err := openTree(root, name); err == nil {
			b.trees = append(b.trees, t)
		}
	}
	if len(b.trees) == 0 {
		return nil, fmt.Errorf("no folder %s: %w", PublicDir, os.ErrNotExist)
	}
	for _, name := range m.Packs() {
		f, err := root.Open(filepath.Join(CodedDir, name))
		if err != nil {
			_ = b.Close()
			return nil, fmt.Errorf("opening the coded representations: %w", err)
		}
		b.packs[name] = f
	}
	return b, nil
}

// readHead reads the beginning of the manifest, up to what its checksum covers.
func readHead(root *os.Root) (string, error) {
	f, err := root.Open(ManifestFile)
	if err != nil {
		return "", err
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, int64(headerAt)))
	return string(head), err
}

// readText reads a file into a string without a second copy of it.
func readText(root *os.Root, name string) (string, error) {
	f, err := root.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var text strings.Builder
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		text.Grow(int(info.Size()) + bytes.MinRead)
	}
	_, err = io.Copy(&text, f)
	return text.String(), err
}

// Read returns the bytes of a variant's body after holding them against the
// hash in the manifest. The error wraps ErrBytes where they differ.
func (b *Build) Read(v VariantIndex, i BodyIndex) ([]byte, error) {
	record := b.Manifest.Body(i)
	if record.Pack != "" {
		return b.readPacked(record)
	}
	name := b.Manifest.File(v)
	var first error
	for _, t := range b.trees {
		body, err := t.read(name, record)
		if err == nil {
			return body, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, fmt.Errorf("reading %s/%s: %w", PublicDir, name, first)
}

func (b *Build) readPacked(record Body) ([]byte, error) {
	pack, ok := b.packs[record.Pack]
	if !ok {
		return nil, fmt.Errorf("reading %s/%s: %w", CodedDir, record.Pack, os.ErrNotExist)
	}
	body, err := readChecked(io.NewSectionReader(pack, record.Offset, record.Size), record)
	if err != nil {
		return nil, fmt.Errorf("reading %s/%s at %d: %w", CodedDir, record.Pack, record.Offset, err)
	}
	return body, nil
}

// readChecked reads a body that must have the recorded size and hash.
func readChecked(r io.Reader, record Body) ([]byte, error) {
	// A size that no memory holds must fail as a wrong size does, before
	// anything of that size is allocated: so the reader decides how much comes.
	var body bytes.Buffer
	if record.Size < 1<<20 {
		body.Grow(int(record.Size) + bytes.MinRead)
	}
	if _, err := io.Copy(&body, io.LimitReader(r, record.Size+1)); err != nil {
		return nil, err
	}
	if int64(body.Len()) != record.Size {
		return nil, fmt.Errorf("%w: their number differs from the %d of the manifest", ErrBytes, record.Size)
	}
	if sum := Hash(body.Bytes()); sum != record.Hash {
		return nil, fmt.Errorf("%w: their hash is %016x where %016x was built", ErrBytes, sum, record.Hash)
	}
	return bytes.Clone(body.Bytes()), nil
}

// Verify reads every representation and returns what is wrong with the first
// thousand that are wrong, joined.
func (b *Build) Verify(ctx context.Context) error {
	const most = 1000
	var problems []error
	for route := range b.Manifest.Routes() {
		for i := range route.Variants() {
			v := route.Variant(i)
			for coding := range Coding(Codings) {
				body, ok := b.Manifest.BodyIn(v, coding)
				if !ok {
					continue
				}
				if _, err := b.Read(v, body); err != nil {
					problems = append(problems, err)
				}
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(problems) >= most {
			break
		}
	}
	return errors.Join(problems...)
}

// Close lets go of the files. Bytes that were read stay valid.
func (b *Build) Close() error {
	var problems []error
	for _, t := range b.trees {
		problems = append(problems, t.Close())
	}
	for _, f := range b.packs {
		problems = append(problems, f.Close())
	}
	return errors.Join(problems...)
}
