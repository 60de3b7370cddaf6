//go:build packages

package release

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"vitrine/internal/lab/rig"
)

// released returns the release in dist/, or in the folder that VITRINE_DIST names.
func released(t *testing.T) *Release {
	t.Helper()
	folder := os.Getenv("VITRINE_DIST")
	if folder == "" {
		folder = filepath.Join(rig.Root(t), "dist")
	}
	r, err := Open(folder, "vitrine_example/vitrine")
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Fatal("the packages are tried on Linux on amd64")
	}
	return r
}

func run(t *testing.T, dir string, environment []string, arguments ...string) string {
	t.Helper()
	cmd := exec.Command(arguments[0], arguments[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), environment...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(arguments, " "), err, out)
	}
	return string(out)
}

// only returns the path of the single file that matches pattern.
func (r *Release) only(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(r.Folder, pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: %v, %v; want one", pattern, found, err)
	}
	whole, err := filepath.Abs(found[0])
	if err != nil {
		t.Fatal(err)
	}
	return whole
}

// acorn creates a site with a released program and builds it. The new site pins the release by checksum.
func (r *Release) acorn(t *testing.T, program ...string) (site string) {
	t.Helper()
	dir := t.TempDir()
	list := r.only(t, "SHA256SUMS")
	run(t, dir, nil, append(program, "new", "site", "acorn", "--release", r.Version, "--sums", list)...)
	site = filepath.Join(dir, "acorn")
	run(t, site, nil, append(program, "build")...)
	if _, err := os.Stat(filepath.Join(site, "build/public/pricing.html")); err != nil {
		t.Error(err)
	}
	return site
}

// unarchived unpacks the archive for Linux on amd64 and returns the folder with its programs.
func (r *Release) unarchived(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	run(t, dir, nil, "tar", "-xzf", r.only(t, "vitrine_*_linux_amd64.tar.gz"))
	return filepath.Join(dir, "vitrine_"+r.Version+"_linux_amd64")
}

