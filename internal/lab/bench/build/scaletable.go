//go:build linux

package main

import (
	"strconv"

	"vitrine/internal/lab/bench/paired"
)

// figure is a table row: its name, its value for a site, and its format.
type figure struct {
	name  string
	value func(*sized) float64
	show  func(float64) string
}

// costs returns the figures for time and memory, and extents returns the figures for written data, both in table order.
func costs() []figure {
	cpu := func(of func(*sized) paired.Sample) func(*sized) float64 {
		return func(m *sized) float64 { return of(m).CPU.Seconds() }
	}
	wall := func(of func(*sized) paired.Sample) func(*sized) float64 {
		return func(m *sized) float64 { return of(m).Wall.Seconds() }
	}
	peak := func(of func(*sized) paired.Sample) func(*sized) float64 {
		return func(m *sized) float64 { return float64(of(m).Peak) }
	}
	cold := func(m *sized) paired.Sample { return m.cold }
	first := func(m *sized) paired.Sample { return m.first }
	edited := func(m *sized) paired.Sample { return m.edited }
	same := func(m *sized) paired.Sample { return m.same }
	return []figure{
		{"cold build, CPU", cpu(cold), seconds},
		{"cold build, wall", wall(cold), seconds},
		{"cold build, peak memory", peak(cold), megabytes},
		{"the first edit of a post, CPU", cpu(first), seconds},
		{"the first edit of a post, wall", wall(first), seconds},
		{"one post edited, CPU", cpu(edited), seconds},
		{"one post edited, wall", wall(edited), seconds},
		{"one post edited, peak memory", peak(edited), megabytes},
		{"nothing changed, CPU", cpu(same), seconds},
		{"nothing changed, wall", wall(same), seconds},
		{"nothing changed, peak memory", peak(same), megabytes},
		{"vitrined's start to the first response and its end, CPU", func(m *sized) float64 { return m.startCPU }, seconds},
		{"vitrined's start to the first response, wall", func(m *sized) float64 { return m.start }, seconds},
		{"vitrined's memory after it", func(m *sized) float64 { return m.resident }, megabytes},
	}
}

func extents() []figure {
	var all []figure
	add := func(name string, files, size bool, of func(*sized) extent) {
		if files {
			all = append(all, figure{name + ", files", func(m *sized) float64 { return float64(of(m).files) }, count})
		}
		if size {
			all = append(all, figure{name + ", bytes", func(m *sized) float64 { return float64(of(m).bytes) }, bytesOf})
		}
	}
	add("the whole build", true, true, func(m *sized) extent { return m.all })
	all = append(all, figure{"the whole build, on the disk", func(m *sized) float64 { return float64(m.all.held) }, bytesOf})
	add("public", true, true, func(m *sized) extent { return m.public })
	add("coded", false, true, func(m *sized) extent { return m.coded })
	add("cache", false, true, func(m *sized) extent { return m.cache })
	add("manifest", false, true, func(m *sized) extent { return m.manifest })
	add("the table and programs of one edge (cloudflare)", false, true, func(m *sized) extent { return m.table })
	add("list pages, HTML", true, true, func(m *sized) extent { return m.lists })
	add("sitemaps and their index", true, true, func(m *sized) extent { return m.sitemaps })
	add("llms", true, true, func(m *sized) extent { return m.llms })
	add("search index", true, true, func(m *sized) extent { return m.index })
	add("one search loads", true, true, func(m *sized) extent { return m.looked })
	add("public, written after one edit", true, true, func(m *sized) extent { return m.sent })
	return all
}

// scaleTables returns tables of the figures of one kind of site at all sizes, and of their growth per page relative to
// the first size. Each size is built once, so the range of a ratio is a single value.
func scaleTables(all []sized) string {
	figures := append(costs(), extents()...)
	whole := &table{title: "Figures by size, " + all[0].shape.Name, head: []string{""}}
	pages := []string{"pages of HTML"}
	for i := range all {
		whole.head = append(whole.head, thousands(all[i].posts)+" posts")
		pages = append(pages, thousands(all[i].pages))
	}
	whole.rows = append(whole.rows, pages)
	for _, f := range figures {
		row := []string{f.name}
		for i := range all {
			row = append(row, f.show(f.value(&all[i])))
		}
		whole.rows = append(whole.rows, row)
	}
	text := whole.String()
	if len(all) > 1 {
		text += grown("Growth by the page: time and memory, "+all[0].shape.Name, all, costs()) + grown("Growth by the page: written files, "+all[0].shape.Name, all, extents())
	}
	return text
}

// grown returns a table of the cost per page at each size divided by the cost per page at the first size.
func grown(title string, all []sized, figures []figure) string {
	t := &table{title: title, head: []string{"a page ÷ a page among " + thousands(all[0].posts) + " posts"}}
	for i := range all[1:] {
		t.head = append(t.head, thousands(all[i+1].posts)+" posts")
	}
	for _, f := range figures {
		row := []string{f.name}
		first := f.value(&all[0]) / float64(all[0].pages)
		for i := range all[1:] {
			m := &all[i+1]
			row = append(row, paired.Compare([]float64{f.value(m) / float64(m.pages)}, []float64{first}).String())
		}
		t.rows = append(t.rows, row)
	}
	return t.String()
}

// count and bytesOf format the figures of extents.
func count(v float64) string { return thousands(int(v)) }

func bytesOf(v float64) string {
	unit, units := "KB", v/1e3
	for _, next := range []string{"MB", "GB"} {
		if units < 1000 {
			break
		}
		unit, units = next, units/1e3
	}
	return strconv.FormatFloat(units, 'f', 1, 64) + " " + unit
}
