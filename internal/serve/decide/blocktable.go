package decide

// BlockTable tracks which BlockSets are in the dynamic table of a client's decoder (RFC 7541 §2.3.2). The table evicts
// its oldest fields to make room for new ones. A BlockTable belongs to one connection, whose blocks must be encoded in
// sending order. It isn't safe for concurrent use.
type BlockTable struct {
	// size is the maximum size of the fields in bytes.
	size int
	// unsaid reports whether the next block must tell the client the size.
	unsaid bool
	// inserted is the number of fields ever inserted into the table, and bytes is their total size.
	inserted, bytes int
	// known contains the most recently inserted sets.
	known []knownSet
	// date is the set with the Date field. It isn't in known because it changes every second and would displace other
	// sets.
	date knownSet
}

// knownSet is a set that was inserted into the table. fields and bytes are the number and the total size of the fields
// that were inserted before it.
type knownSet struct {
	set           *BlockSet
	fields, bytes int
}

const (
	// tableSize is the maximum number of bytes that the server uses in a client's table: the default size of every
	// client's table (RFC 9113 §6.5.2).
	tableSize = 4 << 10
	// mostKnown is the maximum number of sets to track. A site's responses use few sets.
	mostKnown = 8
	// staticFields is the number of predefined fields in every table (RFC 7541 appendix A).
	staticFields = 61
)

// NewBlockTable returns the table of a client that hasn't announced a maximum size.
func NewBlockTable() BlockTable { return BlockTable{size: tableSize, unsaid: true} }

// Resize limits the table to the maximum size in bytes that the client announced. If the size changes, Resize empties
// the table.
func (t *BlockTable) Resize(most uint32) {
	if size := int(min(most, tableSize)); size != t.size {
		*t = BlockTable{size: size, unsaid: true}
	}
}

// AppendSize starts a block. If the client doesn't know the table's size yet, it appends an update that empties the
// table and sets its size (RFC 7541 §6.3).
func (t *BlockTable) AppendSize(dst []byte) []byte {
	if !t.unsaid {
		return dst
	}
	t.unsaid = false
	if dst = append(dst, 0x20); t.size > 0 {
		dst = appendBlockInteger(dst, 0x20, 5, t.size)
	}
	return dst
}

// AppendSet appends the encoding of set, whose fields must not contain holes.
func (t *BlockTable) AppendSet(dst []byte, set *BlockSet) []byte { return t.appendSet(dst, set, nil) }

// AppendDate appends the encoding of date, which must be a set with only a Date field. If the table doesn't contain
// date yet, AppendDate inserts it and tracks it in t.date, unless the table is too small.
func (t *BlockTable) AppendDate(dst []byte, date *BlockSet) []byte {
	switch {
	case t.has(&t.date, date):
		return date.appendKnown(dst, t.first(&t.date), nil)
	case t.takes(date):
		t.date = t.insert(date)
		return date.append(dst, true, nil)
	}
	return date.append(dst, false, nil)
}

// appendSet appends a set and fills its holes from h.
func (t *BlockTable) appendSet(dst []byte, set *BlockSet, h *Header) []byte {
	for i := range t.known {
		if k := &t.known[i]; t.has(k, set) {
			return set.appendKnown(dst, t.first(k), h)
		}
	}
	if !t.takes(set) {
		return set.append(dst, false, h)
	}
	if len(t.known) == mostKnown {
		t.known = append(t.known[:0], t.known[1:]...)
	}
	t.known = append(t.known, t.insert(set))
	return set.append(dst, true, h)
}

// takes reports whether to insert set into the table. A set that fills more than half of the table would evict too many
// other sets.
func (t *BlockTable) takes(set *BlockSet) bool { return set.fields > 0 && 2*set.size <= t.size }

// insert records that set goes into the table. To make room, the table evicts its oldest fields.
func (t *BlockTable) insert(set *BlockSet) knownSet {
	k := knownSet{set, t.inserted, t.bytes}
	t.inserted += set.fields
	t.bytes += set.size
	return k
}

// has reports whether k records set and all fields of set are still in the table.
func (t *BlockTable) has(k *knownSet, set *BlockSet) bool {
	return k.set == set && t.bytes-k.bytes <= t.size
}

// first returns the table index of the first field of k. The later fields of k have smaller indexes, because the newest
// field of the table comes first.
func (t *BlockTable) first(k *knownSet) int { return staticFields + t.inserted - k.fields }

// appendKnown appends s, a set in the table. at is the index of its first field.
func (s *BlockSet) appendKnown(dst []byte, at int, h *Header) []byte {
	for i := range s.pieces {
		for range s.pieces[i].fields {
			dst = appendBlockInteger(dst, 0x80, 7, at)
			at--
		}
		dst = s.pieces[i].appendRest(dst, h)
	}
	return dst
}

// append appends all fields of s. takes reports whether the client inserts them into its table.
func (s *BlockSet) append(dst []byte, takes bool, h *Header) []byte {
	for i := range s.pieces {
		p := &s.pieces[i]
		if takes {
			dst = append(dst, p.indexing...)
		} else {
			dst = append(dst, p.literal...)
		}
		dst = p.appendRest(dst, h)
	}
	return dst
}

func (p *blockPiece) appendRest(dst []byte, h *Header) []byte {
	if dst = append(dst, p.rest...); p.pattern != "" {
		dst = appendBlockFilled(dst, h, p.pattern)
	}
	return dst
}

// appendBlockInteger appends n as an integer whose first bits share a byte with the type of the representation (RFC
// 7541 §5.1). kind is this byte without the integer, and bits is the number of its bits that the integer can use.
func appendBlockInteger(dst []byte, kind byte, bits uint, n int) []byte {
	most := 1<<bits - 1
	if n < most {
		return append(dst, kind|byte(n))
	}
	dst = append(dst, kind|byte(most))
	for n -= most; n >= 0x80; n >>= 7 {
		dst = append(dst, byte(n)|0x80)
	}
	return append(dst, byte(n))
}
