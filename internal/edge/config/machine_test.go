//go:build unix

package config_test

import (
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// units returns the flags of each kind of unit, with the maximum exposure in systemd's own rating, from 0 to 10.
func units() map[string]float64 {
	return map[string]float64{
		"": 1.5, "--upstream 0.0.0.0:8080": 1.5, "--listen 127.0.0.1:9000": 1.5, "--listen :80": 2,
		"--listen :443 --redirect-addr :80 --tls-cert /etc/ssl/cert.pem --tls-key /etc/ssl/private/key.pem":                       2,
		"--listen :443 --redirect-addr :80 --acme-domain a.example --acme-domain www.a.example --acme-email hostmaster@a.example": 2,
	}
}

// A unit's command is valid for vitrined, uses the configured address, and has the privilege for a port under 1024
// only if necessary.
func TestSystemdCommand(t *testing.T) {
	for flags := range units() {
		unit := config(t, append([]string{"systemd"}, strings.Fields(flags)...)...)
		command := regexp.MustCompile(`(?m)^ExecStart=/usr/local/bin/vitrined (.*)$`).FindStringSubmatch(unit)
		if command == nil {
			t.Fatalf("%s: the unit starts nothing:\n%s", flags, unit)
		}
		// With -version, vitrined parses the flags and exits.
		if out, err := exec.Command(programs.Vitrined, append(strings.Fields(command[1]), "-version")...).CombinedOutput(); err != nil {
			t.Errorf("%s: vitrined does not take %s: %v\n%s", flags, command[1], err, out)
		}
		for _, word := range strings.Fields(flags) {
			if !strings.HasPrefix(word, "--") && !strings.Contains(unit, word) {
				t.Errorf("%s: the unit lacks %s", flags, word)
			}
		}
		low := strings.Contains(flags, ":80 ") || strings.HasSuffix(flags, ":80") || strings.Contains(flags, ":443")
		if has := strings.Contains(unit, "\nAmbientCapabilities=CAP_NET_BIND_SERVICE\n") && strings.Contains(unit, "\nPrivateUsers=no\n"); has != low {
			t.Errorf("%s: that the unit may bind a low port is %v", flags, has)
		}
	}
}

// The unit accepts only as many connections as its memory can hold if none of their clients reads
// its responses: 48 KB each, as measured in docs/project/reliability.md, with half of the memory
// for the site. The garbage collector's limit is below the system's.
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

// A reload works with every version of systemd. Before 253, systemd ignores the second Type. ExecReload then sends the
// signal from outside the sandbox, because the sandbox can't run other programs. The unit refers to the man page for
// its documentation.
func TestSystemdReload(t *testing.T) {
	unit := config(t, "systemd")
	for _, want := range []string{"\nType=notify\nType=notify-reload\n", "\nExecReload=+/bin/kill -HUP $MAINPID\n", "\nDocumentation=man:vitrine(1)\n"} {
		if strings.Count(unit, want) != 1 {
			t.Errorf("the unit lacks %q:\n%s", want, unit)
		}
	}
}
