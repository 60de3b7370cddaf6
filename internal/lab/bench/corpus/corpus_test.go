package corpus

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Every post has the number of words and the Markdown constructs that Post.Body describes, and two tags.
func TestPostContent(t *testing.T) {
	for i, p := range slices.Collect(Posts(300, 1)) {
		if words := len(strings.Fields(p.Body)); words < 600 || words > 1200 {
			t.Errorf("%s has %d words", p.Name, words)
		}
		for what, mark := range map[string]string{
			"heading": "## ", "list": "\n- ", "code": "\n```", "table": "| --- |", "emphasis": "**",
			"link to another site": "](https://", "link to a post": "](/blog/post-",
		} {
			if !strings.Contains(p.Body, mark) && (i > 0 || what != "link to a post") {
				t.Errorf("%s has no %s", p.Name, what)
			}
		}
		if len(p.Tags) != 2 || p.Tags[0] == p.Tags[1] {
			t.Errorf("%s has the tags %v", p.Name, p.Tags)
		}
	}
}

// The seed determines the posts, and a larger corpus starts with the posts of a smaller one.
func TestPostsAreTheSeeds(t *testing.T) {
	posts := slices.Collect(Posts(20, 7))
	if !reflect.DeepEqual(posts, slices.Collect(Posts(30, 7))[:20]) {
		t.Error("the first posts of a larger corpus are not those of a smaller one")
	}
	if reflect.DeepEqual(posts, slices.Collect(Posts(20, 8))) {
		t.Error("another seed gives the same posts")
	}
}

// Each round makes a different edit, which changes only the first sentence.
func TestEditedChangesOneSentence(t *testing.T) {
	p := At(0, 1)
	one, two := p.Edited(1), p.Edited(2)
	if one.Body == p.Body || one.Body == two.Body {
		t.Error("two edits gave the same text")
	}
	if !strings.Contains(one.Body, EditedSentence(1)+". ") {
		t.Error("the edited text does not have the sentence")
	}
	_, rest, _ := strings.Cut(p.Body, ". ")
	if !strings.HasSuffix(one.Body, rest) {
		t.Error("the edit changed more than the first sentence")
	}
	if again := one.Edited(2); again.Body != two.Body {
		t.Error("an edit depends on the one before it")
	}
}

// All generators receive the same posts.
func TestSitesHaveEqualContent(t *testing.T) {
	posts := Posts(3, 1)
	dir := t.TempDir()
	for generator, write := range map[string]func(string) error{
		"vitrine":  func(root string) error { return WriteVitrine(root, posts, Options{}) },
		"hugo":     func(root string) error { return WriteHugo(root, posts, Options{}) },
		"chain":    func(root string) error { return WriteHugoChain(root, posts, Options{Highlight: true, Images: true}) },
		"eleventy": func(root string) error { return WriteEleventy(root, posts) },
	} {
		root := filepath.Join(dir, generator)
		if err := write(root); err != nil {
			t.Fatal(err)
		}
		for p := range posts {
			got, err := os.ReadFile(PostFile(root, p.Name))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, []byte(p.Source())) {
				t.Errorf("%s was given another text of %s", generator, p.Name)
			}
		}
	}
}

// The sites with photographs have the same posts, and each post shows its own photograph.
func TestSitesWithPhotographs(t *testing.T) {
	dir, photos := t.TempDir(), t.TempDir()
	posts := PhotoPosts(2, 1)
	for i := range 2 {
		if err := os.WriteFile(filepath.Join(photos, PhotoName(i)), []byte{byte(i)}, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for folder, write := range map[string]func(string) error{
		"content": func(root string) error { return WriteVitrinePhotos(root, photos, posts) },
		"assets": func(root string) error {
			return WriteHugoPhotos(root, photos, posts, CopySettings{Widths: []int{480, 960}, Quality: 82, Method: 2})
		},
	} {
		root := filepath.Join(dir, folder)
		if err := write(root); err != nil {
			t.Fatal(err)
		}
		i := 0
		for p := range posts {
			source, err := os.ReadFile(PostFile(root, p.Name))
			if err != nil || !bytes.Contains(source, []byte("](/photos/"+PhotoName(i)+")")) {
				t.Errorf("%s: %s doesn't show %s: %v", folder, p.Name, PhotoName(i), err)
			}
			if data, err := os.ReadFile(filepath.Join(root, folder, "photos", PhotoName(i))); err != nil || !bytes.Equal(data, []byte{byte(i)}) {
				t.Errorf("%s: %s: %v, %v", folder, PhotoName(i), data, err)
			}
			i++
		}
	}
	settings, err := os.ReadFile(filepath.Join(dir, "assets", "hugo.toml"))
	if err != nil || !bytes.Contains(settings, []byte("widths = [480, 960]\n  quality = 82\n")) {
		t.Errorf("Hugo's settings: %s, %v", settings, err)
	}
}
