package supply

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"path"
	"strings"
)

// bom is a bill of materials in CycloneDX 1.6 JSON, with only the data that readers need: a program's components with
// their versions and licenses. It contains neither a serial number nor a date, so repeating a release produces the same
// bytes.
type bom struct {
	Schema       string       `json:"$schema"`
	Format       string       `json:"bomFormat"`
	SpecVersion  string       `json:"specVersion"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type     string           `json:"type"`
	Ref      string           `json:"bom-ref"`
	Name     string           `json:"name"`
	Version  string           `json:"version"`
	Licenses []licenseElement `json:"licenses,omitempty"`
	PURL     string           `json:"purl"`
}

type licenseElement struct {
	Expression string `json:"expression"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn"`
}

// BillOfMaterials returns the bill of materials of a built program: the modules it contains and the standard library.
func BillOfMaterials(program *buildinfo.BuildInfo, modules []Module) ([]byte, error) {
	version := program.Main.Version
	own := component{Type: "application", Name: path.Base(program.Path), Version: version, PURL: "pkg:golang/" + program.Main.Path + "@" + version + "#cmd/" + path.Base(program.Path)}
	own.Ref = own.PURL
	b := bom{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", SpecVersion: "1.6", Version: 1,
		Metadata: metadata{own},
	}
	std := Module{Path: "std", Version: strings.TrimPrefix(program.GoVersion, "go"), License: "BSD-3-Clause"}
	refs := make(map[string]string)
	for _, m := range append([]Module{std}, modules...) {
		c := component{Type: "library", Name: m.Path, Version: m.Version, PURL: fmt.Sprintf("pkg:golang/%s@%s", m.Path, m.Version), Licenses: []licenseElement{{m.License}}}
		c.Ref = c.PURL
		refs[m.Path] = c.Ref
		b.Components = append(b.Components, c)
	}
	needs := map[string][]string{own.Ref: {refs["std"]}}
	for _, m := range modules {
		if m.Direct {
			needs[own.Ref] = append(needs[own.Ref], refs[m.Path])
		}
		for _, by := range m.ImportedBy {
			needs[refs[by]] = append(needs[refs[by]], refs[m.Path])
		}
	}
	for _, c := range append([]component{own}, b.Components...) {
		d := dependency{Ref: c.Ref, DependsOn: needs[c.Ref]}
		if d.DependsOn == nil {
			d.DependsOn = []string{}
		}
		b.Dependencies = append(b.Dependencies, d)
	}
	out, err := json.MarshalIndent(b, "", "  ")
	return append(out, '\n'), err
}
