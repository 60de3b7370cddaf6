// Package brand derives the look of a site from its settings. It computes two palettes from one color, with enough
// contrast for WCAG AA, and checks the files of the logo, the icon, and the fonts. The same settings and files result
// in the same bytes on every machine. A setting with an unusable value is reported with its position and otherwise
// ignored.
package brand

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"vitrine/internal/image/file"
	"vitrine/internal/load/suggest"
	"vitrine/internal/rule"
	"vitrine/internal/site"
)

const (
	configFile = "content/site.yaml"
	// folder is the source folder of the files that the theme settings can name.
	folder = "content/static/"
)

// Limits for the theme's files: sides in pixels, everything else in bytes. Every page loads these files, so a font
// larger than sensibleFont causes a warning, and exceeding any other limit causes an error.
const (
	maxPicture   = 100 << 10
	maxLogoSide  = 2048
	maxIconSide  = 1024
	sensibleFont = 200 << 10
	maxFont      = 16 << 20
	kib          = 1 << 10
)

const (
	pictureAdvice  = "make it smaller, because every page shows it"
	fontAdvice     = "remove the characters that the site does not use, for example with pyftsubset"
	woff2Signature = "wOF2"
)

// Look is the appearance that a site's settings specify.
type Look struct {
	// Accent is the accent color in site.yaml, or nil for the theme's default.
	Accent *RGB
	// Logo, LogoDark, and Icon are the image files in the settings. Each is nil if its setting is empty or its file is
	// unusable.
	Logo, LogoDark, Icon *File
	// Text and Headings are the fonts for the text and the headings, each in the order of its setting.
	Text, Headings []Face
	// TextStack and HeadingsStack are system font families, or "" if the theme's fonts or a file are used.
	TextStack, HeadingsStack string
}

// File is a picture or a font of the look.
type File struct {
	// Extension is the file name's extension in lower case, including the dot.
	Extension string
	Body      []byte
	// Width and Height are an image's size in pixels. They are 0 for a font or an ICO file.
	Width, Height int
	// Variable reports whether a font is variable; see inspectFont.
	Variable bool
}

// New returns the look of s and the problems with its theme settings. root is the site's root folder. New checks the
// files that the settings name, and omits unusable files from the look. It returns an error if an existing file can't
// be read.
func New(s *site.Site, root fs.FS) (*Look, []site.Problem, error) {
	theme := &s.Config.Theme
	l := &looker{root: root, all: s.Files}
	look := &Look{
		Logo: l.picture("logo", theme.Logo), LogoDark: l.picture("logoDark", theme.LogoDark), Icon: l.icon(theme.Favicon),
	}
	look.Text, look.TextStack = l.faces("fonts.text", theme.Text, theme.TextFonts)
	look.Headings, look.HeadingsStack = l.faces("fonts.headings", theme.Headings, theme.HeadingsFonts)
	l.weights(theme, look)
	if accent, ok := Parse(theme.Accent); ok {
		look.Accent = &accent
		l.problems = append(l.problems, accentProblems(theme, accent)...)
	}
	if theme.Logo.Target == "" && theme.LogoDark.Target != "" {
		l.wrong(theme.LogoDark.Pos, rule.MissingKey, "theme.logoDark: there is no logo for the light scheme; set theme.logo too")
	}
	return look, l.problems, l.err
}

// looker reads and checks the files that the theme settings name.
type looker struct {
	root fs.FS
	all  []site.File
	// files contains the files under content/static/, keyed by their path in that folder. index fills files and names
	// on first use because most sites use none of these files.
	files map[string]site.File
	// names are the sorted keys of files.
	names    []string
	problems []site.Problem
	err      error
}

func (l *looker) wrong(at site.Pos, code site.Code, format string, args ...any) {
	l.problems = append(l.problems, site.Problem{Path: configFile, Pos: at, Severity: site.Error, Code: code, Text: fmt.Sprintf(format, args...)})
}

// index collects the files that settings can name. Only its first call has an effect.
func (l *looker) index() {
	if l.files != nil {
		return
	}
	l.files = make(map[string]site.File)
	for _, f := range l.all {
		if name, ok := strings.CutPrefix(f.Source, folder); ok {
			l.files[name] = f
			l.names = append(l.names, name)
		}
	}
	slices.Sort(l.names)
}

