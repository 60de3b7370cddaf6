package config

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"vitrine/internal/artifact"
)

// Nginx writes a configuration for the http context of nginx: a file server
// where options.Files is set, which WriteFiles fills, else a cache before
// vitrined. The error says which option or which part of the build cannot be
// written into a configuration.
func Nginx(w io.Writer, m *artifact.Manifest, options Options) error {
	if err := options.check(); err != nil {
		return err
	}
	data := nginxData{Options: options, Digits: []int{1, 2, 3, 4, 5, 6, 7, 8, 9}}
	if options.Files == "" {
		return generate(w, "nginx-proxy.tmpl", nginxProxy{
			nginxData: data, Build: fmt.Sprintf("%016x", m.Build), Seconds: seconds(artifact.CDNCacheControl),
		})
	}
	files, err := newNginxFiles(m, data)
	if err != nil {
		return err
	}
	return generate(w, "nginx-files.tmpl", files)
}

// nginxData is what both configurations have.
type nginxData struct {
	Options
	// Digits are what two weights may differ by.
	Digits []int
}

type nginxProxy struct {
	nginxData
	// Build begins the cache's key.
	Build string
	// Seconds is how long the cache keeps what may be kept.
	Seconds string
}

type nginxFiles struct {
	nginxData
	// Bucket and Entries are the sizes of nginx's hash tables.
	Bucket, Entries int
	// Lines of maps, a key and a value each.
	RouteKeys, LocationKeys, VariantKeys, LinkKeys, TokenKeys []string
	FieldMaps                                                 []nginxFieldMap
	Classes                                                   []classRow
	CORS, PreconditionFields                                  []artifact.Field
	PreconditionFile                                          string
	// RetirementFields are fields whose values are maps' variables.
	RetirementFields []artifact.Field

	Allow, PageCacheControl, CDNCacheControl, ProblemMediaType string
}

// nginxFieldMap gives the value of a field by its Source: the number of a class,
// or the path.
type nginxFieldMap struct {
	Name, Source, Variable, Default string
	Others                          []string
}

func fieldMap(name, common string) nginxFieldMap {
	return nginxFieldMap{
		Name: name, Source: "$vitrine_class", Default: nginxString(common),
		Variable: "$vitrine_field_" + strings.ToLower(strings.ReplaceAll(name, "-", "_")),
	}
}

func newNginxFiles(m *artifact.Manifest, data nginxData) (*nginxFiles, error) {
	t, err := newTable(m)
	if err != nil {
		return nil, err
	}
	n := &nginxFiles{
		nginxData: data, Classes: t.Classes, CORS: artifact.CORSFields(),
		Allow: artifact.Allow, PageCacheControl: artifact.PageCacheControl,
		CDNCacheControl: artifact.CDNCacheControl, ProblemMediaType: artifact.ProblemMediaType,
	}
	var routes, locations, variants, links, tokens nginxMap
	for _, r := range t.Routes {
		routes.add(r.Path, r.Kind+" "+r.Path)
		if r.Location != "" {
			locations.add(r.Path, r.Location)
		}
	}
	for _, v := range t.Variants {
		variants.add(v.Name, fmt.Sprintf("%d %s %s %s", v.Class, v.Identity, v.Gzip, v.Brotli))
		links.addIf(v.Name, v.Link)
		tokens.addIf(v.Name, v.Tokens)
		if v.Name == artifact.ProblemPrefix+artifact.ProblemPreconditionFailed {
			n.PreconditionFile = v.Identity
			n.PreconditionFields = t.fields(v.Class)
		}
	}
	n.RouteKeys, n.LocationKeys, n.VariantKeys = routes.lines(), locations.lines(), variants.lines()
	n.LinkKeys, n.TokenKeys = links.lines(), tokens.lines()
	n.Bucket = powerOfTwo(max(routes.longest, variants.longest) + 64)
	n.Entries = powerOfTwo(2 * max(len(t.Routes), len(t.Variants), 1024))
	for i, name := range t.Names {
		n.FieldMaps = append(n.FieldMaps, newFieldMap(t, i, name))
	}
	for _, f := range t.Retirement {
		m := fieldMap(f.Name, "")
		m.Source, m.Others = "$vitrine_path", []string{nginxKey(artifact.OperationPath) + " " + nginxString(f.Value) + ";"}
		i := slices.IndexFunc(n.FieldMaps, func(o nginxFieldMap) bool { return o.Name == f.Name })
		n.FieldMaps[i] = m
		n.RetirementFields = append(n.RetirementFields, artifact.Field{Name: f.Name, Value: m.Variable})
	}
	return n, nil
}

// newFieldMap makes the map of one field. Its default is the commonest value.
func newFieldMap(t *table, column int, name string) nginxFieldMap {
	count := make(map[string]int)
	common := t.Classes[0].Fields[column]
	for _, c := range t.Classes {
		v := c.Fields[column]
		if count[v]++; count[v] > count[common] {
			common = v
		}
	}
	f := fieldMap(name, common)
	for _, c := range t.Classes {
		if v := c.Fields[column]; v != common {
			f.Others = append(f.Others, fmt.Sprintf("%d %s;", c.Number, nginxString(v)))
		}
	}
	return f
}

// fields returns the fields of a class, Content-Type aside.
func (t *table) fields(class int) []artifact.Field {
	var fields []artifact.Field
	for i, name := range t.Names {
		if v := t.Classes[class].Fields[i]; v != "" {
			fields = append(fields, artifact.Field{Name: name, Value: v})
		}
	}
	return fields
}

// nginxMap gathers the lines of a map.
type nginxMap struct {
	keys, values []string
	longest      int
}

func (m *nginxMap) add(key, value string) {
	m.keys, m.values = append(m.keys, key), append(m.values, value)
	m.longest = max(m.longest, len(key))
}

func (m *nginxMap) addIf(key, value string) {
	if value != "" {
		m.add(key, value)
	}
}

// lines returns the lines. nginx looks keys up without regard to case and takes
// two that differ in case alone for one, so that these become expressions.
func (m *nginxMap) lines() []string {
	folded := make(map[string]int)
	for _, k := range m.keys {
		folded[strings.ToLower(k)]++
	}
	var lines []string
	for i, k := range m.keys {
		key := nginxKey(k)
		if folded[strings.ToLower(k)] > 1 {
			key = nginxRegex("~", "^"+quoteMeta(k)+"$")
		}
		lines = append(lines, key+" "+nginxString(m.values[i])+";")
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// nginxString writes a text as a quoted string of nginx, in which nothing is a
// variable: nginx has no escape for the dollar sign, so a variable stands for it.
func nginxString(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `${vitrine_dollar}`).Replace(s) + `"`
}

// nginxKey writes a text as a key of a map, in which a dollar sign is no variable.
func nginxKey(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// nginxRegex writes a regular expression as a key of a map; flag is "~", or
// "~*" where case does not count.
func nginxRegex(flag, expr string) string { return nginxKey(flag + expr) }

// quoteMeta makes an expression of Perl's dialect that matches a text.
func quoteMeta(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if strings.IndexByte(`\.+*?()|[]{}^$#`, c) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}

// powerOfTwo is the least power of two that is not below n.
func powerOfTwo(n int) int {
	p := 64
	for p < n {
		p *= 2
	}
	return p
}

// seconds returns the max-age of a Cache-Control.
func seconds(cacheControl string) string {
	_, age, _ := strings.Cut(cacheControl, "max-age=")
	age, _, _ = strings.Cut(age, ",")
	return age
}
