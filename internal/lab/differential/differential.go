// Package differential compares a host with vitrined. It derives random requests from a build, and sends them to both
// servers as raw bytes. It reports each difference between the responses that isn't declared for the host
// (internal/edge/hosts). It groups similar differences and reports the shortest request for each group.
package differential

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/edge/hosts"
)

// Comparison compares a host with vitrined, both serving the same build.
type Comparison struct {
	// Host is the compared host, with its declared differences.
	Host *hosts.Host
	// Vitrined and Other are the addresses of the servers, in the form host:port.
	Vitrined, Other string
	// Manifest is the manifest of the build that both servers serve.
	Manifest *artifact.Manifest
	// Fixed lists requests to send before the random ones.
	Fixed []Question
	// Seed determines the random requests.
	Seed uint64
	// Questions is the total number of requests.
	Questions int
}

// Report is the result of a comparison.
type Report struct {
	// Asked is the number of requests, and Differed is the number of requests whose responses differ only in declared
	// ways.
	Asked, Differed int
	// Seen maps each declared difference to the number of requests whose responses have that difference.
	Seen map[*hosts.Difference]int
	// Groups lists the undeclared differences by group, most common first.
	Groups []*Group
}

// Group describes requests whose responses differ in similar ways (see blurred). Question is one of these requests,
// Lines are the differences in the responses to it, and Count is the number of requests in the group.
type Group struct {
	Lines []string
	Count int
	// Question is the first of these requests, shortened as far as possible.
	Question Question
}

// String returns the group as text for the report.
func (g *Group) String() string {
	return fmt.Sprintf("the responses to %d requests differ from the responses of vitrined; an example is the request\n\t%s\nwith the differences\n\t%s", g.Count,
		strings.ReplaceAll(strings.TrimSpace(g.Question.String()), "\n", "\n\t"), strings.Join(g.Lines, "\n\t"))
}

// Run sends the requests to both servers and compares the responses. If the host doesn't respond to a request, Run
// reports a difference. If vitrined doesn't respond, Run returns an error.
func (c *Comparison) Run(ctx context.Context) (*Report, error) {
	ours, theirs := &asker{address: c.Vitrined}, &asker{address: c.Other}
	defer ours.close()
	defer theirs.close()
	report := &Report{Seen: make(map[*hosts.Difference]int)}
	groups := make(map[string]*Group)
	compare := func(q Question) (undeclared []string, seen []*hosts.Difference, err error) {
		want, err := ours.ask(ctx, c.reference(q))
		if err != nil {
			return nil, nil, fmt.Errorf("sending a request to vitrined: %w\n%s", err, q)
		}
		got, err := theirs.ask(ctx, q)
		if err != nil {
			got = &answer{status: "none (" + reason(err) + ")"}
		}
		for _, line := range differences(want, got) {
			if d := c.Host.Declares(q.String(), line); d != nil {
				seen = append(seen, d)
			} else {
				undeclared = append(undeclared, line)
			}
		}
		return undeclared, seen, ctx.Err()
	}
	for g := newGenerator(c.Manifest, c.Seed); report.Asked < c.Questions; report.Asked++ {
		var q Question
		if report.Asked < len(c.Fixed) {
			q = c.Fixed[report.Asked]
		} else {
			q = g.question()
		}
		lines, seen, err := compare(q)
		if err != nil {
			return report, err
		}
		for _, d := range seen {
			report.Seen[d]++
		}
		if len(lines) == 0 {
			report.Differed += min(1, len(seen))
			continue
		}
		key := blurred(lines)
		if group := groups[key]; group != nil {
			group.Count++
			continue
		}
		for again := true; again; {
			again = false
			for _, s := range simpler(q) {
				if fewer, _, err := compare(s); err != nil {
					return report, err
				} else if len(fewer) > 0 && blurred(fewer) == key {
					q, lines, again = s, fewer, true
					break
				}
			}
		}
		groups[key] = &Group{Lines: lines, Count: 1, Question: q}
	}
	report.Groups = slices.SortedFunc(maps.Values(groups), func(a, b *Group) int { return b.Count - a.Count })
	return report, nil
}

// reference returns the request to send to vitrined: q, or q without Accept-Encoding if the host doesn't serve
// compressed representations.
func (c *Comparison) reference(q Question) Question {
	if c.Host.Codes() {
		return q
	}
	q.Fields = slices.DeleteFunc(slices.Clone(q.Fields), func(f artifact.Field) bool { return strings.EqualFold(f.Name, "Accept-Encoding") })
	return q
}

// blurred returns the common part of similar differences: statuses and header names, without the header values.
func blurred(lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		switch word, _, _ := strings.Cut(l, " "); word {
		case "answers":
			b.WriteString(l)
		case "header", "no":
			name, _, _ := strings.Cut(l, " →")
			name, _, _ = strings.Cut(name, " =")
			b.WriteString(name)
			if strings.HasSuffix(l, "no such header") {
				b.WriteString(" gone")
			}
		default:
			b.WriteString(word)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
