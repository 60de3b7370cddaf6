// Package canary contains only a test. The test builds a site with a draft, a scheduled article, and an unlisted
// page, with files next to them. It checks that no output contains any unpublished content, and that unlisted content
// is only in its own representations.
package canary
