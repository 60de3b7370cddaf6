package load

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func typicalPage() string {
	return `---
title: "How Parley scores a call"
description: What the coach listens for, and how a score comes about.
date: 2026-03-14
updated: 2026-04-01T09:30:00Z
author: The Parley team
tags: [coaching, scoring]
image: cover.png
aliases:
  - /blog/scores
draft: false
---
` + strings.Repeat("A paragraph of a page, about as long as they are.\n\n", 80)
}

// BenchmarkPage measures loading one typical page after reading it from disk.
func BenchmarkPage(b *testing.B) {
	source := []byte(typicalPage())
	setting := pageSetting{zone: time.UTC, now: now()}
	b.ReportAllocs()
	for b.Loop() {
		r := &report{path: "content/blog/page.md"}
		if setting.readPage(r, source); r.problems != nil {
			b.Fatal(r.problems)
		}
	}
}

// BenchmarkLoad measures loading a complete site of 1,000 pages.
func BenchmarkLoad(b *testing.B) {
	dir := baseSite(b)
	for i := range 1000 {
		addPage(b, dir, fmt.Sprintf("content/blog/page-%d.md", i), typicalPage())
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, problems := loadDir(b, dir, Options{Now: now()}); problems != nil {
			b.Fatal(problems)
		}
	}
}
