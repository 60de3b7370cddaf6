// Package release creates packages from a release's archives: npm packages, a container image, and a Homebrew formula.
// It doesn't compile anything: each package contains files from the archives, so users need to trust only one build of
// the programs. The same archives always produce the same packages. `make packages` tests these packages, goreleaser's
// packages (deb, rpm), and the GitHub action.
package release

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"vitrine/internal/lab/supply"
)

// Release is a folder with a release's archives, and the repository that publishes it.
type Release struct {
	// Folder is the path of goreleaser's dist folder.
	Folder string
	// Version is the version without "v", such as 1.2.3.
	Version string
	// Repository is the owner and name on GitHub, from which the npm scope and the image name are derived.
	Repository string
}

// repositoryName matches the names that GitHub and, in lower case, npm and image registries accept.
var repositoryName = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9_-]*/[a-zA-Z0-9][a-zA-Z0-9._-]*$`)

// Open opens the release in folder. It takes the version from the name of the Linux archive. It returns an error that
// wraps os.ErrNotExist if the archive of a platform is missing.
func Open(folder, repository string) (*Release, error) {
	if !repositoryName.MatchString(repository) {
		return nil, fmt.Errorf("%q is not a repository; write it as owner/name", repository)
	}
	found, err := filepath.Glob(filepath.Join(folder, "vitrine_*_linux_amd64.tar.gz"))
	if err != nil || len(found) != 1 {
		return nil, fmt.Errorf("%s contains %d archives for Linux on amd64, want exactly one; run \"make snapshot\" or \"make release\": %w", folder, len(found), errors.Join(err, os.ErrNotExist))
	}
	r := &Release{Folder: folder, Repository: repository}
	r.Version = strings.TrimSuffix(strings.TrimPrefix(filepath.Base(found[0]), "vitrine_"), "_linux_amd64.tar.gz")
	for _, p := range supply.Platforms() {
		if _, err := os.Stat(filepath.Join(folder, r.archiveName(p))); err != nil {
			return nil, fmt.Errorf("finding the archive for %s on %s: %w", p.OS, p.Arch, err)
		}
	}
	return r, nil
}

func (r *Release) archiveName(p supply.Platform) string {
	ending := ".tar.gz"
	if p.OS == "windows" {
		ending = ".zip"
	}
	return fmt.Sprintf("vitrine_%s_%s_%s%s", r.Version, p.OS, p.Arch, ending)
}

// lower returns the repository in lower case, as npm and image registries require.
func (r *Release) lower() string { return strings.ToLower(r.Repository) }

// Home returns the repository's address.
func (r *Release) Home() string { return "https://github.com/" + r.Repository }

// file is one file of an archive or a package.
type file struct {
	name string
	mode int64
	body []byte
}

// archive is the release's archive for a platform. files are its files, without the top folder in their names. time is
// the latest modification time of its files, and sha256 is the archive's checksum in hexadecimal.
type archive struct {
	files  []file
	time   time.Time
	sha256 string
}

// pick returns the named files with paths in the folder below. It returns an error if the archive doesn't contain one
// of them.
func (a *archive) pick(below string, names ...string) ([]file, error) {
	var out []file
	for _, name := range names {
		i := slices.IndexFunc(a.files, func(f file) bool { return f.name == name })
		if i < 0 {
			return nil, fmt.Errorf("the archive does not contain %s", name)
		}
		f := a.files[i]
		f.name = path.Join(below, name)
		out = append(out, f)
	}
	return out, nil
}

// read returns the archive for a platform.
func (r *Release) read(p supply.Platform) (*archive, error) {
	name := filepath.Join(r.Folder, r.archiveName(p))
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("reading a release's archive: %w", err)
	}
	sum := sha256.Sum256(data)
	a := &archive{sha256: hex.EncodeToString(sum[:])}
	if p.OS == "windows" {
		err = a.unzip(data)
	} else {
		err = a.untar(data)
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return a, nil
}

func (a *archive) untar(data []byte) error {
	plain, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return err
	}
	for t := tar.NewReader(plain); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		body, err := io.ReadAll(t)
		if err != nil {
			return err
		}
		a.add(h.Name, h.Mode, h.ModTime, body)
	}
}

func (a *archive) unzip(data []byte) error {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			return err
		}
		body, err := io.ReadAll(r)
		if err := errors.Join(err, r.Close()); err != nil {
			return err
		}
		a.add(f.Name, 0o644, f.Modified, body)
	}
	return nil
}

func (a *archive) add(name string, mode int64, modified time.Time, body []byte) {
	_, name, _ = strings.Cut(name, "/")
	if name == "" {
		return // the folder
	}
	// The Windows archive contains no mode bits. writePlatform sets the mode bits of programs on all platforms.
	if a.files = append(a.files, file{name, mode & 0o777, body}); modified.After(a.time) {
		a.time = modified.UTC()
	}
}

// tarball returns a tar file with the given files, in order. It sets the modification time of each file to modified. A
// file whose name ends with "/" is a folder.
func tarball(files []file, modified time.Time) ([]byte, error) {
	var b bytes.Buffer
	t := tar.NewWriter(&b)
	for _, f := range files {
		h := &tar.Header{Name: f.name, Mode: f.mode, Size: int64(len(f.body)), ModTime: modified, Typeflag: tar.TypeReg, Format: tar.FormatUSTAR}
		if strings.HasSuffix(f.name, "/") {
			h.Typeflag = tar.TypeDir
		}
		if err := t.WriteHeader(h); err != nil {
			return nil, fmt.Errorf("packing %s: %w", f.name, err)
		}
		if _, err := t.Write(f.body); err != nil {
			return nil, fmt.Errorf("packing %s: %w", f.name, err)
		}
	}
	// The archive is complete only after Close.
	err := t.Close()
	return b.Bytes(), err
}

func zipped(data []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(data)
	err = errors.Join(err, w.Close())
	return b.Bytes(), err
}

// Pack writes the packages next to the archives, and writes SHA256SUMS with a line for each file of the release.
func (r *Release) Pack() error {
	image := &image{}
	sums := make(map[supply.Platform]string)
	var launcher *archive
	for _, p := range supply.Platforms() {
		a, err := r.read(p)
		if err != nil {
			return err
		}
		sums[p] = a.sha256
		launcher = cmp.Or(launcher, a)
		if err := r.writePlatform(p, a); err != nil {
			return err
		}
		if p.OS == "linux" {
			if err := image.add(r, p.Arch, a); err != nil {
				return err
			}
		}
	}
	if err := r.writeLauncher(launcher); err != nil {
		return err
	}
	if err := image.write(r); err != nil {
		return err
	}
	formula, err := r.formula(sums)
	if err != nil {
		return err
	}
	if err := r.write("vitrine.rb", formula); err != nil {
		return err
	}
	return r.sum()
}

func (r *Release) write(name string, body []byte) error {
	if err := os.WriteFile(filepath.Join(r.Folder, name), body, 0o666); err != nil {
		return fmt.Errorf("writing a release file: %w", err)
	}
	return nil
}

// sum writes SHA256SUMS for all files of the release. It replaces the file written by goreleaser, which lists only
// goreleaser's own files.
func (r *Release) sum() error {
	var lines []string
	for _, pattern := range []string{"vitrine*_" + r.Version + "_*", "*.deb", "*.rpm", "*.tgz", "vitrine.rb"} {
		found, err := filepath.Glob(filepath.Join(r.Folder, pattern))
		if err != nil {
			return err
		}
		for _, name := range found {
			body, err := os.ReadFile(name)
			if err != nil {
				return fmt.Errorf("calculating the checksums of a release: %w", err)
			}
			sum := sha256.Sum256(body)
			lines = append(lines, hex.EncodeToString(sum[:])+"  "+filepath.Base(name)+"\n")
		}
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[64:], b[64:]) })
	return r.write("SHA256SUMS", []byte(strings.Join(slices.Compact(lines), "")))
}
