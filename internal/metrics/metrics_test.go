package metrics

import (
	"strings"
	"sync"
	"testing"
)

// The text format contains a description and a type for each family, sorted families and samples, escaped labels, and
// cumulative buckets.
func TestWrite(t *testing.T) {
	r := NewRegistry()
	c := NewCounters(r, "b_total", "B's", []string{"what"}, func(k string) []string { return []string{k} })
	c.Inc("y")
	c.Add("x\"\\\n", 2)
	c.Add("y", 0)
	r.Gauge("a_bytes", "A \\ line\nand another", func() float64 { return 1 << 40 })
	r.Gauges("none", "Nothing", nil, func(func(float64, ...string)) {})
	h := NewHistograms(r, "h_seconds", "H", "class", []string{"one", "two"}, []float64{0.5, 2})
	for _, v := range []float64{0.25, 0.5, 1, 4} {
		h[0].Observe(v)
	}
	var b strings.Builder
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	const want = `# HELP a_bytes A \\ line\nand another
# TYPE a_bytes gauge
a_bytes 1099511627776
# HELP b_total B's
# TYPE b_total counter
b_total{what="x\"\\\n"} 2
b_total{what="y"} 1
# HELP h_seconds H
# TYPE h_seconds histogram
h_seconds_bucket{class="one",le="0.5"} 2
h_seconds_bucket{class="one",le="2"} 3
h_seconds_bucket{class="one",le="+Inf"} 4
h_seconds_sum{class="one"} 5.75
h_seconds_count{class="one"} 4
h_seconds_bucket{class="two",le="0.5"} 0
h_seconds_bucket{class="two",le="2"} 0
h_seconds_bucket{class="two",le="+Inf"} 0
h_seconds_sum{class="two"} 0
h_seconds_count{class="two"} 0
# HELP none Nothing
# TYPE none gauge
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	if families := r.Families(); len(families) != 4 || families[0].Name != "a_bytes" {
		t.Errorf("%d families", len(families))
	}
}

// Concurrent counting loses no events, including events of new kinds.
func TestConcurrentCounters(t *testing.T) {
	r := NewRegistry()
	c := NewCounters(r, "n_total", "N", []string{"k"}, func(k string) []string { return []string{k} })
	h := NewHistograms(r, "h", "H", "class", []string{"one"}, []float64{1})
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for i := range 1000 {
				c.Inc(string(rune('a' + i%20)))
				h[0].Observe(1)
			}
		})
	}
	wait.Wait()
	var b strings.Builder
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`n_total{k="a"} 400`, `n_total{k="t"} 400`, `h_count{class="one"} 8000`, `h_sum{class="one"} 8000`} {
		if !strings.Contains(b.String(), want+"\n") {
			t.Errorf("lost counts: want %s in\n%s", want, b.String())
		}
	}
}

// This release of Go supports every runtime metric that the package reads.
func TestRuntimeMetrics(t *testing.T) {
	for _, m := range runtimeMetrics() {
		if v := readRuntime(m.key); v != v || v < 0 {
			t.Errorf("%s: %v", m.name, v)
		}
	}
}
