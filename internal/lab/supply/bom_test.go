package supply

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemaOfBOM reads the official schema of CycloneDX 1.6 and the schemas that it refers to. The files in testdata
// come from the npm package @cyclonedx/cyclonedx-library 10.3.0, under the Apache License 2.0.
func schemaOfBOM(t *testing.T) *jsonschema.Schema {
	t.Helper()
	const base = "http://cyclonedx.org/schema/"
	compiler := jsonschema.NewCompiler()
	for _, name := range []string{"bom-1.6", "jsf-0.82", "spdx"} {
		data, err := os.ReadFile("testdata/" + name + ".SNAPSHOT.schema.json")
		if err != nil {
			t.Fatal(err)
		}
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiler.AddResource(base+name+".SNAPSHOT.schema.json", document); err != nil {
			t.Fatal(err)
		}
	}
	schema, err := compiler.Compile(base + "bom-1.6.SNAPSHOT.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// The bill of materials of a program is valid CycloneDX and lists every module in it, with its license and dependents.
func TestBillOfMaterials(t *testing.T) {
	file := filepath.Join(t.TempDir(), "vitrined")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", file, "vitrine/cmd/vitrined").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	program, err := buildinfo.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	modules, err := ModulesOf(t.Context(), "../../..", program)
	if err != nil {
		t.Fatal(err)
	}
	data, err := BillOfMaterials(program, modules)
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	schema := schemaOfBOM(t)
	if err := schema.Validate(document); err != nil {
		t.Error(err)
	}
	var b bom
	if err := json.Unmarshal(data, &b); err != nil {
		t.Fatal(err)
	}
	needed := make(map[string]bool)
	for _, d := range b.Dependencies {
		for _, ref := range d.DependsOn {
			needed[ref] = true
		}
	}
	for _, m := range modules {
		i := slices.IndexFunc(b.Components, func(c component) bool { return c.Name == m.Path && c.Version == m.Version })
		if i < 0 || b.Components[i].Licenses[0].Expression != m.License || !needed[b.Components[i].Ref] {
			t.Errorf("the entry of %s is incomplete", m.Path)
		}
	}
	// The schema rejects an invalid document.
	document.(map[string]any)["specVersion"] = 16
	if schema.Validate(document) == nil {
		t.Error("the schema accepted an invalid document")
	}
	// ModulesOf fails for a program built from a different source.
	program.Deps = program.Deps[1:]
	if _, err := ModulesOf(t.Context(), "../../..", program); err == nil {
		t.Error("listed a module that the program does not have")
	}
}
