package config

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"vitrine/internal/artifact"
)

// Nginx writes a configuration for nginx's http context. If options.Files is set, nginx serves the files that
// WriteFiles wrote there. Otherwise, nginx is a cache in front of vitrined. The error names the option or the part of
// the build that can't be written into a configuration.
func Nginx(w io.Writer, m *artifact.Manifest, options Options) error {
	if err := options.check(); err != nil {
		return err
	}
	options.Mount, options.Agents = m.Mount, m.Agents
	data := nginxData{Options: options, Build: artifact.BuildName(m.Build), Digits: []int{1, 2, 3, 4, 5, 6, 7, 8, 9}, Bucket: 512, Entries: 2048}
	if options.Files == "" {
		return generateFor(w, "nginx-proxy.tmpl", options.Site(), nginxProxy{
			nginxData: data, Seconds: seconds(artifact.CDNCacheControl),
		})
	}
	files, err := newNginxFiles(m, data)
	if err != nil {
		return err
	}
	return generateFor(w, "nginx-files.tmpl", options.Site(), files)
}

// nginxData is the template data that both nginx configurations and the Varnish configuration use.
type nginxData struct {
	Options
	// Build is the name of the build.
	Build string
	// Digits are the digits from 1 to 9, with which the template compares two weights digit by digit.
	Digits []int
	// Bucket and Entries are the sizes of nginx's hash tables. The directives that set them may appear only once per
	// server and must precede the first map. A cache's configuration therefore sets them too, for a second site whose
	// files nginx serves.
	Bucket, Entries int
}

type nginxProxy struct {
	nginxData
	// Seconds is the number of seconds for which the cache stores responses.
	Seconds string
}

type nginxFiles struct {
	nginxData
	// Each of these fields contains the lines of one map, each line with a key and a value.
	RouteKeys, LocationKeys, VariantKeys, LinkKeys, TokenKeys []string
	FieldMaps                                                 []nginxFieldMap
	Classes                                                   []classRow
	Languages                                                 []string
	CORS                                                      []artifact.Field
	BuildFile                                                 string
	// Refusals are the problems that need their own location, because nginx may respond with them before it matches a
	// path.
	Refusals []nginxRefusal
	// RetirementFields are the fields that announce a retirement. The value of each field is a variable that a map
	// sets.
	RetirementFields []artifact.Field

	Allow, PageCacheControl, CDNCacheControl, ProblemMediaType string
}

// nginxRefusal is a problem that has its own location: the name of the location, and the file and the fields of the
// response.
type nginxRefusal struct {
	Name, File string
	Fields     []artifact.Field
}

// nginxFieldMap is a map from Source, a variable with the number of a class or a path, to the value of a header field.
type nginxFieldMap struct {
	Name, Source, Variable, Default string
	Others                          []string
}

func fieldMap(site, name, common string) nginxFieldMap {
	return nginxFieldMap{
		Name: name, Source: "$" + site + "_class", Default: nginxString(site, common),
		Variable: "$" + site + "_field_" + strings.ToLower(strings.ReplaceAll(name, "-", "_")),
	}
}

func newNginxFiles(m *artifact.Manifest, data nginxData) (*nginxFiles, error) {
	t, err := newTable(m)
	if err != nil {
		return nil, err
	}
	n := &nginxFiles{
		nginxData: data, Classes: t.Classes, Languages: t.Languages, BuildFile: t.BuildFile, CORS: artifact.CORSFields(),
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
		for _, refusal := range [][2]string{
			{artifact.ProblemPreconditionFailed, "412"}, {artifact.ProblemMalformedRequest, "malformed"},
			{artifact.ProblemMethodNotAllowed, "method"}, {artifact.ProblemInternalError, "error"},
		} {
			if v.Name == artifact.ProblemPrefix+refusal[0] {
				n.Refusals = append(n.Refusals, nginxRefusal{refusal[1], v.Identity, t.fields(v.Class)})
			}
		}
	}
	site := data.Site()
	n.RouteKeys, n.LocationKeys, n.VariantKeys = routes.lines(site), locations.lines(site), variants.lines(site)
	n.LinkKeys, n.TokenKeys = links.lines(site), tokens.lines(site)
	n.Bucket = max(n.Bucket, powerOfTwo(max(routes.longest, variants.longest)+64)) // room for the paths of a second site
	n.Entries = powerOfTwo(2 * max(len(t.Routes), len(t.Variants), n.Entries/2))
	for i, name := range t.Names {
		n.FieldMaps = append(n.FieldMaps, newFieldMap(data.Site(), t, i, name))
	}
	for _, f := range t.Retirement {
		own := fieldMap(data.Site(), f.Name, "")
		own.Source, own.Others = "$"+data.Site()+"_path", []string{nginxKey(m.Mount+artifact.OperationPath) + " " + nginxString(data.Site(), f.Value) + ";"}
		i := slices.IndexFunc(n.FieldMaps, func(o nginxFieldMap) bool { return o.Name == f.Name })
		n.FieldMaps[i] = own
		n.RetirementFields = append(n.RetirementFields, artifact.Field{Name: f.Name, Value: own.Variable})
	}
	return n, nil
}

// newFieldMap returns the map for one field. The map's default is the most common value.
func newFieldMap(site string, t *table, column int, name string) nginxFieldMap {
	count := make(map[string]int)
	common := t.Classes[0].Fields[column]
	for _, c := range t.Classes {
		v := c.Fields[column]
		if count[v]++; count[v] > count[common] {
			common = v
		}
	}
	f := fieldMap(site, name, common)
	for _, c := range t.Classes {
		if v := c.Fields[column]; v != common {
			f.Others = append(f.Others, fmt.Sprintf("%d %s;", c.Number, nginxString(site, v)))
		}
	}
	return f
}

// fields returns the fields of a class, except for Content-Type.
func (t *table) fields(class int) []artifact.Field {
	var fields []artifact.Field
	for i, name := range t.Names {
		if v := t.Classes[class].Fields[i]; v != "" {
			fields = append(fields, artifact.Field{Name: name, Value: v})
		}
	}
	return fields
}

// nginxMap collects the lines of a map. longest is the length in bytes of the longest key.
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

// lines returns the lines of the map. nginx ignores case in keys, so keys that differ only in case become regular
// expressions.
func (m *nginxMap) lines(site string) []string {
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
		lines = append(lines, key+" "+nginxString(site, m.values[i])+";")
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// nginxString returns s as a quoted nginx string without variables. nginx has no escape for the dollar sign, so a
// variable represents it.
func nginxString(site, s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `${`+site+`_dollar}`).Replace(s) + `"`
}

// nginxKey returns s as a quoted key for an nginx map. In such a key, a dollar sign doesn't start a variable.
func nginxKey(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// nginxRegex returns expr, a regular expression, as a key of a map. flag is "~", or "~*" to ignore case.
func nginxRegex(flag, expr string) string { return nginxKey(flag + expr) }

// quoteMeta returns an expression in Perl's dialect that matches s literally.
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

// powerOfTwo returns the smallest power of two that is at least n and at least 64.
func powerOfTwo(n int) int {
	p := 64
	for p < n {
		p *= 2
	}
	return p
}

// seconds returns the max-age of a Cache-Control value, in seconds.
func seconds(cacheControl string) string {
	_, age, _ := strings.Cut(cacheControl, "max-age=")
	age, _, _ = strings.Cut(age, ",")
	return age
}