// dpkg unpacks the package. Its files equal the archive's files, systemd accepts its units, and it declares its user.
// The test checks only the syntax of the package's scripts and doesn't run them.
func TestDeb(t *testing.T) {
	r := released(t)
	deb, root := r.only(t, "*_amd64.deb"), t.TempDir()
	if out := run(t, "", nil, "dpkg-deb", "--field", deb, "Package", "Version", "Architecture"); !strings.Contains(out, "Package: vitrine\n") ||
		!strings.Contains(out, "Version: "+strings.Replace(r.Version, "-", "~", 1)+"\n") || !strings.Contains(out, "Architecture: amd64\n") {
		t.Errorf("the package is %s", out)
	}
	for _, dir := range []string{"updates", "info", "triggers"} {
		if err := os.MkdirAll(filepath.Join(root, "var/lib/dpkg", dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"status", "available"} {
		if err := os.WriteFile(filepath.Join(root, "var/lib/dpkg", file), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	// dpkg would run the package's scripts with the folder as root, but the folder contains no shell. Therefore, dpkg
	// only unpacks the package, and the scripts' syntax is checked below.
	run(t, "", nil, "dpkg", "--root="+root, "--force-not-root", "--force-script-chrootless", "--log=/dev/null", "--unpack", deb)
	r.checkInstalled(t, root)
	scripts := t.TempDir()
	run(t, "", nil, "dpkg-deb", "--control", deb, scripts)
	for _, script := range []string{"postinst", "prerm", "postrm"} {
		run(t, "", nil, "sh", "-n", filepath.Join(scripts, script))
	}
}

// rpm reads the package's metadata, and the unpacked files equal the archive's files.
func TestRPM(t *testing.T) {
	r := released(t)
	rpm, root := r.only(t, "*.x86_64.rpm"), t.TempDir()
	database := []string{"--dbpath", t.TempDir()}
	if out, want := run(t, "", nil, append([]string{"rpm", "-qp", "--qf", "%{NAME} %{VERSION}-%{RELEASE} %{ARCH} %{LICENSE} %{BUILDHOST}", rpm}, database...)...),
		"vitrine "+strings.Replace(r.Version, "-", "~", 1)+"-1 x86_64 Apache-2.0 vitrine"; !strings.Contains(out, want) {
		t.Errorf("the package is %q, want %q", out, want)
	}
	if out := run(t, "", nil, append([]string{"rpm", "-K", rpm}, database...)...); !strings.Contains(out, "digests OK") {
		t.Errorf("rpm finds %s", out)
	}
	// The names in the package are absolute. Without the flag, cpio would write the files to this machine's system
	// folders.
	run(t, root, nil, "sh", "-c", `rpm2cpio "$0" | cpio -idm --quiet --no-absolute-filenames`, rpm)
	r.checkInstalled(t, root)
}

// checkInstalled compares a package's files under root with the archive and builds a site with them.
func (r *Release) checkInstalled(t *testing.T, root string) {
	t.Helper()
	archive := r.unarchived(t)
	for _, program := range []string{"vitrine", "vitrined"} {
		run(t, "", nil, "cmp", filepath.Join(archive, program), filepath.Join(root, "usr/bin", program))
	}
	r.acorn(t, filepath.Join(root, "usr/bin/vitrine"))
	if manual, err := os.ReadFile(filepath.Join(root, "usr/share/man/man1/vitrine.1")); err != nil || !strings.HasPrefix(string(manual), ".TH VITRINE 1 ") {
		t.Errorf("the manual page is %.100q, %v", manual, err)
	}
	units := filepath.Join(root, "usr/lib/systemd/system")
	service, err := os.ReadFile(filepath.Join(units, "vitrined.service"))
	if err != nil || !strings.Contains(string(service), "\nExecStart=/usr/bin/vitrined -dir /var/lib/vitrine/build ") || !strings.Contains(string(service), "\nExecPaths=/usr/bin/vitrined\n") {
		t.Errorf("the unit starts something else (%v):\n%s", err, service)
	}
	// Ignore systemd-analyze's remarks about programs missing on this machine.
	out, _ := exec.Command("systemd-analyze", "verify", "--man=no", "--recursive-errors=no", filepath.Join(units, "vitrined.service"),
		filepath.Join(units, "vitrine-build.service"), filepath.Join(units, "vitrine-build.timer")).CombinedOutput()
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "vitrine") && !strings.Contains(line, "is not executable") && !strings.Contains(line, "ignoring: notify-reload") {
			t.Error(strings.TrimSpace(line))
		}
	}
	// The package declares the build unit's user and the folder that the unit writes to.
	etc := t.TempDir()
	if err := os.MkdirAll(filepath.Join(etc, "etc"), 0o755); err != nil {
		t.Fatal(err)
	}
	run(t, "", nil, "cp", "-r", filepath.Join(root, "usr"), etc)
	run(t, "", nil, "systemd-sysusers", "--root="+etc, "vitrine.conf")
	if users, err := os.ReadFile(filepath.Join(etc, "etc/passwd")); err != nil || !strings.HasPrefix(string(users), "vitrine:x:") {
		t.Errorf("there is no user (%v): %s", err, users)
	}
	run(t, "", nil, "systemd-tmpfiles", "--root="+etc, "--create", "vitrine.conf")
	if _, err := os.Stat(filepath.Join(etc, "var/lib/vitrine")); err != nil {
		t.Error(err)
	}
}

// Two independent programs, skopeo and umoci, read and unpack the image. The image's digest is the SHA-256 of the JSON
// file next to the image. The programs in the image run without any other files.
func TestImageRuns(t *testing.T) {
	r := released(t)
	image := r.only(t, "vitrine_*_image.tar")
	sum, _, _ := strings.Cut(run(t, "", nil, "sha256sum", r.only(t, "vitrine_*_image.json")), " ")
	layout := filepath.Join(t.TempDir(), "layout")
	run(t, "", nil, "skopeo", "--insecure-policy", "copy", "--quiet", "--all", "--preserve-digests", "oci-archive:"+image+":"+r.Version, "oci:"+layout+":all")
	if index, err := os.ReadFile(filepath.Join(layout, "index.json")); err != nil || !strings.Contains(string(index), "sha256:"+sum) {
		t.Errorf("the image is not sha256:%s (%v): %s", sum, err, index)
	}
	one := filepath.Join(t.TempDir(), "one")
	run(t, "", nil, "skopeo", "--insecure-policy", "--override-arch", "amd64", "--override-os", "linux", "copy", "--quiet", "oci-archive:"+image+":"+r.Version, "oci:"+one+":amd64")
	bundle := filepath.Join(t.TempDir(), "bundle")
	run(t, "", nil, "umoci", "unpack", "--image", one+":amd64", bundle)
	root := filepath.Join(bundle, "rootfs")
	for _, arguments := range [][]string{{"/usr/bin/vitrine", "new", "site", "/tmp/acorn"}, {"/usr/bin/vitrine", "build", "--root", "/tmp/acorn", "--out", "/tmp/build"}, {"/usr/bin/vitrined", "-version"}} {
		cmd := exec.Command(arguments[0], arguments[1:]...)
		cmd.Path, cmd.Dir, cmd.Err, cmd.Env = arguments[0], "/site", nil, []string{"PATH=/usr/bin", "HOME=/tmp"}
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: 65532, Gid: 65532}}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s in the image: %v\n%s", strings.Join(arguments, " "), err, out)
		}
	}
	if _, err := os.Stat(filepath.Join(root, "tmp/build/manifest")); err != nil {
		t.Error(err)
	}
	// The Dockerfile of a new site copies vitrined from its path in the image, pinned by this digest.
	site := r.acorn(t, filepath.Join(root, "usr/bin/vitrine"))
	dockerfile, err := os.ReadFile(filepath.Join(site, "Dockerfile"))
	if want := fmt.Sprintf("\nFROM %s:%s@sha256:%s AS release\n", r.imageName(), r.Version, sum); err != nil || !strings.Contains(string(dockerfile), want) ||
		!strings.Contains(string(dockerfile), "\nCOPY --from=release /usr/bin/vitrined /vitrined\n") {
		t.Errorf("the Dockerfile lacks %s (%v):\n%s", want, err, dockerfile)
	}
}

