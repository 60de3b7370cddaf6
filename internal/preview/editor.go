package preview

import (
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"vitrine/internal/folder"
)

// An editor opens sources in the user's editor.
type editor struct {
	// command is the editor's program with its arguments, or nil if the server can't start an editor. In that case,
	// pages contain links that open VS Code.
	command []string
	place   placing
}

// EditorView tells a page's script how to open sources in an editor.
type EditorView struct {
	// Name is the name of the editor that the server starts, or "" if the server can't start an editor.
	Name string `json:"name,omitempty"`
	// Link is a URL prefix that, followed by a source's path and ":line:column", opens the source in VS Code.
	Link string `json:"link"`
}

// placing is a function that returns the arguments with which an editor opens a file at a line and column.
type placing func(file, line, column string) []string

func colons(file, line, column string) []string {
	return []string{file + ":" + line + ":" + column}
}

func goTo(file, line, column string) []string {
	return append([]string{"--goto"}, colons(file, line, column)...)
}

func plusLine(file, line, _ string) []string { return []string{"+" + line, file} }

func plusLineColumn(file, line, column string) []string {
	return []string{"+" + line + ":" + column, file}
}

func lineOption(file, line, _ string) []string { return []string{"--line", line, file} }

func lineColumnOptions(file, line, column string) []string {
	return []string{"--line", line, "--column", column, file}
}

func plainFile(file, _, _ string) []string { return []string{file} }

// graphical returns the function that builds the arguments of the named editor, which must have its own window. It
// returns false for other programs because a server can't start an editor that needs a terminal, such as vi.
func graphical(name string) (placing, bool) {
	switch name {
	case "code", "code-insiders", "codium", "vscodium", "cursor", "windsurf", "positron":
		return goTo, true
	case "zed", "zeditor", "subl", "sublime_text", "lite-xl", "lapce", "pulsar", "atom":
		return colons, true
	case "gvim", "mvim", "nvim-qt", "neovide", "bbedit", "gedit", "xed", "geany", "nedit":
		return plusLine, true
	case "emacsclient", "emacs":
		return plusLineColumn, true
	case "gnome-text-editor":
		return plusLineColumn, true
	case "kate", "kwrite":
		return lineColumnOptions, true
	case "idea", "webstorm", "goland", "pycharm", "phpstorm", "rubymine", "fleet", "mate", "nova", "rider", "clion":
		return lineOption, true
	case "mousepad", "leafpad", "xedit", "notepad", "notepad++", "textedit", "pluma", "featherpad":
		return plainFile, true
	}
	return nil, false
}

// newEditor returns the editor in $VISUAL or, if $VISUAL is unset or names an editor without a window, the editor in
// $EDITOR. If neither variable names an editor with a window, the result has no command.
func newEditor(environment func(string) string) editor {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		command := words(environment(name))
		if len(command) == 0 {
			continue
		}
		program := strings.TrimSuffix(strings.ToLower(filepath.Base(command[0])), ".exe")
		place, ok := graphical(program)
		if !ok || program == "emacsclient" && inTerminal(command) {
			continue
		}
		return editor{command: command, place: place}
	}
	return editor{}
}

// inTerminal reports whether command, an emacsclient command line, opens files in a terminal.
func inTerminal(command []string) bool {
	for _, argument := range command[1:] {
		if argument == "-t" || argument == "-nw" || argument == "--tty" {
			return true
		}
	}
	return false
}

// words splits a command line at unquoted spaces and tabs. Command lines for editors need no other shell syntax.
func words(line string) []string {
	var out []string
	var word strings.Builder
	inside, quote := false, rune(0)
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, inside = r, true
		case r == ' ' || r == '\t':
			if inside {
				out = append(out, word.String())
				word.Reset()
				inside = false
			}
		default:
			word.WriteRune(r)
			inside = true
		}
	}
	if inside {
		out = append(out, word.String())
	}
	return out
}

// view returns the description of the editor for pages' scripts. root is the absolute path of the site's folder.
func (e editor) view(root string) EditorView {
	whole := filepath.ToSlash(root)
	if !strings.HasPrefix(whole, "/") {
		whole = "/" + whole // C:/site
	}
	v := EditorView{Link: "vscode://file" + (&url.URL{Path: strings.TrimSuffix(whole, "/")}).EscapedPath() + "/"}
	if e.command != nil {
		v.Name = strings.TrimSuffix(filepath.Base(e.command[0]), ".exe")
	}
	return v
}

// errNotOpened is wrapped by errors that retrying can't fix, such as a missing editor or file.
var errNotOpened = errors.New("the file was not opened")

// open starts the editor at the given position in the named source of the site. It returns an error that wraps
// errNotOpened if there is no editor, or name isn't an existing source of the site.
func (e editor) open(root *os.Root, name string, line, column int) error {
	if e.command == nil {
		return fmt.Errorf("%w: neither $VISUAL nor $EDITOR is set to a graphical editor", errNotOpened)
	}
	local := filepath.FromSlash(name)
	if !folder.Contains(name) || !filepath.IsLocal(local) {
		return fmt.Errorf("%w: %q is not one of the site's sources", errNotOpened, name)
	}
	info, err := root.Stat(local)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: %s does not exist", errNotOpened, name)
	case err != nil:
		return fmt.Errorf("opening %s: %w", name, err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%w: %s is not a file", errNotOpened, name)
	}
	file := filepath.Join(root.Name(), local)
	place := e.place(file, strconv.Itoa(max(1, line)), strconv.Itoa(max(1, column)))
	command := exec.Command(e.command[0], append(e.command[1:len(e.command):len(e.command)], place...)...)
	if err := command.Start(); err != nil {
		return fmt.Errorf("starting the editor: %w", err)
	}
	// Don't wait for the editor to exit. Wait only releases the resources of its process.
	go func() { _ = command.Wait() }()
	return nil
}

// openRequest is the JSON body of a request to open a source at a position.
type openRequest struct {
	Path   string `json:"path"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// open handles a request to open a source in the editor. The request must contain the token, which only the preview's
// own pages know.
func (s *Server) open(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "opening a source requires POST", http.StatusMethodNotAllowed)
		return
	}
	if subtle.ConstantTimeCompare([]byte(r.Header.Get("X-Vitrine-Token")), []byte(s.token)) != 1 {
		http.Error(w, "only a page of this preview may open a source; reload the page", http.StatusForbidden)
		return
	}
	var request openRequest
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<12)).Decode(&request); err != nil {
		http.Error(w, "the request is not valid JSON in the expected format", http.StatusBadRequest)
		return
	}
	err := s.editor.open(s.root, request.Path, request.Line, request.Column)
	switch {
	case errors.Is(err, errNotOpened):
		http.Error(w, err.Error(), http.StatusBadRequest)
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
	default:
		w.WriteHeader(http.StatusNoContent)
	}
}
