package artifact

// The manifest is one file of little-endian records, so that a server with 50,000 pages can look up a path without
// decoding the other 49,999. It has a header, then sections of fixed-size records that refer to each other by index,
// then the text section with the strings that records refer to by offset.
//
//	header    magic, checksum of the rest, allowance, due time of the next
//	          scheduled page, size of all bodies, section sizes
//	routes    sorted by a hash of the path, then by path: found by binary search
//	variants  the variants of a route are adjacent
//	bodies    the bodies of a variant are adjacent, one for each content coding
//	classes   common parts of many variants: see Class
//	uses      indexes into fields: the indexes of a class are adjacent
//	fields    header fields, each stored once
//	packs     names of the files with compressed bytes
//	text      strings, found by offset, each after its length (unsigned
//	          varint); the empty string is at 0
//
// A server reads the complete manifest and checks its checksum at every start, so the format is compact. Values that
// differ between pages only in the path of the page are stored once, with a hole for the path.
//
// Every change to the layout must change the magic, so that a reader rejects an older or newer manifest instead of
// misreading it.
const (
	magic = "vitrine\x03"

	checksumAt = len(magic)
	headerAt   = checksumAt + 8 // start of the bytes covered by the checksum

	// Header: allowance limit; allowance window in seconds; due time of the next scheduled page in Unix seconds, or 0;
	// size of all bodies; then the number of records of each section in the order above (for text, the number of
	// bytes).
	limitAt    = headerAt
	windowAt   = limitAt + 4
	nextDueAt  = windowAt + 4
	sizeAt     = nextDueAt + 8
	countsAt   = sizeAt + 8
	headerSize = countsAt + 4*sections
	sections   = 8

	// A route: hash of the path, path, first variant (or the location, if there are no variants), variants<<8 | kind.
	routeSize = 4 + 4 + 4 + 4
	// A variant: path of its route, argument, class, first body<<bodiesBits | number of bodies.
	variantSize = 4 + 4 + 4 + 4
	// A body: hash, size<<24 | pack<<8 | coding, offset in the pack. pack is the index of the pack plus 1, or 0 if the
	// bytes are a public file.
	bodySize  = 8 + 8 + 8
	classSize = 4 + 4 + 4 // file, first use, uses
	useSize   = 4
	fieldSize = 4 + 4 // name, value
	packSize  = 4     // name

	// bodiesBits is the number of bits that store a variant's body count, which is at most the number of content
	// codings.
	bodiesBits = 2
	bodiesMask = 1<<bodiesBits - 1

	// Limits of the records above.
	maxText   = 1<<32 - 1
	maxBodies = 1 << (32 - bodiesBits)
	maxSize   = 1 << 40
	maxPacks  = 1<<16 - 1
)

// MagicSize is the length in bytes of the magic at the start of a manifest of any version.
const MagicSize = len(magic)

// IsMagic reports whether head, the first MagicSize bytes of a file, identifies a manifest of any version.
func IsMagic(head string) bool {
	return len(head) == len(magic) && head[:len(head)-1] == magic[:len(magic)-1] && head[len(head)-1] < ' '
}
