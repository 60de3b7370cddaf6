//go:build !unix

package http1

// descriptors is false where sockets are not read and written by descriptor: a
// connection then keeps its memory while it waits.
const descriptors = false

func (c *conn) converseRaw() (state, error) { panic("unreachable: there are no descriptors") }

func (c *conn) tryWrite(head, body []byte) (restOfHead, restOfBody []byte, err error) {
	return head, body, nil
}
