package serve

import (
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/http2/hpack"

	"vitrine/internal/artifact"
)

// The block of an answer says what its HTTP/1.1 lines say, whatever is in its holes.
func TestBlockIsLines(t *testing.T) {
	long := strings.Repeat("/a b", 300)
	classes := []*fieldSet{nil}
	for _, fields := range [][]artifact.Field{
		artifact.OptionsFields(), artifact.PreflightFields(), artifact.RedirectFields(), artifact.CORSFields(),
		{{Name: "Link", Value: "<https://x.example" + string(rune(artifact.HolePath)) + `.md>; rel="alternate", <` + string(rune(artifact.HolePath)) + ">"},
			{Name: "X-Markdown-Tokens", Value: string(rune(artifact.HoleArgument))}, {Name: "Content-Type", Value: "text/html"}, {Name: "X-Empty", Value: ""}},
	} {
		set := newFieldSet(fields)
		classes = append(classes, &set)
	}
	grants := []Grant{{}, {Counted: true, Allowed: true, Limit: 120, Window: 60, Remaining: 119, Reset: 60}, {Counted: true, Limit: 1 << 62, Window: 1 << 62, Reset: 1 << 62}}
	tried := 0
	for i, ready := range classes[1:] {
		for _, more := range []*fieldSet{nil, classes[(i+2)%len(classes)]} {
			for _, path := range []string{"/", "/preise für alle", long} {
				for _, grant := range grants {
					for _, location := range []string{"", "/x", long} {
						a := Answer{Location: location, Grant: grant, Header: Header{
							ready: ready, more: more, path: path, argument: 4711, validated: i%2 == 0, described: i%3 == 0,
							coding: artifact.Coding(i % 3), hash: 0x0123456789abcdef, length: int64(i) << 40,
						}}
						lines := a.Header.AppendLines(nil)
						if a.Location != "" {
							lines = append(lines, "Location: "+a.Location+"\r\n"...)
						}
						lines = AppendRateLimitLines(lines, a.Grant)
						var want []string
						for line := range strings.SplitSeq(strings.TrimSuffix(string(lines), "\r\n"), "\r\n") {
							name, value, _ := strings.Cut(line, ": ")
							want = append(want, strings.ToLower(name)+": "+value)
						}
						// A table of nothing: blocks must not need one.
						fields, err := hpack.NewDecoder(0, nil).DecodeFull(a.AppendBlock(nil))
						if err != nil {
							t.Fatal(err)
						}
						var got []string
						for _, f := range fields {
							got = append(got, f.Name+": "+f.Value)
						}
						if !slices.Equal(got, want) {
							t.Fatalf("the block says\n%q\nand the lines\n%q", got, want)
						}
						tried++
					}
				}
			}
		}
	}
	if tried < 50 {
		t.Errorf("%d answers were tried", tried)
	}
}

// A block is made without memory of its own.
func TestBlockDoesNotAllocate(t *testing.T) {
	set := newFieldSet(artifact.CORSFields())
	a := Answer{Header: Header{ready: &set, validated: true, described: true, coding: artifact.Gzip, length: 4711},
		Grant: NewAllowance(120, time.Minute).Take(time.Now())}
	buf := make([]byte, 0, 4096)
	if n := testing.AllocsPerRun(100, func() { buf = a.AppendBlock(buf[:0]) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
