package card

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/andybalholm/brotli"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype/tables"
)

const (
	woff2Signature = "wOF2"
	// maxUnpacked is how large a font may be when it is unpacked: those of Chinese have some 20 MB.
	maxUnpacked = 64 << 20
)

var errCut = errors.New("the font ends in the middle")

// tagsOfWOFF2 are the tags that a font in WOFF2 names by their number (W3C, WOFF File Format 2.0, §4.1).
const tagsOfWOFF2 = "cmapheadhheahmtxmaxpnameOS/2postcvt fpgmglyflocaprepCFF VORGEBDTEBLCgasphdmxkernLTSHPCLTVDMXvheavmtxBASEGDEFGPOSGSUB" +
	"EBSCJSTFMATHCBDTCBLCCOLRCPALSVG sbixacntavarbdatblocbslncvarfdscfeatfmtxfvargvarhstyjustlcarmortmorxopbdproptrakZapfSilfGlatGlocFeatSill"

// sfntTable is a table of a font.
type sfntTable struct {
	tag         string
	transformed bool
	body        []byte
}

// packedFont is a font in WOFF2, looked at from outside.
type packedFont struct {
	flavor uint32
	tables []sfntTable
	// lengths are those of the tables in the stream, sum is all of them together.
	lengths []int
	sum     int
	stream  []byte
}

func openWOFF2(data []byte) (*packedFont, error) {
	in := &bitten{rest: data[len(woff2Signature):]}
	p := &packedFont{flavor: in.u32()}
	in.skip(4)
	count := int(in.u16())
	in.skip(6)
	compressed := int(in.u32())
	in.skip(24)
	if p.flavor == 0x74746366 {
		return nil, errors.New("it is a collection of fonts; make a file of one of them")
	}
	p.tables, p.lengths = make([]sfntTable, count), make([]int, count)
	for i := range p.tables {
		flags := in.u8()
		tag, version := int(flags&63), flags>>6
		name := string(in.take(4 * (tag / 63)))
		if tag < 63 {
			name = tagsOfWOFF2[4*tag : 4*tag+4]
		}
		p.tables[i].tag, p.lengths[i] = name, in.base128()
		if glyphs := name == "glyf" || name == "loca"; glyphs && version != 3 || !glyphs && version != 0 {
			p.tables[i].transformed, p.lengths[i] = true, in.base128()
		}
		if p.sum += p.lengths[i]; p.sum > maxUnpacked {
			return nil, fmt.Errorf("unpacked it has more than %d MB", maxUnpacked>>20)
		}
	}
	if p.stream = in.take(compressed); in.cut {
		return nil, errCut
	}
	return p, nil
}

// unpackWOFF2 makes a font in TrueType or OpenType of one in WOFF2. What only screens use, the instructions of glyphs,
// is left out. What is not WOFF2 is returned as it is.
func unpackWOFF2(data []byte) ([]byte, error) {
	if !bytes.HasPrefix(data, []byte(woff2Signature)) {
		return data, nil
	}
	p, err := openWOFF2(data)
	if err != nil {
		return nil, err
	}
	all, err := io.ReadAll(io.LimitReader(brotli.NewReader(bytes.NewReader(p.stream)), int64(p.sum)+1))
	if err != nil {
		return nil, fmt.Errorf("unpacking it: %w", err)
	}
	if len(all) != p.sum {
		return nil, errCut
	}
	for i, length := range p.lengths {
		p.tables[i].body, all = all[:length:length], all[length:]
	}
	if err := restore(p.tables); err != nil {
		return nil, err
	}
	return sfnt(p.flavor, p.tables), nil
}

// charactersOf reads which characters a font in WOFF2 has, and nothing behind their table.
func charactersOf(data []byte) (font.Cmap, error) {
	p, err := openWOFF2(data)
	if err != nil {
		return nil, err
	}
	stream := brotli.NewReader(bytes.NewReader(p.stream))
	for i, t := range p.tables {
		body := make([]byte, p.lengths[i])
		if _, err := io.ReadFull(stream, body); err != nil {
			return nil, fmt.Errorf("unpacking it: %w", err)
		}
		if t.tag == "cmap" {
			table, _, err := tables.ParseCmap(body)
			if err != nil {
				return nil, fmt.Errorf("reading its characters: %w", err)
			}
			characters, _, err := font.ProcessCmap(table, tables.FPNone)
			return characters, err
		}
	}
	return nil, errors.New("it has no characters")
}