// read reads the file that ref, the value of the setting named key, refers to. It reports a problem if the file is
// missing or larger than most bytes. advice tells the user what to do about a file that is too large. read sets l.err
// if reading the file fails.
func (l *looker) read(key string, ref site.Reference, most int64, advice string) (*File, bool) {
	l.index()
	f, ok := l.files[ref.Target]
	if !ok {
		l.wrong(ref.Pos, rule.DeadLink, "theme.%s: there is no file %s%s; %s", key, folder, ref.Target, l.advise(ref.Target))
		return nil, false
	}
	if f.Size > most {
		l.wrong(ref.Pos, rule.LookFile, "theme.%s: %s is %d KiB, and the maximum is %d KiB; %s", key, ref.Target, f.Size/kib, most/kib, advice)
		return nil, false
	}
	body, err := fs.ReadFile(l.root, f.Source)
	if err != nil {
		l.err = fmt.Errorf("reading %s: %w", f.Source, err)
		return nil, false
	}
	return &File{Extension: strings.ToLower(path.Ext(ref.Target)), Body: body}, true
}

// advise returns what to do about a setting whose value, name, doesn't name an existing file.
func (l *looker) advise(name string) string {
	for _, prefix := range []string{"/", "content/static/", "static/"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && l.files[rest].Source != "" {
			return fmt.Sprintf("write %q, its path in %s", rest, folder)
		}
	}
	near := suggest.Nearest(name, l.names)
	for _, other := range l.names {
		if near == "" && strings.EqualFold(path.Base(other), path.Base(name)) {
			near = other
		}
	}
	if near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	for _, f := range l.all {
		if strings.EqualFold(path.Base(f.Source), path.Base(name)) {
			return fmt.Sprintf("move %s to %s", f.Source, folder)
		}
	}
	return "add the file, or remove the setting"
}

// picture reads a logo. It returns nil if the setting is empty or the file is unusable.
func (l *looker) picture(key string, ref site.Reference) *File {
	return l.image(key, ref, maxLogoSide, "a logo must be an SVG, PNG, JPEG, GIF, WebP, or AVIF file", nil)
}

// icon reads the site's icon. It returns nil if the setting is empty or the file is unusable.
func (l *looker) icon(ref site.Reference) *File {
	const kinds = "an icon must be an SVG, PNG, or ICO file"
	if strings.EqualFold(path.Ext(ref.Target), ".ico") {
		f, ok := l.read("favicon", ref, maxPicture, pictureAdvice)
		if ok && !bytes.HasPrefix(f.Body, []byte{0, 0, 1, 0}) {
			l.wrong(ref.Pos, rule.LookFile, "theme.favicon: %s is not an ICO file, despite its name; %s", ref.Target, kinds)
			return nil
		}
		return f
	}
	return l.image("favicon", ref, maxIconSide, kinds, []file.Format{file.SVG, file.PNG})
}

// image reads an image in one of the given formats, or in any format if formats is nil. kinds is the advice that lists
// the supported formats. side is the maximum width and height in pixels, except for an SVG. image returns nil if the
// setting is empty or the image is unusable.
func (l *looker) image(key string, ref site.Reference, side int, kinds string, formats []file.Format) *File {
	if ref.Target == "" {
		return nil
	}
	f, ok := l.read(key, ref, maxPicture, pictureAdvice)
	if !ok {
		return nil
	}
	refuse := func(format string, args ...any) *File {
		l.wrong(ref.Pos, rule.LookFile, "theme.%s: %s", key, fmt.Sprintf(format, args...))
		return nil
	}
	info, err := file.Inspect(f.Body)
	switch {
	case errors.Is(err, file.ErrUnknown), err == nil && formats != nil && !slices.Contains(formats, info.Format):
		return refuse("the format of %s is not supported; %s", ref.Target, kinds)
	case err != nil:
		return refuse("%s cannot be read: %v; save it again", ref.Target, err)
	case !named(f.Extension, info.Format):
		return refuse("the format of %s is %s; change the file extension to match", ref.Target, info.Format)
	case info.Width == 0 || info.Height == 0:
		return refuse("%s has no size, so pages would jump while they load; add a viewBox to its outermost element", ref.Target)
	case info.Format != file.SVG && max(info.Width, info.Height) > side:
		return refuse("%s is %d × %d pixels, and the maximum side length is %d; %s", ref.Target, info.Width, info.Height, side, pictureAdvice)
	}
	f.Width, f.Height = info.Width, info.Height
	return f
}

// named reports whether extension belongs to format.
func named(extension string, format file.Format) bool {
	return extension == "."+strings.ToLower(format.String()) || extension == ".jpg" && format == file.JPEG
}
