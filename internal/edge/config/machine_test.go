//go:build unix

package config_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"vitrine/internal/lab/rig"
)

// The unit is well formed, and its sandbox leaves next to nothing open by
// systemd's own reckoning, which goes from 0 to 10.
func TestSystemdUnit(t *testing.T) {
	const most = 1.5
	analyze := tool(t, "systemd-analyze")
	for _, upstream := range []string{"127.0.0.1:8080", "0.0.0.0:8080"} {
		unit := write(t, "vitrined.service", config(t, "systemd", "--upstream", upstream))
		out, err := exec.Command(analyze, "security", "--offline=true", "--no-pager", unit).CombinedOutput()
		if err != nil {
			t.Fatalf("systemd-analyze security: %v\n%s", err, out)
		}
		m := regexp.MustCompile(`Overall exposure level for vitrined\.service: ([0-9.]+)`).FindSubmatch(out)
		if m == nil {
			t.Fatalf("systemd-analyze does not print the exposure:\n%s", out)
		}
		exposure, err := strconv.ParseFloat(string(m[1]), 64)
		if err != nil || exposure > most {
			t.Errorf("the exposure of a unit on %s is %s, want %.1f at most:\n%s", upstream, m[1], most, out)
		}
		t.Logf("vitrined.service on %s: exposure %s of 10", upstream, m[1])
	}
}

// Every directive of the unit is one that systemd knows, where it says so: a
// directive with a typo is passed over in silence by a running system.
func TestSystemdKnowsEveryDirective(t *testing.T) {
	unit := write(t, "vitrined.service", config(t, "systemd"))
	// Its exit code also speaks of programs that are not installed on this
	// machine; what counts here is what it says of the unit's lines.
	out, _ := exec.Command(tool(t, "systemd-analyze"), "verify", "--man=no", "--recursive-errors=no", unit).CombinedOutput()
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "vitrined.service:") && !strings.Contains(line, "/usr/local/bin/vitrined is not executable") {
			t.Error(strings.TrimSpace(line))
		}
	}
}

// The unit lets no more connections in than its memory holds when none of their
// clients takes its answers: 48 KB each is what docs/reliability.md measured, and
// half of the memory is the site's. The collector's limit is below the system's.
func TestSystemdMemory(t *testing.T) {
	const stalledReader = 48 << 10
	unit := config(t, "systemd")
	number := func(pattern string) int {
		t.Helper()
		m := regexp.MustCompile(`(?m)` + pattern).FindStringSubmatch(unit)
		if m == nil {
			t.Fatalf("the unit has no %s:\n%s", pattern, unit)
		}
		n, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	memory := number(`^MemoryMax=(\d+)M$`) << 20
	connections := number(`^ExecStart=.* -connections (\d+)$`)
	if need := connections * stalledReader; need > memory/2 {
		t.Errorf("%d connections may need %d MiB of %d", connections, need>>20, memory>>20)
	}
	if soft := number(`^Environment=GOMEMLIMIT=(\d+)MiB$`) << 20; soft >= memory || soft < memory*3/4 {
		t.Errorf("GOMEMLIMIT is %d MiB, and MemoryMax %d", soft>>20, memory>>20)
	}
	if files := number(`^LimitNOFILE=(\d+)$`); files < 2*connections {
		t.Errorf("%d files for %d connections", files, connections)
	}
}

// The steps of the Dockerfile make an image that works: its commands are run in
// a copy of the module, what it copies is put into an empty folder, and its
// entry point is started there with chroot and the user that it names. No
// Docker engine takes part; the syntax of the Dockerfile is held against the
// instructions that this test knows.
func TestDockerImage(t *testing.T) {
	rig.Long(t, "hosts")
	if os.Getuid() != 0 {
		t.Fatal("proving the image needs root, for chroot; run the tests as root or in a container")
	}
	out, image := openDir(t), openDir(t)
	var user, entry []string
	for line := range strings.Lines(config(t, "docker")) {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		switch rest := strings.TrimSpace(strings.TrimPrefix(line, words[0])); words[0] {
		case "RUN":
			if strings.HasPrefix(rest, "go mod download") {
				continue // the modules are here
			}
			inModule(t, strings.ReplaceAll(rest, "/out/", out+"/"))
		case "COPY":
			if words[1] == "--from=build" {
				copyInto(t, filepath.Join(out, filepath.Base(words[2])), filepath.Join(image, words[3]))
			}
		case "USER":
			user = strings.Split(rest, ":")
		case "ENTRYPOINT":
			entry = regexp.MustCompile(`"([^"]*)"`).FindAllString(rest, -1)
		case "FROM", "WORKDIR", "ENV", "EXPOSE", "STOPSIGNAL":
		default:
			t.Errorf("%s is no instruction that this test knows", words[0])
		}
	}
	url := startImage(t, image, user, entry)
	for path, want := range map[string]int{"/": 200, "/api/v1/marketing": 200, "/etc/passwd": 404} {
		if resp, _ := ask(t, "GET", url+path); resp.StatusCode != want {
			t.Errorf("in the image %s is answered %s", path, resp.Status)
		}
	}
}

// inModule runs a command of the Dockerfile in the module.
func inModule(t *testing.T, command string) {
	t.Helper()
	c := exec.Command("sh", "-c", command)
	c.Dir = module
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
}

func copyInto(t *testing.T, from, to string) {
	t.Helper()
	if out, err := exec.Command("cp", "-r", from, to).CombinedOutput(); err != nil {
		t.Fatalf("copying %s: %v\n%s", from, err, out)
	}
}

// startImage starts the entry point in the image, on a free port.
func startImage(t *testing.T, image string, user, quoted []string) string {
	t.Helper()
	address := freePort(t)
	var arguments []string
	for _, q := range quoted {
		arguments = append(arguments, strings.ReplaceAll(strings.Trim(q, `"`), "0.0.0.0:8080", address))
	}
	uid, err := strconv.ParseUint(user[0], 10, 32)
	if err != nil || uid == 0 {
		t.Fatalf("the image's user is %v, want a number that is not 0", user)
	}
	p := newProcess(t, arguments...)
	p.cmd.Dir, p.cmd.Path, p.cmd.Env, p.cmd.Err = "/", arguments[0], nil, nil
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: image, Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
	p.run(t, address)
	return "http://" + address
}