// restore makes tables of what WOFF2 has in their place (§5).
func restore(all []sfntTable) error {
	find := func(tag string) *sfntTable {
		i := slices.IndexFunc(all, func(t sfntTable) bool { return t.tag == tag })
		if i < 0 {
			return &sfntTable{}
		}
		return &all[i]
	}
	glyf, loca, head, hmtx, hhea := find("glyf"), find("loca"), find("head"), find("hmtx"), find("hhea")
	var bearings []int16
	if glyf.transformed {
		if !loca.transformed || len(loca.body) > 0 || len(head.body) < 54 {
			return errCut
		}
		var err error
		if glyf.body, loca.body, bearings, err = glyphs(glyf.body); err != nil {
			return err
		}
		binary.BigEndian.PutUint16(head.body[50:], 1)
	}
	if hmtx.transformed {
		if len(hhea.body) < 36 || bearings == nil {
			return errCut
		}
		in := &bitten{rest: hmtx.body}
		flags, metrics := in.u8(), int(binary.BigEndian.Uint16(hhea.body[34:]))
		if metrics > len(bearings) {
			return errCut
		}
		widths := &bitten{rest: in.take(2 * metrics)}
		var out []byte
		for i, bearing := range bearings {
			if i < metrics {
				out = binary.BigEndian.AppendUint16(out, widths.u16())
			}
			if i < metrics && flags&1 == 0 || i >= metrics && flags&2 == 0 {
				bearing = int16(in.u16())
			}
			out = binary.BigEndian.AppendUint16(out, uint16(bearing))
		}
		if hmtx.body = out; in.cut {
			return errCut
		}
	}
	return nil
}

// sfnt puts tables together.
func sfnt(flavor uint32, all []sfntTable) []byte {
	slices.SortFunc(all, func(a, b sfntTable) int { return cmp.Compare(a.tag, b.tag) })
	out := binary.BigEndian.AppendUint32(nil, flavor)
	out = append(binary.BigEndian.AppendUint16(out, uint16(len(all))), 0, 0, 0, 0, 0, 0)
	at := len(out) + 16*len(all)
	for _, t := range all {
		// Nothing here looks at the sums.
		out = append(append(out, t.tag...), 0, 0, 0, 0)
		out = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(out, uint32(at)), uint32(len(t.body)))
		at += (len(t.body) + 3) &^ 3
	}
	for _, t := range all {
		out = append(append(out, t.body...), make([]byte, -len(t.body)&3)...)
	}
	return out
}

// bitten is bytes that are read from the front. Beyond their end are zeros, and cut says so.
type bitten struct {
	rest []byte
	cut  bool
}

func (b *bitten) take(n int) []byte {
	if n < 0 || n > len(b.rest) {
		b.rest, b.cut = nil, true
		return nil
	}
	taken := b.rest[:n:n]
	b.rest = b.rest[n:]
	return taken
}

func (b *bitten) skip(n int) { b.take(n) }

func (b *bitten) u8() uint8 {
	if t := b.take(1); t != nil {
		return t[0]
	}
	return 0
}

func (b *bitten) u16() uint16 { return uint16(b.u8())<<8 | uint16(b.u8()) }

func (b *bitten) u32() uint32 { return uint32(b.u16())<<16 | uint32(b.u16()) }

// base128 is a number in at most five groups of seven bits.
func (b *bitten) base128() int {
	n := 0
	for range 5 {
		c := b.u8()
		if n = n<<7 | int(c&0x7f); c < 0x80 {
			return n
		}
	}
	b.cut = true
	return 0
}

// short is a number that is small most of the time (255UInt16).
func (b *bitten) short() int {
	switch code := b.u8(); code {
	case 253:
		return int(b.u16())
	case 255:
		return int(b.u8()) + 253
	case 254:
		return int(b.u8()) + 506
	default:
		return int(code)
	}
}
