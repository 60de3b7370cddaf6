package decide

// BlockTable tracks which of our field sets are in the dynamic table of a client's decoder (RFC 7541 §2.3.2). The table
// evicts its oldest fields to make room for new ones. A BlockTable belongs to one connection, whose blocks must be
// encoded in sending order.
type BlockTable struct {
	// size is the maximum size of the fields in bytes.
	size int
	// unsaid reports whether the client doesn't know size yet.
	unsaid bool
	// inserted is the number of fields ever inserted into the table, and bytes is their total size.
	inserted, bytes int
	// known contains the most recently inserted sets.
	known []knownSet
	// date is the set with the Date field. It is kept apart from known because it changes every second.
	date knownSet
}

// knownSet is a set in the table. It records how many fields, and how many bytes of fields, were inserted before it.
type knownSet struct {
	set           *BlockSet
	fields, bytes int
}

const (
	// tableSize is the maximum number of bytes that we use in a client's table: the default size for every client (RFC
	// 9113 §6.5.2).
	tableSize = 4 << 10
	// mostKnown is the maximum number of sets to track. A site's responses use few sets.
	mostKnown = 8
	// staticFields is the number of predefined fields in every table (RFC 7541 appendix A).
	staticFields = 61
)

// NewBlockTable returns the table of a client that has not announced a size.
func NewBlockTable() BlockTable { return BlockTable{size: tableSize, unsaid: true} }

// Resize sets the maximum size in bytes that the client allows.
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

// AppendSet appends set, whose fields must not contain holes.
func (t *BlockTable) AppendSet(dst []byte, set *BlockSet) []byte { return t.appendSet(dst, set, nil) }

// AppendDate appends a Date field. The field is tracked in t.date instead of t.known, because it changes every second.
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

// takes reports whether set goes into the table. A large set would evict the other sets.
func (t *BlockTable) takes(set *BlockSet) bool { return set.fields > 0 && 2*set.size <= t.size }

// insert records that set goes into the table. To make room, the table evicts its oldest fields.
func (t *BlockTable) insert(set *BlockSet) knownSet {
	k := knownSet{set, t.inserted, t.bytes}
	t.inserted += set.fields
	t.bytes += set.size
	return k
}

// has reports whether k is the entry for set and all its fields are still in the table.
func (t *BlockTable) has(k *knownSet, set *BlockSet) bool {
	return k.set == set && t.bytes-k.bytes <= t.size
}

// first returns the table index of the first field of k. Its later fields have smaller indexes, because the newest
// field comes first.
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

// appendBlockInteger appends an integer whose first bits share a byte with the representation's type (RFC 7541
// §5.1).
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
