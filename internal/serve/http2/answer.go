package http2

import (
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"vitrine/internal/artifact"
	"vitrine/internal/serve/decide"
)

// headerBlock processes a complete header block (RFC 9113 §4.3), which is either a request or trailers.
func (c *conn) headerBlock(block []byte) error {
	id, fl := c.blockStream, c.blockFlags
	c.blockStream = 0
	known := c.streams.find(id)
	h := &c.work.head
	h.reset(known != nil)
	// Always decode the block, because later blocks depend on the decoder's table.
	if _, err := c.decoder.Write(block); err != nil {
		return compressionError
	}
	if err := c.decoder.Close(); err != nil {
		return compressionError
	}
	if !c.spend(h.blockCost()) {
		return enhanceYourCalm
	}
	ended := fl&flagEndStream != 0
	switch {
	case known != nil:
		return c.trailers(known, ended)
	case id <= c.streams.last:
		lately, reset := c.streams.wasClosed(id)
		switch {
		case reset:
			return nil // §5.1: the client sent it before our RST_STREAM arrived
		case lately:
			return streamClosed
		}
		return protocolError // §5.1.1
	case c.afterLast(id):
		return nil
	}
	c.streams.last = id
	switch {
	case len(c.streams.all) >= maxStreams: // §5.1.2
		return c.reset(id, refusedStream)
	case fl&flagPriority != 0: // the stream depends on itself
		return c.reset(id, protocolError)
	}
	return c.answer(id, ended)
}

// trailers handles a header block that ends a request's body (§8.1).
func (c *conn) trailers(s *stream, ended bool) error {
	switch h := &c.work.head; {
	case !s.open:
		return c.reset(s.id, streamClosed)
	case !ended || h.malformed || s.length >= 0 && s.received != s.length:
		return c.reset(s.id, protocolError)
	}
	s.open = false
	if s.answered {
		return c.sent(s)
	}
	return nil
}

// answer decides the response to the request in c.work and sends as much of its body as the windows allow, up to
// sendRound bytes.
func (c *conn) answer(id uint32, ended bool) error {
	h := &c.work.head
	h.request.Remote, h.request.Protocol = c.remote, "HTTP/2.0"
	slug := h.judge(ended)
	var a decide.Answer
	if slug == "" {
		a = c.server.handler.Answer(&h.request, c.now)
	} else {
		a = c.server.handler.Refuse(&h.request, slug, c.now)
	}
	if !h.tooLarge {
		c.earn(answerCredit)
	}
	c.rested = c.now
	s := stream{
		id: id, body: a.Body, shelf: a.Shelf, window: c.streams.initial, malformed: slug == artifact.ProblemMalformedRequest,
		open: !ended, length: h.length, until: c.now.Add(c.server.writeTimeout),
	}
	fl := flagEndHeaders
	if len(a.Body) == 0 && !s.malformed {
		fl |= flagEndStream
	}
	err := c.writeHeaders(&a, id, fl)
	if err == nil {
		err = c.send(&s, sendRound)
	}
	c.server.handler.Observe(&h.request, a)
	switch {
	case err != nil:
		return err
	case len(s.body) == 0 && !s.open && !s.malformed:
		c.streams.note(id, false)
		return nil
	}
	c.streams.all = append(c.streams.all, s)
	return c.sent(&c.streams.all[len(c.streams.all)-1])
}

// roomForHead is the number of free bytes that the output must have before a header section is appended. If there are
// fewer free bytes, the output is written first. Most header sections are smaller than roomForHead.
const roomForHead = 2 << 10

// writeHeaders appends the header section of a response to the output: the status, Date, the fields of every response,
// the prepared fields, and the fields that depend on the request.
func (c *conn) writeHeaders(a *decide.Answer, id uint32, fl flags) error {
	w := c.work
	if cap(w.out)-len(w.out) < roomForHead {
		if err := c.flush(); err != nil {
			return err
		}
	}
	at := len(w.out)
	b := appendFrameHead(w.out, 0, kindHeaders, fl, id)
	b = appendStatus(c.table.AppendSize(b), a.Status)
	b = c.table.AppendDate(b, c.server.date.at(c.now))
	b = c.table.AppendSet(b, &c.server.fields)
	b = a.AppendBlock(b, &c.table)
	w.out = b
	length := len(b) - at - frameHead
	if length > maxFrame {
		// The block can be this long because the Location of a redirect may repeat a long query.
		block := append([]byte(nil), b[at+frameHead:]...)
		w.out = b[:at]
		return c.writeLong(block, id, fl)
	}
	b[at], b[at+1], b[at+2] = byte(length>>16), byte(length>>8), byte(length)
	return nil
}

// writeLong appends block, which doesn't fit in one frame, as a HEADERS frame and CONTINUATION frames (§6.10).
func (c *conn) writeLong(block []byte, id uint32, fl flags) error {
	k, fl := kindHeaders, fl&^flagEndHeaders
	for {
		n := min(len(block), maxFrame)
		if n == len(block) {
			fl |= flagEndHeaders
		}
		if err := c.write(k, fl, id, block[:n]); err != nil || n == len(block) {
			return err
		}
		block, k, fl = block[n:], kindContinuation, 0
	}
}

// appendStatus appends the field :status. The static table contains its most common values (RFC 7541 appendix A).
func appendStatus(dst []byte, status int) []byte {
	switch status {
	case http.StatusOK:
		return append(dst, 0x88)
	case http.StatusNoContent:
		return append(dst, 0x89)
	case http.StatusNotModified:
		return append(dst, 0x8b)
	case http.StatusBadRequest:
		return append(dst, 0x8c)
	case http.StatusNotFound:
		return append(dst, 0x8d)
	case http.StatusInternalServerError:
		return append(dst, 0x8e)
	}
	return strconv.AppendInt(append(dst, 0x08, 3), int64(status), 10)
}

// date caches the Date field of the current second (RFC 9110 §6.6.1), so that it is encoded once per second instead of
// for every response. It is safe for concurrent use. The zero date is ready to use.
type date struct {
	current atomic.Pointer[dateField]
}

type dateField struct {
	second int64
	field  decide.BlockSet
}

// at returns the Date field for now.
func (d *date) at(now time.Time) *decide.BlockSet {
	second := now.Unix()
	if f := d.current.Load(); f != nil && f.second == second {
		return &f.field
	}
	f := &dateField{second, decide.NewBlockSet([]artifact.Field{{Name: "Date", Value: now.UTC().Format(http.TimeFormat)}})}
	d.current.Store(f)
	return &f.field
}
