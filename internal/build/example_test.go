package build_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"vitrine/internal/artifact"
	"vitrine/internal/build"
)

// A site is a folder with facts, settings, and pages. Build checks the site and publishes it. If the site has errors,
// Build publishes nothing and returns each problem with its position.
func ExampleBuild() {
	folder, err := os.MkdirTemp("", "acorn")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	write := func(name, text string) {
		name = filepath.Join(folder, "content", name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			panic(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			panic(err)
		}
	}
	write("product.yaml", `name: Acorn
url: https://acorn.example
description: Acorn plans the work of small nurseries.
audience: [Nurseries]
capabilities: [Plans the week]
pricing:
  currency: EUR
  billingPeriod: month
  creditDefinition: One credit is one planned week.
  unlimitedReps: true
  unlimitedTeams: true
  plans: [{name: Seed, monthlyPrice: 9, includedCredits: 4}]
  url: https://acorn.example/
contact: hello@acorn.example
links: {}
`)
	write("site.yaml", "baseURL: https://acorn.example\ntitle: Acorn\nsocial: {images: false}\n")
	const front = "---\ntitle: The week\ndescription: What Acorn does on Mondays, so that the rest of the week is quiet.\n---\n\n"
	write("week.md", front+"[How it begins](#mondays)\n")

	source, output := build.Source{Root: folder}, build.Output{Out: filepath.Join(folder, "build")}
	_, problems, err := build.Build(context.Background(), source, output, build.Observer{})
	fmt.Println(problems[0], err)

	write("week.md", front+"[How it begins](#mondays)\n\n## Mondays\n")
	_, problems, err = build.Build(context.Background(), source, output, build.Observer{})
	fmt.Println(len(problems), "problems", err)

	// Open the build, which checks it against its hashes, and read a page.
	built, err := artifact.Open(output.Out)
	if err != nil {
		panic(err)
	}
	defer built.Close()
	_, found := built.Manifest.Lookup("/week.md")
	fmt.Println(found)
	// Output:
	// content/week.md:6:1: error: "#mondays": there is no heading with the anchor "#mondays" on /week [V025] <nil>
	// 0 problems <nil>
	// true
}