// Ruby accepts the formula, and with a replacement for Homebrew, the formula installs the programs from the archive.
// The checksums match the files.
func TestFormula(t *testing.T) {
	r := released(t)
	formula := r.only(t, "vitrine.rb")
	run(t, "", nil, "ruby", "-wc", formula)
	prefix, archive := t.TempDir(), r.unarchived(t)
	out := run(t, archive, nil, "ruby", "-e", homebrew, formula, prefix)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 8 {
		t.Fatalf("the formula has %d addresses and checksums, want four of each:\n%s", len(lines)/2, out)
	}
	for i := 0; i < len(lines); i += 2 {
		file, err := url.Parse(lines[i])
		if err != nil {
			t.Fatal(err)
		}
		if sum := run(t, r.Folder, nil, "sha256sum", filepath.Base(file.Path)); !strings.HasPrefix(sum, lines[i+1]+" ") {
			t.Errorf("the checksum of %s is %s, and %s in the formula", file, sum, lines[i+1])
		}
	}
	r.acorn(t, filepath.Join(prefix, "bin/vitrine"))
	if manual, err := os.ReadFile(filepath.Join(prefix, "man1/vitrine.1")); err != nil || !strings.HasPrefix(string(manual), ".TH VITRINE 1 ") {
		t.Errorf("the manual page is %.100q, %v", manual, err)
	}
}

// homebrew implements the part of Homebrew that the formula needs. It prints the address and checksum of each system's
// download and installs the programs.
const homebrew = `
require "pathname"; require "fileutils"
class Place < Pathname
  def write(text) = (dirname.mkpath; File.write(to_s, text))
  def install(*files) = files.each { |f| mkpath; FileUtils.cp(f, self) }
  def /(name) = Place.new(super)
end
module Utils
  def self.safe_popen_read(*command) = IO.popen(command.map(&:to_s), &:read)
end
class Formula
  class << self
    %i[desc homepage version license].each { |n| define_method(n) { |text| raise n.to_s if text.empty? } }
    %i[on_macos on_linux on_arm on_intel].each { |n| define_method(n) { |&block| block.call } }
    %i[url sha256].each { |n| define_method(n) { |text| puts text } }
    def test(&block) = block or raise("no test")
  end
  def bin = Place.new(ARGV[1]) / "bin"
  def man1 = Place.new(ARGV[1]) / "man1"
  def doc = Place.new(ARGV[1]) / "doc"
  def generate_completions_from_executable(program, *arguments, shells:)
    shells.each { |s| system(program.to_s, *arguments, s.to_s, out: File::NULL) or raise s.to_s }
  end
end
load ARGV[0]
Vitrine.new.install
`

// The action's script installs the programs of this release, with and without a checksum, and rejects a file with a
// wrong checksum. The workflow linter accepts the ci workflow, which uses the action, and a new site's workflow.
func TestAction(t *testing.T) {
	r := released(t)
	releases := t.TempDir()
	folder, err := filepath.Abs(r.Folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(folder, filepath.Join(releases, "v"+r.Version)); err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(run(t, "", nil, "sha256sum", r.only(t, "vitrine_*_linux_amd64.tar.gz")), " ")
	for _, test := range []struct {
		version, sum, runner, says string
		works                      bool
	}{
		{"v" + r.Version, line, "Linux-X64", "vitrine ", true},
		{r.Version, "", "Linux-X64", "pin it with: sha256: " + line, true},
		{r.Version, strings.Repeat("0", 64), "Linux-X64", "none of its programs was run", false},
		{"9.9.9", "", "Linux-X64", "check that 9.9.9 is a release", false},
		{"../x", "", "Linux-X64", "is not a version", false},
		{"", "", "Linux-X64", "is not a version", false},
		{r.Version, "", "Linux-X86", "there is no release for Linux-X86", false},
	} {
		temp := t.TempDir()
		cmd := exec.Command("bash", filepath.Join(rig.Root(t), ".github/action/install.sh"))
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "VERSION=" + test.version, "SHA256=" + test.sum, "OF=" + test.runner, "RELEASES=file://" + releases,
			"RUNNER_TEMP=" + temp, "GITHUB_PATH=" + temp + "/path", "GITHUB_OUTPUT=" + temp + "/output"}
		out, err := cmd.CombinedOutput()
		if (err == nil) != test.works || !strings.Contains(string(out), test.says) {
			t.Errorf("version %q, checksum %q, %s: %v, want %q in\n%s", test.version, test.sum, test.runner, err, test.says, out)
		}
		path, _ := os.ReadFile(temp + "/path")
		if test.works {
			run(t, "", nil, filepath.Join(strings.TrimSpace(string(path)), "vitrine"), "version")
		} else if len(path) > 0 {
			t.Errorf("%q is on the path all the same: %s", test.version, path)
		}
	}
	site := r.acorn(t, filepath.Join(r.unarchived(t), "vitrine"))
	run(t, rig.Root(t), nil, filepath.Join(rig.Root(t), ".tools/bin/actionlint-1.7.12"), filepath.Join(site, ".github/workflows/site.yml"), ".github/workflows/ci.yml")
}
