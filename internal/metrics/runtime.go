package metrics

import (
	"math"
	"runtime"
	rt "runtime/metrics"
)

// runtimeMetric is a metric of the Go runtime. If the Prometheus client library for Go has the metric, name is the name
// in that library. key is the metric's name in runtime/metrics.
type runtimeMetric struct {
	name, help string
	kind       Type
	key        string
}

func runtimeMetrics() []runtimeMetric {
	return []runtimeMetric{
		{"go_goroutines", "Current number of goroutines", TypeGauge, "/sched/goroutines:goroutines"},
		{"go_sched_gomaxprocs_threads", "Maximum number of threads that run Go code at the same time (GOMAXPROCS)", TypeGauge, "/sched/gomaxprocs:threads"},
		{"go_gc_gomemlimit_bytes", "Memory limit of the Go runtime (GOMEMLIMIT)", TypeGauge, "/gc/gomemlimit:bytes"},
		{"go_gc_cycles_total", "Completed garbage collections", TypeCounter, "/gc/cycles/total:gc-cycles"},
		{"go_gc_pauses_total", "Stop-the-world pauses for garbage collection", TypeCounter, "/sched/pauses/total/gc:seconds"},
		{"go_memory_heap_objects_bytes", "Heap memory of live objects and of dead objects that are not freed yet", TypeGauge, "/memory/classes/heap/objects:bytes"},
		{"go_memory_stacks_bytes", "Memory of goroutine stacks", TypeGauge, "/memory/classes/heap/stacks:bytes"},
		{"go_memory_total_bytes", "All memory that the Go runtime has mapped", TypeGauge, "/memory/classes/total:bytes"},
		{"go_heap_allocated_bytes_total", "Memory allocated on the heap since the start", TypeCounter, "/gc/heap/allocs:bytes"},
		{"go_heap_live_bytes", "Heap memory of objects that were live at the last garbage collection", TypeGauge, "/gc/heap/live:bytes"},
		{"go_cpu_gc_seconds_total", "CPU time spent on garbage collection, estimated by the Go runtime", TypeCounter, "/cpu/classes/gc/total:cpu-seconds"},
	}
}

// Runtime declares the metrics of the Go runtime.
func (r *Registry) Runtime() {
	r.Gauges("go_info", "Always 1; the label is the Go release of the program", []string{"version"}, func(sample func(float64, ...string)) {
		sample(1, runtime.Version())
	})
	for _, m := range runtimeMetrics() {
		read := func() float64 { return readRuntime(m.key) }
		if m.kind == TypeCounter {
			r.Counter(m.name, m.help, read)
		} else {
			r.Gauge(m.name, m.help, read)
		}
	}
}

// readRuntime returns the value of the runtime metric with the given key, or the number of observations if it is a
// histogram. It returns NaN if this release of Go lacks the metric.
func readRuntime(key string) float64 {
	samples := []rt.Sample{{Name: key}}
	rt.Read(samples)
	switch v := samples[0].Value; v.Kind() {
	case rt.KindUint64:
		return float64(v.Uint64())
	case rt.KindFloat64:
		return v.Float64()
	case rt.KindFloat64Histogram:
		n := uint64(0)
		for _, count := range v.Float64Histogram().Counts {
			n += count
		}
		return float64(n)
	}
	return math.NaN()
}
