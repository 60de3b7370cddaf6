package load

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"vitrine/internal/folder"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

// published reports files in static/ that look like keys, passwords, leftovers of programs, or the configuration of a
// host. It skips the files in allowed, whose paths are relative to static/.
func (l *loader) published(files []site.File, allowed []string) {
	modules := ""
	for _, f := range files {
		below, static := strings.CutPrefix(f.Source, folder.Static+"/")
		if f.OnLink || !static || slices.Contains(allowed, below) {
			continue
		}
		if dir, _, ok := cutFolder(below, "node_modules"); ok {
			if dir != modules {
				modules = dir
				l.stray(path.Join(folder.Static, dir), rule.Litter, site.Warning, "this folder contains a tool's packages, and all of them are published; move it out of content/static/")
			}
			continue
		}
		switch {
		case hostFile(below) != "":
			l.stray(f.Source, rule.HostFile, site.Error, "a host reads this file instead of the one that the build writes; remove this file, and "+hostFile(below))
		case l.secret(f):
			l.stray(f.Source, rule.Secret, site.Error, "the file looks like a key or a password, and it is published; move it out of the site, or add "+below+" to static.allow in site.yaml")
		case litter(below):
			l.stray(f.Source, rule.Litter, site.Warning, "the file looks like a leftover copy, and it is published; remove it, or add "+below+" to static.allow in site.yaml")
		}
	}
}

func (l *loader) stray(name string, code site.Code, severity site.Severity, text string) {
	l.problems = append(l.problems, site.Problem{Path: printable(name), Severity: severity, Code: code, Text: printable(text)})
}

// cutFolder splits name after the first folder named base: dir is the path of that folder, and below is the rest of
// name. ok is false if name contains no such folder.
func cutFolder(name, base string) (dir, below string, ok bool) {
	if below, ok = strings.CutPrefix(name, base+"/"); ok {
		return base, below, true
	}
	if dir, below, ok = strings.Cut(name, "/"+base+"/"); ok {
		return dir + "/" + base, below, true
	}
	return "", name, false
}

// hostFile returns advice on how to replace a hosting service's configuration file at the site's root, or "" for other
// files. below is the file's path relative to static/.
func hostFile(below string) string {
	first, _, _ := strings.Cut(below, "/")
	switch first {
	case "_headers":
		return "set header fields with scripts, robots, and reprDigest in site.yaml"
	case "_redirects":
		return "list old addresses under aliases in the front matter of the page that they redirect to"
	case "_worker.js", "_routes.json":
		return "run \"vitrine config\" for your host, which prints its configuration"
	}
	return ""
}

// mostKey is the maximum size in bytes of files that are searched for private keys. It exceeds the size of any PEM
// private key in use.
const mostKey = 64 << 10

// secret reports whether a file's name suggests a key or a list of passwords. If harmless files can have the same name,
// secret also checks the content.
func (l *loader) secret(f site.File) bool {
	base := strings.ToLower(path.Base(f.Source))
	switch base {
	case "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "htpasswd", "terraform.tfstate", "terraform.tfstate.backup", "terraform.tfvars", "env":
		return base != "env" || f.Size > 0 && l.assigns(f)
	}
	switch path.Ext(base) {
	case ".env", ".tfstate", ".tfvars", ".ppk", ".p12", ".pfx", ".jks", ".keystore", ".kdbx":
		return true
	case ".key":
		return !bytes.HasPrefix(l.beginning(f), []byte("PK")) // Keynote presentations are ZIP archives
	case ".pem", ".crt", ".cer", ".txt", "":
		return f.Size <= mostKey && bytes.Contains(l.beginning(f), []byte("PRIVATE KEY-----"))
	}
	return false
}

// assigns reports whether a file's first line contains "=", like a shell assignment.
func (l *loader) assigns(f site.File) bool {
	line, _, _ := bytes.Cut(l.beginning(f), []byte("\n"))
	return bytes.Contains(line, []byte("="))
}

// beginning returns the content of a file of at most mostKey bytes, or of a .key file of any size. It returns nil for
// other files and if the file can't be read.
func (l *loader) beginning(f site.File) []byte {
	if f.Size > mostKey && path.Ext(f.Source) != ".key" {
		return nil
	}
	content, err := l.folder.ReadLimited(f.Source, max(f.Size, mostKey))
	if err != nil {
		return nil // the error is reported when the file is published
	}
	return content
}

// litter reports whether a file is probably a leftover of an editor, a file manager, or version control.
func litter(below string) bool {
	base := path.Base(below)
	switch strings.ToLower(base) {
	case "thumbs.db", "ehthumbs.db", "desktop.ini", "npm-debug.log", "__macosx":
		return true
	}
	if strings.HasPrefix(base, "~$") || strings.HasPrefix(below, "__MACOSX/") {
		return true
	}
	switch strings.ToLower(path.Ext(base)) {
	case ".bak", ".orig", ".rej", ".tmp", ".old", ".swo":
		return true
	}
	return false
}

// names warns about files and pages whose names aren't allowed on Windows, because users can't clone the site there. It
// skips names that can't be part of a URL, because these have already been reported as errors.
func (l *loader) names(all []string) {
	for _, name := range all {
		if part := notOnWindows(name); part != "" && nameProblem(strings.TrimPrefix(name, folder.Content+"/")) == "" {
			l.stray(name, rule.WindowsName, site.Warning, "Windows does not allow the file name "+part+", so this site cannot be cloned on Windows; rename the file")
		}
	}
}

// notOnWindows returns the first part of a path that isn't a valid name on Windows, or "" if there is none.
func notOnWindows(name string) string {
	for part := range strings.SplitSeq(name, "/") {
		stem, _, _ := strings.Cut(part, ".")
		if deviceName(strings.ToUpper(strings.TrimRight(stem, " "))) || strings.ContainsAny(part, `<>:"|?*\`) || strings.HasSuffix(part, ".") || strings.HasSuffix(part, " ") {
			return part
		}
	}
	return ""
}

// deviceName reports whether stem, a file's name in upper case without its extension, is the name of a Windows device.
func deviceName(stem string) bool {
	switch stem {
	case "CON", "PRN", "AUX", "NUL":
		return true
	}
	return len(stem) == 4 && (strings.HasPrefix(stem, "COM") || strings.HasPrefix(stem, "LPT")) && stem[3] >= '1' && stem[3] <= '9'
}
