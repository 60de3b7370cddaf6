package serve

import "vitrine/internal/artifact"

// Class is the kind of resource that a request's path leads to. There are few,
// whatever is asked for, so that requests can be counted by it.
type Class uint8

// Classes.
const (
	// ClassNone is a path without a resource.
	ClassNone Class = iota
	// ClassFile is one representation at a URL of its own, ClassPage a page that
	// is negotiated, ClassOperation the JSON operation, and ClassRedirect an old
	// URL of a page.
	ClassFile
	ClassPage
	ClassOperation
	ClassRedirect
)

// String is the class as a label: one word in lower case.
func (c Class) String() string {
	return [...]string{ClassNone: "none", ClassFile: "file", ClassPage: "page", ClassOperation: "operation", ClassRedirect: "redirect"}[c]
}

// Class tells what kind of resource was found.
func (f Found) Class() Class {
	if !f.ok {
		return ClassNone
	}
	switch f.route.Kind() {
	case artifact.KindFile:
		return ClassFile
	case artifact.KindPage:
		return ClassPage
	case artifact.KindOperation:
		return ClassOperation
	case artifact.KindRedirect:
		return ClassRedirect
	}
	return ClassNone
}
