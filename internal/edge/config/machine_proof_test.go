//go:build proof && unix

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

// Each unit is well formed. systemd must know every directive, because it silently ignores a misspelled one. The
// sandbox grants almost no access.
func TestSystemdUnit(t *testing.T) {
	analyze := tool(t, "systemd-analyze")
	for flags, most := range units() {
		unit := write(t, "vitrined.service", config(t, append([]string{"systemd"}, strings.Fields(flags)...)...))
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
			t.Errorf("%s: the exposure of the unit is %s, want %.1f at most:\n%s", flags, m[1], most, out)
		}
		t.Logf("vitrined.service %s: exposure %s of 10", flags, m[1])
		// The exit code of systemd-analyze also reflects programs missing on this machine, so only its remarks on the
		// unit's lines count here.
		out, _ = exec.Command(analyze, "verify", "--man=no", "--recursive-errors=no", unit).CombinedOutput()
		for line := range strings.Lines(string(out)) {
			// systemd 253 introduced this service type.
			if strings.Contains(line, "Failed to parse service type, ignoring: notify-reload") {
				continue
			}
			if strings.Contains(line, "vitrined.service:") && !strings.Contains(line, "/usr/local/bin/vitrined is not executable") {
				t.Errorf("%s: %s", flags, strings.TrimSpace(line))
			}
		}
	}
}

// The Dockerfile makes a working image from a site's folder. The test puts the files that the Dockerfile adds and
// copies into empty folders, and runs the entry point and the health probe there, with chroot, as the Dockerfile's
// user. It needs no Docker engine. It compares the Dockerfile's instructions with the instructions that this test
// knows, and .dockerignore with the copied files.
func TestDockerImage(t *testing.T) {
	if os.Getuid() != 0 {
		t.Fatal("proving the image needs root, for chroot; run the tests as root or in a container")
	}
	site, stage, image := openDir(t), openDir(t), openDir(t)
	copyInto(t, sample, filepath.Join(site, "build"))
	const archive = "vitrine_1.2.3_linux_amd64"
	if err := os.Mkdir(filepath.Join(site, archive), 0o755); err != nil {
		t.Fatal(err)
	}
	copyInto(t, programs.Vitrined, filepath.Join(site, archive, "vitrined"))
	if out, err := exec.Command("tar", "-C", site, "-czf", filepath.Join(site, archive+".tar.gz"), archive).CombinedOutput(); err != nil {
		t.Fatalf("tar: %v\n%s", err, out)
	}
	ignored := config(t, "dockerignore")
	var user, entry, health []string
	for line := range strings.Lines(strings.ReplaceAll(config(t, "docker", "--release", "1.2.3"), "${TARGETARCH}", "amd64")) {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		if words[0] == "ADD" || words[0] == "COPY" && len(words) == 3 {
			if name := strings.Replace(words[1], "1.2.3_linux_amd64", "*_linux_*", 1); !strings.Contains(ignored, "!"+name+"\n") {
				t.Errorf(".dockerignore keeps %s out", words[1])
			}
		}
		rest := strings.TrimSpace(strings.TrimPrefix(line, words[0]))
		quoted := regexp.MustCompile(`"([^"]*)"`).FindAllString(rest, -1)
		switch words[0] {
		case "ADD":
			if out, err := exec.Command("tar", "-C", stage, "-xzf", filepath.Join(site, words[1])).CombinedOutput(); err != nil {
				t.Fatalf("tar: %v\n%s", err, out)
			}
		case "COPY":
			from := filepath.Join(site, words[1])
			if words[1] == "--from=release" {
				from = filepath.Join(stage, words[2])
			}
			to := filepath.Join(image, words[len(words)-1])
			if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
				t.Fatal(err)
			}
			copyInto(t, from, to)
		case "USER":
			user = strings.Split(rest, ":")
		case "ENTRYPOINT":
			entry = quoted
		case "HEALTHCHECK":
			health = quoted
		case "FROM":
			if words[1] != "scratch" {
				t.Errorf("the image stands on %s", words[1])
			}
		case "ARG", "EXPOSE", "STOPSIGNAL":
		default:
			t.Errorf("%s is no instruction that this test knows", words[0])
		}
	}
	url := startImage(t, image, user, entry)
	for path, want := range map[string]int{"/": 200, "/api/v1/marketing": 200, "/etc/passwd": 404} {
		if resp, _ := ask(t, "GET", url+path); resp.StatusCode != want {
			t.Errorf("in the image %s returned %s", path, resp.Status)
		}
	}
	// The server accepts requests before it has read the complete build.
	rig.Until(t, "the server is ready", func() bool {
		resp, _ := ask(t, "GET", url+"/readyz")
		return resp.StatusCode == 200
	})
	for path, well := range map[string]bool{"/readyz": true, "/nothing": false} {
		var arguments []string
		for _, q := range health {
			arguments = append(arguments, strings.ReplaceAll(strings.Trim(q, `"`), "http://127.0.0.1:8080/readyz", url+path))
		}
		probe := inImage(t, image, user, arguments)
		if out, err := probe.CombinedOutput(); (err == nil) != well {
			t.Errorf("the health probe of %s ends with %v:\n%s", path, err, out)
		}
	}
}

// inImage returns a command that runs in the image, as its user.
func inImage(t *testing.T, image string, user, arguments []string) *exec.Cmd {
	t.Helper()
	uid, err := strconv.ParseUint(user[0], 10, 32)
	if err != nil || uid == 0 {
		t.Fatalf("the image's user is %v, want a number that is not 0", user)
	}
	cmd := exec.Command(arguments[0], arguments[1:]...)
	cmd.Dir, cmd.Path, cmd.Env, cmd.Err = "/", arguments[0], []string{}, nil
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: image, Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
	return cmd
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
	p := newProcess(t, arguments...)
	out := p.cmd.Stdout
	p.cmd = inImage(t, image, user, arguments)
	p.cmd.Stdout, p.cmd.Stderr = out, out
	p.run(t, address)
	return "http://" + address
}
