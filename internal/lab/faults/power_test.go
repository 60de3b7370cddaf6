//go:build proof && power && linux

package faults

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/lab/rig"
)

var copies = flag.Int("copies", 200, "how many `copies` of the disk to take")

// The real program builds on an ext4 file system in an image file, which the test copies at random times. Each copy
// corresponds to the disk after a power loss. A mounted copy contains the complete previous or current build, both for
// vitrined and for a web server that reads public/. Only make soak-power sets the build tag power, because the test
// needs root, loop devices, and mkfs.ext4. The builds get the flags in VITRINE_POWER_FLAGS. With --sync=false, the test
// must fail.
func TestPowerLossOfDisk(t *testing.T) {
	program := program(t)
	dir := t.TempDir()
	image, disk, at := filepath.Join(dir, "image"), filepath.Join(dir, "disk"), filepath.Join(dir, "at")
	source, err := NewSource(filepath.Join(dir, "site"), 11)
	must(t, err, os.Mkdir(disk, 0o777), os.Mkdir(at, 0o777), os.WriteFile(image, nil, 0o600), os.Truncate(image, 48<<20))
	run(t, "mkfs.ext4", "-q", "-F", image)
	run(t, "mount", "-o", "loop", image, disk)
	t.Cleanup(func() { run(t, "umount", disk) })
	out := filepath.Join(disk, "out")
	build := func() uint64 {
		cmd := program.command(t.Context(), source.dir, out)
		if flags := os.Getenv("VITRINE_POWER_FLAGS"); flags != "" {
			cmd.Args = append(cmd.Args, flags)
		}
		_, err := rig.Run(cmd)
		must(t, err)
		found, err := Whole(t.Context(), out)
		must(t, err)
		return found
	}
	last := build()
	random := rand.New(rand.NewPCG(1, 1))
	publics := map[uint64]map[string][]byte{last: publicTree(t, out)}
	old, during, late, wrong, quiet := 0, 0, 0, 0, 0
	for taken := 0; taken < *copies; {
		must(t, source.Edit())
		ended := make(chan uint64, 1)
		go func() { ended <- build() }()
		var snapshots [][]byte
		// Take some copies during the build and one after it.
		var next uint64
		moment := time.Duration(random.IntN(150)) * time.Millisecond
		for next == 0 {
			select {
			case next = <-ended:
				if taken%10 == 0 {
					time.Sleep(time.Duration(random.IntN(11000)) * time.Millisecond)
				}
			case <-time.After(moment):
			}
			if s := snapshot(t, image); s != nil {
				snapshots = append(snapshots, s)
			} else {
				quiet++
			}
			moment = time.Duration(random.IntN(40)) * time.Millisecond
		}
		publics[next] = publicTree(t, out)
		for i, s := range snapshots {
			taken++
			over := i == len(snapshots)-1
			copied := filepath.Join(dir, "copy")
			must(t, os.WriteFile(copied, s, 0o600))
			run(t, "mount", "-o", "loop", copied, at)
			found, err := Whole(t.Context(), filepath.Join(at, "out"))
			switch {
			case err != nil:
			case found != next && (over || found != last):
				err = fmt.Errorf("the build is %016x, of %016x and %016x", found, last, next)
			default:
				is := publicTree(t, filepath.Join(at, "out"))
				if !sameFiles(is, publics[last]) && !sameFiles(is, publics[next]) {
					err = errors.New("a web server finds files of no build")
				}
			}
			run(t, "umount", at)
			switch {
			case err != nil:
				wrong++
				t.Logf("copy %d, behind the end of its build: %t: %v", taken, over, err)
			case over:
				late++
			case found == last:
				old++
			default:
				during++
			}
		}
		delete(publics, last)
		last = next
	}
	t.Logf("%d copies: %d behind the end of a build, %d during one with the last build, %d with the new one, %d wrong; %d moments at which the disk was being written to were tried again",
		old+during+late+wrong, late, old, during, wrong, quiet)
	if wrong > 0 {
		t.Errorf("%d copies are not whole", wrong)
	}
}

// snapshot returns a copy of the image. If the file system writes to the image meanwhile, snapshot tries again. It
// returns nil if the writes don't stop.
func snapshot(t *testing.T, image string) []byte {
	t.Helper()
	before, err := os.ReadFile(image)
	must(t, err)
	for range 10 {
		again, err := os.ReadFile(image)
		must(t, err)
		if bytes.Equal(before, again) {
			return again
		}
		before = again
	}
	return nil
}

func publicTree(t *testing.T, out string) map[string][]byte {
	t.Helper()
	files, err := readTree(filepath.Join(out, artifact.PublicDir))
	must(t, err)
	return files
}

func sameFiles(a, b map[string][]byte) bool {
	for name, data := range a {
		if !bytes.Equal(data, b[name]) {
			return false
		}
	}
	return len(a) == len(b)
}

func run(t *testing.T, name string, arguments ...string) {
	t.Helper()
	if told, err := exec.Command(name, arguments...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", name, arguments, err, told)
	}
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}
