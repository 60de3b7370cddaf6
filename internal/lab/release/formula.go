package release

import (
	"bytes"
	"fmt"
	"text/template"

	"vitrine/internal/lab/supply"
)

// formulaText is the template for a formula in a separate tap. Homebrew's main tap builds formulas from source.
const formulaText = `# Made of the release's files, with the programs of its archives. For your own tap: Formula/vitrine.rb.
class Vitrine < Formula
  desc "Builds public facts into a site that any edge can serve, and serves it"
  homepage "{{.Home}}"
  version "{{.Version}}"
  license "Apache-2.0"
{{range .Systems}}
  on_{{.Name}} do
{{- range .Archives}}
    on_{{.CPU}} do
      url "{{.URL}}"
      sha256 "{{.SHA256}}"
    end
{{- end}}
  end
{{end}}
  def install
    bin.install "vitrine", "vitrined"
    doc.install "LICENSE", "LICENSES-OF-MODULES.txt"
    (man1/"vitrine.1").write Utils.safe_popen_read(bin/"vitrine", "help", "--man")
    generate_completions_from_executable(bin/"vitrine", "completion", shells: [:bash, :zsh, :fish])
  end

  test do
    system bin/"vitrine", "new", "site", "acorn"
    system bin/"vitrine", "build", "--root", "acorn"
    assert_path_exists testpath/"acorn/build/public/index.html"
    system bin/"vitrined", "-version"
  end
end
`

type formulaArchive struct{ CPU, URL, SHA256 string }

type formulaSystem struct {
	Name     string
	Archives []formulaArchive
}

// formula returns the Homebrew formula with the checksums of the archives.
func (r *Release) formula(sums map[supply.Platform]string) ([]byte, error) {
	var systems []formulaSystem
	for _, name := range []string{"macos", "linux"} {
		system := formulaSystem{Name: name}
		for _, cpu := range []string{"arm", "intel"} {
			p := supply.Platform{OS: map[string]string{"macos": "darwin", "linux": "linux"}[name], Arch: map[string]string{"arm": "arm64", "intel": "amd64"}[cpu]}
			system.Archives = append(system.Archives, formulaArchive{cpu, r.Home() + "/releases/download/v" + r.Version + "/" + r.archiveName(p), sums[p]})
		}
		systems = append(systems, system)
	}
	var b bytes.Buffer
	err := template.Must(template.New("formula").Parse(formulaText)).Execute(&b, struct {
		*Release
		Systems []formulaSystem
	}{r, systems})
	if err != nil {
		return nil, fmt.Errorf("writing the formula: %w", err)
	}
	return b.Bytes(), nil
}
