package artifact

// The manifest is one file of little-endian records, so that a server with
// 50,000 pages can look a path up without reading the other 49,999: a header,
// then sections of records of fixed size that refer to each other by index,
// then the text that they point into.
//
//	header    magic, checksum of all that follows it, allowance, section sizes
//	routes    sorted by hash of path, then path: found by binary search
//	variants  a route's are adjacent
//	bodies    a variant's are adjacent, one for each content coding that it has
//	uses      indexes into fields: a variant's are adjacent
//	fields    header fields, each stored once however many variants send it
//	packs     names of the files that hold coded bytes
//	text      what the records above point into
//
// A change of the layout changes the magic: an older or newer manifest is
// refused as such, never misread.
const (
	magic = "vitrine\x01"

	checksumAt = len(magic)
	headerAt   = checksumAt + 8 // what the checksum covers starts here

	// Header: allowance limit, allowance window in seconds, then the number of
	// records of each section in the order above, the text's in bytes.
	headerSize = headerAt + 4*9

	routeSize   = 8 + 8 + 8 + 4 + 4 // hash, path, location, first variant, variants<<8 | kind
	variantSize = 8 + 4 + 4 + 4 + 4 // file, first use, uses, first body, bodies
	bodySize    = 8 + 8 + 8 + 4 + 4 // hash, size, offset in its pack, pack + 1 or 0 for a public file, coding
	useSize     = 4
	fieldSize   = 8 + 8 // name, value
	packSize    = 8     // name
)
