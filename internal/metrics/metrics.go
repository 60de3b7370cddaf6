// Package metrics maintains counters, gauges, and histograms, and writes them in the Prometheus text format (version
// 0.0.4). Each family of metrics is declared once with its name, type, labels, and description. The text format and the
// reference page both contain the description.
package metrics

import (
	"bufio"
	"cmp"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// Type is the Prometheus type of a family.
type Type string

const (
	TypeCounter   Type = "counter"
	TypeGauge     Type = "gauge"
	TypeHistogram Type = "histogram"
)

// Family declares metrics that share a name, a description, and a type but differ in their label values.
type Family struct {
	Name, Help string
	Type       Type
	// Labels contains the names of the labels, in the same order as their values.
	Labels []string
	// collect adds the family's current samples to a sampler.
	collect func(*sampler)
}

// Registry is a set of families. It is safe for concurrent use if the functions that return the metrics' values are.
type Registry struct {
	mu       sync.Mutex
	families map[string]*Family
}

// NewRegistry returns an empty registry.
func NewRegistry() *Registry { return &Registry{families: make(map[string]*Family)} }

func (r *Registry) add(f Family) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.families[f.Name] = &f
}

// Families returns the declared families, sorted by name.
func (r *Registry) Families() []*Family {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.SortedFunc(maps.Values(r.families), func(a, b *Family) int { return cmp.Compare(a.Name, b.Name) })
}

// Gauge declares a gauge without labels. value is called each time the metrics are written.
func (r *Registry) Gauge(name, help string, value func() float64) {
	r.add(Family{Name: name, Help: help, Type: TypeGauge, collect: func(s *sampler) { s.sample("", value()) }})
}

// Counter declares a counter without labels. value is called each time the metrics are written. It must return the
// current count, which the caller maintains.
func (r *Registry) Counter(name, help string, value func() float64) {
	r.add(Family{Name: name, Help: help, Type: TypeCounter, collect: func(s *sampler) { s.sample("", value()) }})
}

// Gauges declares gauges with labels. read is called each time the metrics are written. For each gauge with a value, it
// must call sample once with that value and a value for each label.
func (r *Registry) Gauges(name, help string, labels []string, read func(sample func(value float64, labels ...string))) {
	r.add(Family{Name: name, Help: help, Type: TypeGauge, Labels: labels, collect: func(s *sampler) {
		read(func(value float64, labels ...string) { s.sample("", value, labels...) })
	}})
}

// Counters is a family of counters, one for each kind of event. A counter is created when its kind first occurs.
type Counters[K comparable] struct {
	labels func(K) []string
	// The map in all is replaced, not changed, so that counting a known kind needs neither a lock nor an allocation.
	all     atomic.Pointer[map[K]*atomic.Int64]
	growing sync.Mutex
}

// NewCounters declares counters with labels. names contains the names of the labels, and labels returns the values of
// these labels for a kind.
func NewCounters[K comparable](r *Registry, name, help string, names []string, labels func(K) []string) *Counters[K] {
	c := &Counters[K]{labels: labels}
	c.all.Store(&map[K]*atomic.Int64{})
	r.add(Family{Name: name, Help: help, Type: TypeCounter, Labels: names, collect: func(s *sampler) {
		for kind, n := range *c.all.Load() {
			s.sample("", float64(n.Load()), c.labels(kind)...)
		}
	}})
	return c
}

// Add adds n, which must not be negative, to the counter for kind. Adding 0 makes the counter appear.
func (c *Counters[K]) Add(kind K, n int64) {
	counter, ok := (*c.all.Load())[kind]
	if !ok {
		counter = c.grow(kind)
	}
	counter.Add(n)
}

// Inc adds 1 to the counter for kind.
func (c *Counters[K]) Inc(kind K) { c.Add(kind, 1) }

// grow returns the counter for kind and creates it if necessary.
func (c *Counters[K]) grow(kind K) *atomic.Int64 {
	c.growing.Lock()
	defer c.growing.Unlock()
	if counter, ok := (*c.all.Load())[kind]; ok {
		return counter
	}
	all := maps.Clone(*c.all.Load())
	counter := new(atomic.Int64)
	all[kind] = counter
	c.all.Store(&all)
	return counter
}

// Histogram counts observations in buckets.
type Histogram struct {
	bounds []float64
	// counts has one more element than bounds, for values above the last bound.
	counts []atomic.Int64
	// sum is the sum of the values, as the bits of a float64.
	sum atomic.Uint64
}

// NewHistograms declares a histogram for each value of label in values, and returns the histograms in the order of
// values. bounds contains the upper bounds of the buckets, in ascending order.
func NewHistograms(r *Registry, name, help, label string, values []string, bounds []float64) []*Histogram {
	all := make([]*Histogram, len(values))
	for i := range all {
		all[i] = &Histogram{bounds: bounds, counts: make([]atomic.Int64, len(bounds)+1)}
	}
	r.add(Family{Name: name, Help: help, Type: TypeHistogram, Labels: []string{label}, collect: func(s *sampler) {
		for i, h := range all {
			h.collect(s, values[i])
		}
	}})
	return all
}

// Observe adds 1 to the bucket for value and adds value to the sum.
func (h *Histogram) Observe(value float64) {
	i, _ := slices.BinarySearch(h.bounds, value)
	h.counts[i].Add(1)
	for {
		was := h.sum.Load()
		if h.sum.CompareAndSwap(was, math.Float64bits(math.Float64frombits(was)+value)) {
			return
		}
	}
}

func (h *Histogram) collect(s *sampler, value string) {
	names := s.labels
	defer func() { s.labels = names }()
	s.labels = append(slices.Clone(names), "le")
	total := int64(0)
	for i := range h.counts {
		total += h.counts[i].Load()
		bound := "+Inf"
		if i < len(h.bounds) {
			bound = number(h.bounds[i])
		}
		s.sample("_bucket", float64(total), value, bound)
	}
	s.labels = names
	s.sample("_sum", math.Float64frombits(h.sum.Load()), value)
	s.sample("_count", float64(total), value)
}

// sampler formats the samples of a family as lines.
type sampler struct {
	name   string
	labels []string
	lines  []string
}

// sample adds a line for a sample with the given label values. suffix is appended to the family's name.
func (s *sampler) sample(suffix string, value float64, values ...string) {
	var b strings.Builder
	b.WriteString(s.name + suffix)
	for i, v := range values {
		b.WriteString(map[bool]string{true: "{", false: ","}[i == 0])
		b.WriteString(s.labels[i] + `="` + escape.Replace(v) + `"`)
	}
	if len(values) > 0 {
		b.WriteByte('}')
	}
	b.WriteString(" " + number(value) + "\n")
	s.lines = append(s.lines, b.String())
}

// escape escapes the value of a label.
var escape = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)

// number formats f, the value of a sample. It writes whole numbers below 2^53 without an exponent.
func number(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// Write writes all families to w in the text format. For a family without samples, it writes only the description and
// the type.
func (r *Registry) Write(w io.Writer) error {
	out := bufio.NewWriter(w)
	for _, f := range r.Families() {
		s := &sampler{name: f.Name, labels: f.Labels}
		f.collect(s)
		if f.Type != TypeHistogram { // a histogram's buckets are in order
			slices.Sort(s.lines)
		}
		out.WriteString("# HELP " + f.Name + " " + strings.NewReplacer(`\`, `\\`, "\n", `\n`).Replace(f.Help) + "\n# TYPE " + f.Name + " " + string(f.Type) + "\n")
		for _, line := range s.lines {
			out.WriteString(line)
		}
	}
	return out.Flush()
}
