//go:build !unix

package metrics

import rt "runtime/metrics"

// cpuSeconds returns the CPU time of Go code and the runtime, as estimated by the runtime.
func cpuSeconds() float64 {
	samples := []rt.Sample{{Name: "/cpu/classes/total:cpu-seconds"}, {Name: "/cpu/classes/idle:cpu-seconds"}}
	rt.Read(samples)
	return samples[0].Value.Float64() - samples[1].Value.Float64()
}
