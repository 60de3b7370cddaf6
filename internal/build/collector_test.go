package build

import (
	"runtime"
	"runtime/metrics"
	"testing"
	"time"
)

func TestPace(t *testing.T) {
	const mb = 1 << 20
	cases := []struct {
		live, expected uint64
		want           int
	}{
		{0, 128 * mb, relaxedPace}, {2 * mb, 128 * mb, relaxedPace}, {16 * mb, 128 * mb, 700}, {32 * mb, 128 * mb, 300}, {64 * mb, 128 * mb, 100},
		{80 * mb, 128 * mb, 60}, {100 * mb, 128 * mb, tightPace}, {129 * mb, 128 * mb, defaultPace}, {500 * mb, 128 * mb, defaultPace},
	}
	for _, c := range cases {
		if got := pace(c.live, c.expected); got != c.want {
			t.Errorf("pace(%d MB, %d MB) = %d, want %d", c.live/mb, c.expected/mb, got, c.want)
		}
	}
}

// If a site needs more memory than expected, the pace is Go's default. After the build, the pace is the same as before
// the build.
func TestCollectorFollowsMemory(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	gogc := func() uint64 {
		s := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		metrics.Read(s)
		return s[0].Value.Uint64()
	}
	before := gogc()
	c := relaxCollector()
	site := make([]byte, leastMemory)
	for tries := 0; gogc() != defaultPace; tries++ {
		if tries == 1000 {
			t.Fatalf("the pace is %d %% for a site of %d bytes", gogc(), len(site))
		}
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	c.loaded(leastMemory)
	for tries := 0; gogc() != relaxedPace; tries++ {
		if tries == 1000 {
			t.Fatalf("the pace is %d %% for a site that is expected to be large", gogc())
		}
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	runtime.KeepAlive(site)
	c.restore()
	runtime.GC()
	if got := gogc(); got != before {
		t.Errorf("the pace after the build is %d %%, and was %d %% before it", got, before)
	}
}

// GOGC and GOMEMLIMIT in the environment take precedence over a build's pace.
func TestCollectorOfEnvironment(t *testing.T) {
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("GOGC", "")
			t.Setenv("GOMEMLIMIT", "")
			t.Setenv(name, "50")
			c := relaxCollector()
			c.loaded(10)
			if c != nil {
				t.Errorf("the build changes the pace although %s sets it", name)
			}
			c.restore()
		})
	}
}

// Regression test: a build must not start with the relaxed pace if the program already uses much memory, for example
// after an import. Otherwise, the heap grows to many times that memory before the first collection.
func TestCollectorCountsMemoryOfCaller(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	held := make([]byte, leastMemory)
	runtime.GC()
	c := relaxCollector()
	s := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(s)
	c.restore()
	if got := s[0].Value.Uint64(); got != defaultPace {
		t.Errorf("the pace is %d %% with %d bytes held, want %d %%", got, len(held), defaultPace)
	}
	runtime.KeepAlive(held)
}
