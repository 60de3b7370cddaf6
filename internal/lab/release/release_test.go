package release

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vitrine/internal/lab/supply"
)

// standIns writes archives like goreleaser's, with one line of text in place of each program.
func standIns(t *testing.T) *Release {
	t.Helper()
	dir := t.TempDir()
	when := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	for _, p := range supply.Platforms() {
		ending, top := "", "vitrine_1.2.3_"+p.OS+"_"+p.Arch
		if p.OS == "windows" {
			ending = ".exe"
		}
		var files []file
		for _, name := range []string{"vitrine" + ending, "vitrined" + ending, "LICENSE", "LICENSES-OF-MODULES.txt", "README.md"} {
			files = append(files, file{top + "/" + name, 0o755, []byte(name + " for " + top)})
		}
		name := filepath.Join(dir, top)
		var data []byte
		var err error
		if p.OS == "windows" {
			name += ".zip"
			var b bytes.Buffer
			z := zip.NewWriter(&b)
			for _, f := range files {
				w, err := z.CreateHeader(&zip.FileHeader{Name: f.name, Modified: when})
				if err != nil {
					t.Fatal(err)
				}
				_, _ = w.Write(f.body)
			}
			err = z.Close()
			data = b.Bytes()
		} else {
			name += ".tar.gz"
			if data, err = tarball(files, when); err == nil {
				data, err = zipped(data)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Open(dir, "Acorn/vitrine")
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Pack(); err != nil {
		t.Fatal(err)
	}
	return r
}

// unpacked returns the contents of the files in a tar file, keyed by name.
func unpacked(t *testing.T, data []byte) map[string]string {
	t.Helper()
	files := make(map[string]string)
	for r := tar.NewReader(bytes.NewReader(data)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		} else if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[h.Name] = string(body)
	}
}

func unzipped(t *testing.T, data []byte) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

func (r *Release) file(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(r.Folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The npm package depends on one package per platform, in the same version. Each package contains the programs of its
// archive, is only for its system, and has no install script.
func TestNPMPackages(t *testing.T) {
	r := standIns(t)
	var launcher npmPackage
	files := unpacked(t, unzipped(t, r.file(t, "acorn-vitrine-1.2.3.tgz")))
	if err := json.Unmarshal([]byte(files["package/package.json"]), &launcher); err != nil {
		t.Fatal(err)
	}
	if launcher.Name != "@acorn/vitrine" || len(launcher.Optional) != 6 || !strings.Contains(files["package/launch.js"], "`@acorn/vitrine-${") ||
		!strings.HasPrefix(files["package/"+launcher.Bin["vitrined"]], "#!/usr/bin/env node\n") {
		t.Errorf("the package is %+v with %d files", launcher, len(files))
	}
	for _, p := range supply.Platforms() {
		system, cpu := npmPlatform(p)
		name := "vitrine-" + system + "-" + cpu
		if launcher.Optional["@acorn/"+name] != "1.2.3" {
			t.Errorf("%s is not asked for in this version", name)
		}
		files := unpacked(t, unzipped(t, r.file(t, "acorn-"+name+"-1.2.3.tgz")))
		var m npmPackage
		if err := json.Unmarshal([]byte(files["package/package.json"]), &m); err != nil {
			t.Fatal(err)
		}
		program := "vitrined"
		if p.OS == "windows" {
			program += ".exe"
		}
		if m.OS[0] != system || m.CPU[0] != cpu || files["package/bin/"+program] != program+" for vitrine_1.2.3_"+p.OS+"_"+p.Arch || files["package/LICENSE"] == "" {
			t.Errorf("%s is %+v with %v", name, m, files)
		}
		if strings.Contains(files["package/package.json"], `"scripts"`) {
			t.Errorf("%s has scripts", name)
		}
	}
}

// An image contains every file that it refers to, named by its hash. The image's digest is the checksum of the JSON
// file next to it.
func TestImage(t *testing.T) {
	r := standIns(t)
	files := unpacked(t, r.file(t, "vitrine_1.2.3_image.tar"))
	seen := 0
	read := func(d descriptor, into any) []byte {
		body := files["blobs/sha256/"+strings.TrimPrefix(d.Digest, "sha256:")]
		if digest([]byte(body)) != d.Digest || len(body) != d.Size {
			t.Fatalf("%s is not in the image", d.Digest)
		}
		if err := json.Unmarshal([]byte(body), into); into != nil && err != nil {
			t.Fatal(err)
		}
		seen++
		return []byte(body)
	}
	var index, list imageIndex
	if err := json.Unmarshal([]byte(files["index.json"]), &index); err != nil {
		t.Fatal(err)
	}
	if string(read(index.Manifests[0], &list)) != string(r.file(t, "vitrine_1.2.3_image.json")) {
		t.Error("the list of architectures is another than that beside the image")
	}
	for _, d := range list.Manifests {
		var m imageManifest
		var c imageConfig
		read(d, &m)
		read(m.Config, &c)
		plain := unzipped(t, read(m.Layers[0], nil))
		if c.Architecture != d.Platform["architecture"] || c.RootFS.DiffIDs[0] != digest(plain) {
			t.Errorf("the configuration is of another layer: %+v", c)
		}
		if got, want := unpacked(t, plain)["usr/bin/vitrined"], "vitrined for vitrine_1.2.3_linux_"+c.Architecture; got != want {
			t.Errorf("the program is %q, want %q", got, want)
		}
	}
	if seen != 7 || len(files) != 11 {
		t.Errorf("%d of %d files are named", seen, len(files))
	}
}

// SHA256SUMS contains the checksum of every released file, and the formula contains the checksums of its archives. The
// same archives always produce the same packages.
func TestChecksums(t *testing.T) {
	r, again := standIns(t), standIns(t)
	sums, formula := string(r.file(t, "SHA256SUMS")), string(r.file(t, "vitrine.rb"))
	if sums != string(again.file(t, "SHA256SUMS")) {
		t.Error("the same archives give other packages the second time")
	}
	if n := strings.Count(sums, "\n"); n != 16 {
		t.Errorf("the list has %d lines, want 16: six archives, seven packages of npm, two files of the image, the formula\n%s", n, sums)
	}
	for line := range strings.Lines(sums) {
		want, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		sum := sha256.Sum256(r.file(t, name))
		if got := hex.EncodeToString(sum[:]); got != want {
			t.Errorf("%s has the checksum %s, and the list %s", name, got, want)
		}
		inFormula := strings.HasSuffix(name, ".tar.gz")
		if strings.Contains(formula, "/v1.2.3/"+name+"\"\n      sha256 \""+want+"\"") != inFormula {
			t.Errorf("that the formula has %s is %v", name, !inFormula)
		}
	}
}
