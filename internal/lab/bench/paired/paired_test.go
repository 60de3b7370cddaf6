package paired_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"vitrine/internal/lab/bench/paired"
)

// TestMain lets Run measure the test program itself.
func TestMain(m *testing.M) {
	switch os.Getenv("PAIRED_TEST_BE") {
	case "busy":
		memory := make([]byte, 64<<20)
		for start := time.Now(); time.Since(start) < 100*time.Millisecond; {
			for i := 0; i < len(memory); i += 4096 {
				memory[i]++
			}
		}
		os.Exit(0)
	case "broken":
		_, _ = os.Stderr.WriteString("this is broken\n")
		os.Exit(3)
	}
	os.Exit(m.Run())
}

// Run reverses the order of the contestants in every other round. It calls Before at the start and After at the end of
// each round.
func TestMatchAlternates(t *testing.T) {
	var order []string
	contestant := func(name string) paired.Contestant {
		return paired.Contestant{Name: name, Run: func(_ context.Context, round int) (paired.Sample, error) {
			order = append(order, name)
			return paired.Sample{Wall: time.Duration(round+1) * time.Second}, nil
		}}
	}
	hook := func(mark string) func(context.Context, int) error {
		return func(context.Context, int) error { order = append(order, mark); return nil }
	}
	results, err := paired.Match{
		Rounds: 3, Contestants: []paired.Contestant{contestant("a"), contestant("b"), contestant("c")},
		Before: hook("<"), After: hook(">"),
	}.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(order, ""); got != "<abc><cba><abc>" {
		t.Errorf("the order was %s", got)
	}
	for name, samples := range results {
		if !slices.Equal(samples, []paired.Sample{{Wall: time.Second}, {Wall: 2 * time.Second}, {Wall: 3 * time.Second}}) {
			t.Errorf("%s has the samples %v", name, samples)
		}
	}
}

// An error names the contestant that failed and ends the measurement.
func TestMatchEndsAtAnError(t *testing.T) {
	failure := errors.New("failure")
	fails := func(context.Context, int) error { return failure }
	calls := 0
	good := paired.Contestant{Name: "a", Run: func(context.Context, int) (paired.Sample, error) {
		calls++
		return paired.Sample{}, nil
	}}
	bad := paired.Contestant{Name: "b", Run: func(context.Context, int) (paired.Sample, error) { return paired.Sample{}, failure }}
	for _, c := range []struct {
		match paired.Match
		where string
		calls int
	}{
		{paired.Match{Contestants: []paired.Contestant{good, bad}}, "b, round 1", 1},
		{paired.Match{Contestants: []paired.Contestant{good}, Before: fails}, "preparing round 1", 0},
		{paired.Match{Contestants: []paired.Contestant{good}, After: fails}, "checking round 1", 1},
	} {
		calls = 0
		c.match.Rounds = 3
		_, err := c.match.Run(t.Context())
		if !errors.Is(err, failure) || !strings.Contains(err.Error(), c.where) || calls != c.calls {
			t.Errorf("got %v after %d calls, want an error from %s after %d", err, calls, c.where, c.calls)
		}
	}
}

// Ratios are computed within rounds, so noise that slows a whole round doesn't affect them.
func TestRatiosWithinRounds(t *testing.T) {
	seconds := func(all ...int) (samples []paired.Sample) {
		for _, s := range all {
			samples = append(samples, paired.Sample{Wall: time.Duration(s) * time.Second})
		}
		return samples
	}
	results := paired.Results{"slow": seconds(4, 40, 6), "fast": seconds(2, 10, 2), "short": seconds(1), "nothing": seconds(0, 0, 0)}
	for _, c := range []struct {
		dividend, divisor string
		want              paired.Ratio
	}{
		{"slow", "fast", paired.Ratio{Median: 3, Min: 2, Max: 4, Pairs: 3}},
		{"slow", "slow", paired.Ratio{Median: 1, Min: 1, Max: 1, Pairs: 3}},
		{"slow", "short", paired.Ratio{}},
		{"slow", "nothing", paired.Ratio{}},
		{"slow", "absent", paired.Ratio{}},
	} {
		if got := results.Ratio(c.dividend, c.divisor, paired.Wall); got != c.want {
			t.Errorf("%s ÷ %s is %v, want %v", c.dividend, c.divisor, got, c.want)
		}
	}
	if got := results.Ratio("slow", "fast", paired.Wall).Times(0.5); got != (paired.Ratio{Median: 1.5, Min: 1, Max: 2, Pairs: 3}) {
		t.Errorf("half of it is %v", got)
	}
	if got := results.Median("slow", paired.Wall); got != 6 {
		t.Errorf("the median is %v", got)
	}
}

// String formats a ratio with three significant digits.
func TestRatioIsShown(t *testing.T) {
	for want, r := range map[string]paired.Ratio{
		"**1.24** (0.123–12.3)": {Median: 1.236, Min: 0.1234, Max: 12.34, Pairs: 3},
		"**123** (100–1000)":    {Median: 123.4, Min: 100, Max: 999.7, Pairs: 3},
		"–":                     {},
	} {
		if got := r.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{
		{nil, 0}, {[]float64{3}, 3}, {[]float64{9, 1, 2}, 2}, {[]float64{4, 1, 2, 9}, 3},
	} {
		values := slices.Clone(c.values)
		if got := paired.Median(c.values); got != c.want {
			t.Errorf("the median of %v is %v, want %v", c.values, got, c.want)
		}
		if !slices.Equal(values, c.values) {
			t.Errorf("%v was sorted in place", values)
		}
	}
}

// A sample contains the time and memory used by the measured program.
func TestRunMeasuresTheProgram(t *testing.T) {
	s, err := paired.Run(self(t, "busy"))
	if err != nil {
		t.Fatal(err)
	}
	if s.Wall < 100*time.Millisecond || s.CPU <= 0 {
		t.Errorf("a program that is busy for 100 ms took %v, and %v of CPU", s.Wall, s.CPU)
	}
	if s.Peak < 64<<20 && runtime.GOOS == "linux" {
		t.Errorf("a program that touches 64 MiB had %d bytes", s.Peak)
	}
}

// The peak memory of the measuring program doesn't affect the peak memory of the measured program.
func TestRunMeasuresSmallPeaks(t *testing.T) {
	memory := make([]byte, 256<<20)
	for i := 0; i < len(memory); i += 4096 {
		memory[i]++
	}
	runtime.KeepAlive(memory)
	s, err := paired.Run(self(t, "busy"))
	if err != nil {
		t.Fatal(err)
	}
	if s.Peak > 128<<20 {
		t.Errorf("a program that touches 64 MiB had %d bytes", s.Peak)
	}
}

// If a program fails, the error contains its output.
func TestRunReportsProgramOutput(t *testing.T) {
	if _, err := paired.Run(self(t, "broken")); err == nil || !strings.Contains(err.Error(), "this is broken") {
		t.Errorf("got %v", err)
	}
}

func self(t *testing.T, be string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Env = append(os.Environ(), "PAIRED_TEST_BE="+be)
	return cmd
}
