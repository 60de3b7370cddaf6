//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"

	"vitrine/internal/lab/bench/corpus"
)

// seed is the seed of the corpus.
const seed = 1

const (
	// inMemory is the mount point of an in-memory file system.
	inMemory = "/dev/shm"
	// enough is the maximum space, in bytes, that the sites and builds of a comparison need.
	enough = 12 << 30
)

// usualFolder returns the folder for sites and builds. It is in memory if there is enough space, because the benchmark
// compares programs, not disks. On a disk, file creation slows down as the number of recently removed files grows,
// regardless of the program.
func usualFolder() string {
	var room syscall.Statfs_t
	if err := syscall.Statfs(inMemory, &room); err == nil && room.Bavail*uint64(room.Bsize) >= enough {
		return inMemory
	}
	return os.TempDir()
}

// suite contains the configuration and state of a measurement.
type suite struct {
	// rounds and posts, if not 0, override the numbers that each comparison uses.
	rounds, posts int
	// The paths of the programs, or "" for missing programs.
	vitrineProgram, hugoProgram, pagefindProgram, eleventyProgram, nodeProgram, floorProgram string
	// sharpScript is the path of the script that makes copies of photographs with sharp.
	sharpScript string
	// dir is the folder for all generated files. It is removed at the end.
	dir string
	// folders is the number of paths that fresh has returned.
	folders int
	// edits is the number of edits made to posts.
	edits int
}

// prepare creates a folder, compiles the programs of this module, and finds the peers.
func (s *suite) prepare(ctx context.Context, temporary string) (err error) {
	// Node.js imports a script only by its absolute path.
	if temporary, err = filepath.Abs(temporary); err != nil {
		return fmt.Errorf("resolving the path of the folder for the measurement: %w", err)
	}
	if s.dir, err = os.MkdirTemp(temporary, "vitrine-bench-"); err != nil {
		return fmt.Errorf("creating a folder for the measurement: %w", err)
	}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	if s.vitrineProgram, err = s.compile(ctx, "vitrine/cmd/vitrine"); err != nil {
		return err
	}
	if s.floorProgram, err = s.compile(ctx, "vitrine/internal/lab/bench/floor"); err != nil {
		return err
	}
	s.hugoProgram = present("Hugo", s.hugoProgram)
	s.pagefindProgram = present("pagefind", s.pagefindProgram)
	s.eleventyProgram = present("Eleventy", s.eleventyProgram)
	return nil
}

func (s *suite) compile(ctx context.Context, pkg string) (string, error) {
	program := filepath.Join(s.dir, filepath.Base(pkg))
	out, err := exec.CommandContext(ctx, "go", "build", "-o", program, pkg).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("building %s: %w\n%s", pkg, err, out)
	}
	return program, nil
}

// present returns the full path of a peer's program, or "" if it is missing or not requested.
func present(name, program string) string {
	if program == "" {
		return ""
	}
	path, err := filepath.Abs(program)
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		tell("skipping %s, because %s is missing; `make bench-tools` installs it", name, program)
		return ""
	}
	return path
}

func (s *suite) close() {
	if err := os.RemoveAll(s.dir); err != nil {
		tell("removing the results: %v", err)
	}
}

// fresh returns the path of a folder that doesn't exist yet, because building over an old build takes several times as
// long on some file systems.
func (s *suite) fresh() string {
	s.folders++
	return filepath.Join(s.outputs(), strconv.Itoa(s.folders))
}

// outputs returns the parent of the folders that fresh returns.
func (s *suite) outputs() string { return filepath.Join(s.dir, "out") }

// clear removes all builds made so far.
func (s *suite) clear() error {
	if err := os.RemoveAll(s.outputs()); err != nil {
		return fmt.Errorf("removing builds: %w", err)
	}
	return nil
}

// site returns the root of a generator's site. The first call creates the site. A measurement that changes its site
// must use its own purpose.
func (s *suite) site(purpose string, g generator, posts int, o corpus.Options) (string, error) {
	root := filepath.Join(s.dir, "sites", fmt.Sprintf("%s-%s-%d", purpose, g.name, posts))
	if _, err := os.Stat(root); err == nil {
		return root, nil
	}
	tell("writing %s posts for %s", thousands(posts), g.name)
	if err := g.write(root, corpus.Posts(posts, seed), o); err != nil {
		return "", err
	}
	return root, nil
}

// sizes returns the numbers of posts for a comparison: only s.posts if it is set, and usual otherwise.
func (s *suite) sizes(usual ...int) []int {
	if s.posts > 0 {
		return []int{s.posts}
	}
	return usual
}

// times returns the number of rounds for a comparison: s.rounds if it is set, and usual otherwise.
func (s *suite) times(usual int) int {
	if s.rounds > 0 {
		return s.rounds
	}
	return usual
}

// tell reports progress on standard error.
func tell(format string, arguments ...any) {
	fmt.Fprintf(os.Stderr, "bench: "+format+"\n", arguments...)
}
