package decide

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/http2/hpack"

	"vitrine/internal/artifact"
)

// A response's block decodes to its HTTP/1.1 lines for any values in the holes, any earlier responses on the
// connection, and any size of the client's table.
func TestBlockMatchesLines(t *testing.T) {
	long := strings.Repeat("/a b", 300)
	classes := []*fieldSet{nil}
	for _, fields := range [][]artifact.Field{
		artifact.OptionsFields(), artifact.PreflightFields(), artifact.RedirectFields(), artifact.CORSFields(),
		{{Name: "Link", Value: "<https://x.example" + string(rune(artifact.HolePath)) + `.md>; rel="alternate", <` + string(rune(artifact.HolePath)) + ">, </de" + string(rune(artifact.HoleRest)) + ">"},
			{Name: "X-Markdown-Tokens", Value: string(rune(artifact.HoleArgument))}, {Name: "Content-Type", Value: "text/html"}, {Name: "X-Empty", Value: ""}},
	} {
		set := newFieldSet(fields)
		classes = append(classes, &set)
	}
	grants := []Grant{{}, {Counted: true, Allowed: true, Limit: 120, Window: 60, Remaining: 119, Reset: 60}, {Counted: true, Limit: 1 << 62, Window: 1 << 62, Reset: 1 << 62}}
	tried := 0
	table, decoder := NewBlockTable(), hpack.NewDecoder(tableSize, nil)
	for i, ready := range classes[1:] {
		for _, more := range []*fieldSet{nil, classes[(i+2)%len(classes)]} {
			for _, path := range []string{"/", "/preise für alle", "/fr/preise für alle", long} {
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
						if size := []uint32{0, 300, 1000, tableSize, 1 << 20}[tried/7%5]; tried%7 == 0 {
							decoder.SetAllowedMaxDynamicTableSize(size)
							table.Resize(size)
						}
						fields, err := decoder.DecodeFull(a.AppendBlock(table.AppendSize(nil), &table))
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

// A field repeated from an earlier response on the connection takes one byte until the table evicts it. The table never
// tracks more sets than fit.
func TestRepeatedBlocksAreShort(t *testing.T) {
	var sets []fieldSet
	for i := range 40 {
		sets = append(sets, newFieldSet([]artifact.Field{
			{Name: "Content-Type", Value: "text/html; charset=utf-8"},
			{Name: "Link", Value: "<" + string(rune(artifact.HolePath)) + `.md>; rel="alternate"`},
			{Name: "Cache-Control", Value: fmt.Sprintf("public, max-age=%d", i)}, {Name: "X-Content-Type-Options", Value: "nosniff"},
		}))
	}
	table, decoder := NewBlockTable(), hpack.NewDecoder(tableSize, nil)
	block := func(i int) int {
		a := Answer{Header: Header{ready: &sets[i], path: "/a"}}
		b := a.AppendBlock(table.AppendSize(nil), &table)
		fields, err := decoder.DecodeFull(b)
		if err != nil || len(fields) != 4 || fields[2].Value != fmt.Sprintf("public, max-age=%d", i) {
			t.Fatalf("%v, %v", fields, err)
		}
		return len(b)
	}
	first, again := block(0), block(0)
	if again > first/2 {
		t.Errorf("the first block has %d bytes, the second %d", first, again)
	}
	for i := 1; i <= mostKnown/2; i++ {
		block(i)
	}
	if n := block(0); n != again {
		t.Errorf("after some others the block has %d bytes, and %d right after the first", n, again)
	}
	for i := range sets {
		block(i)
	}
	if n := block(0); n <= again {
		t.Errorf("what the table has dropped is referred to in %d bytes", n)
	}
}

// Appending a block allocates no memory.
func TestBlockDoesNotAllocate(t *testing.T) {
	set := newFieldSet(append(artifact.CORSFields(), artifact.Field{Name: "Link", Value: "<" + string(rune(artifact.HolePath)) + ".md>"}))
	a := Answer{Header: Header{ready: &set, path: "/preise für alle", validated: true, described: true, coding: artifact.Gzip, length: 4711},
		Grant: NewAllowance(120, time.Minute).Take(time.Now())}
	buf, table := make([]byte, 0, 4096), NewBlockTable()
	if n := testing.AllocsPerRun(100, func() { buf = a.AppendBlock(buf[:0], &table) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
