//go:build linux

package main

import (
	"context"
	"fmt"

	"vitrine/internal/lab/bench/paired"
)

// cores compares servers on two cores with the same servers on one core. The client uses both cores in every round, so
// two cores may serve less than twice as many responses as one. The CPU time per response shows the extra cost of using
// the second core.
func (s *settings) cores(ctx context.Context, site string) error {
	if err := s.copyForPeers(ctx, site); err != nil {
		return err
	}
	of, from := s.serverCores, s.clientCores
	defer func() { s.serverCores, s.clientCores = of, from }()
	const one, both = ", one core", ", both cores"
	var servers []*server
	defer func() {
		for _, server := range servers {
			server.stop()
		}
	}()
	for _, on := range []struct{ cores, name string }{{"0", one}, {"0,1", both}} {
		s.serverCores = on.cores
		ours, err := s.launchVitrined(ctx, "fast", site, "0")
		if err != nil {
			return err
		}
		ours.name = fast + on.name
		servers = append(servers, ours)
		theirs, err := s.launchNginx(ctx, "on")
		if err != nil {
			return err
		}
		theirs.name = nginxNamed + on.name
		servers = append(servers, theirs)
	}
	s.clientCores = "0,1"
	fmt.Printf("\n#### Two cores\n\nResponses per second on both cores ÷ on one core. nginx has one worker per core, and the client uses both cores in all rounds.\n")
	fmt.Println("\"CPU\" is the CPU time per response on both cores ÷ on one core, which is 1 if the cores do not slow each other down.")
	fmt.Printf("\n| | ours, both | nginx, both | ours, both ÷ one | nginx, both ÷ one | ours, CPU | nginx, CPU | ours ÷ nginx, both |\n|---|---|---|---|---|---|---|---|\n")
	for _, e := range exchanges() {
		if e.conditional || !s.only.MatchString(e.name) {
			continue
		}
		results, err := s.play(ctx, e, servers...)
		if err != nil {
			return err
		}
		rate := func(name string) paired.Ratio { return results.Ratio(name+one, name+both, paired.Wall) }
		used := func(name string) paired.Ratio { return results.Ratio(name+both, name+one, paired.CPU) }
		fmt.Printf("| %s | %s | %s | %s | %s | %s | %s | %s |\n", e.name, show(results, fast+both), show(results, nginxNamed+both),
			rate(fast), rate(nginxNamed), used(fast), used(nginxNamed), results.Ratio(nginxNamed+both, fast+both, paired.Wall))
	}
	return nil
}
