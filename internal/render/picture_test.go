package render

import "testing"

// A feed has every copy of an image at its full address.
func TestFeedCopies(t *testing.T) {
	const html = `<p><img src="/a.png" alt="" srcset="/x-480.png 480w, /a%20b.png 960w" sizes="1px, 2px"> <a href="#b">b</a></p>`
	const want = `<p><img src="https://p.example/a.png" alt="" srcset="https://p.example/x-480.png 480w, https://p.example/a%20b.png 960w" sizes="1px, 2px"> <a href="https://p.example/page#b">b</a></p>`
	if got := string(absoluteLinks([]byte(html), "https://p.example", "https://p.example/page")); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
