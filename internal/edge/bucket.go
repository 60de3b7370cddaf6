package edge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"vitrine/internal/artifact"
	"vitrine/internal/lazyregexp"
)

// BucketTable returns the table of a build in a bucket as JSON, for the Worker that BucketWorker returns. objects maps
// the names of the public files to the keys of their objects.
func BucketTable(m *artifact.Manifest, read ReadFunc, objects map[string]string) ([]byte, error) {
	table, err := NewManifest(m, read)
	if err != nil {
		return nil, err
	}
	text, err := table.JSON()
	if err != nil {
		return nil, err
	}
	return json.Marshal(struct {
		Mount    string            `json:"mount"`
		Manifest json.RawMessage   `json:"manifest"`
		Objects  map[string]string `json:"objects"`
	}{m.Mount, text, objects})
}

var (
	imports = lazyregexp.New(`(?m)^import .*\n`)
	exports = lazyregexp.New(`(?m)^export ((?:async )?(?:function|class) (\w+))`)
)

// BucketWorker returns the script of a Worker that serves the builds in a bucket, as one JavaScript module.
func BucketWorker() []byte {
	var b bytes.Buffer
	b.WriteString(`// A Cloudflare Worker in front of a bucket (R2), made by "vitrine config r2". Deploy it once, with this wrangler.jsonc:
//
//   {
//     "name": "site", "main": "worker.mjs", "compatibility_date": "2026-06-01",
//     "r2_buckets": [{"binding": "BUCKET", "bucket_name": "bucket"}],
//     "vars": {"PREFIX": "prefix/"}
//   }
//
// Then each "vitrine deploy s3://bucket/prefix --edge" makes the Worker serve the new build.

`)
	for _, name := range []string{"core.mjs", "mount.mjs", "engine.mjs"} {
		source := imports.ReplaceAll(script(name), nil)
		var names []string
		for _, m := range exports.FindAllSubmatch(source, -1) {
			names = append(names, string(m[2]))
		}
		// Put each module in its own function scope, because functions in different modules may have the same name.
		list := strings.Join(names, ", ")
		fmt.Fprintf(&b, "const { %s } = (() => {\n%s\nreturn { %s };\n})();\n\n", list, exports.ReplaceAll(source, []byte("$1")), list)
	}
	b.Write(imports.ReplaceAll(script("r2.mjs"), nil))
	return b.Bytes()
}
