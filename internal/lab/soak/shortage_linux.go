package soak

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"golang.org/x/sys/unix"
)

// outOfFiles prevents the running server from opening more files. Existing connections must still get responses, and a
// reload must fail without replacing the build. Once descriptors are available again, the server must serve the waiting
// connections.
func outOfFiles(ctx context.Context, b *Bench, s *server, r *Result) error {
	const keeping = 20
	all, err := s.dialAll(keeping, r)
	if err != nil {
		return err
	}
	defer closeAll(all)
	ask := func(i int) error { return all[i].get(page) }
	for range b.times(10) {
		if err := each(keeping, keeping, ask); err != nil {
			return err
		}
		restore, err := limitFiles(s.cmd.Process.Pid)
		if err != nil {
			return fmt.Errorf("limiting the server's file descriptors: %w", err)
		}
		waiting, err := s.starve(r, func() error { return each(keeping, keeping, ask) })
		if err := errors.Join(err, restore()); err != nil {
			closeAll(waiting)
			return err
		}
		err = each(len(waiting), len(waiting), func(i int) error { return waiting[i].read() })
		closeAll(waiting)
		if err != nil {
			return fmt.Errorf("reading the responses after the file descriptors became available again: %w", err)
		}
		r.Requests += int64(2*keeping + len(waiting))
		if err := s.reload(ctx, b, b.first, `vitrine_reloads_total{result="ok"}`, r.Reloads+1); err != nil {
			return err
		}
		r.Reloads++
	}
	return s.within(bound)
}

// starve sends requests on new connections, and a SIGHUP, while the server can't open files. It returns the new
// connections, which the server hasn't accepted yet and which each have a pending request.
func (s *server) starve(r *Result, ask func() error) (waiting []*connection, err error) {
	const arriving = 50
	for range arriving {
		c, err := dial(s.addr) // stays in the kernel's accept queue
		if err != nil {
			return waiting, err
		}
		waiting = append(waiting, c)
		if err := c.send(page); err != nil {
			return waiting, err
		}
	}
	r.Connections += arriving
	if err := waiting[0].SetReadDeadline(time.Now().Add(100 * time.Millisecond)); err != nil {
		return waiting, err
	}
	var timeout net.Error
	if _, err := waiting[0].r.Peek(1); !errors.As(err, &timeout) || !timeout.Timeout() {
		return waiting, fmt.Errorf("a connection was accepted without a descriptor: %w", err)
	}
	waiting[0].r.Reset(io.Reader(waiting[0].Conn))
	if err := s.signal(unix.SIGHUP); err != nil {
		return waiting, err
	}
	r.Refused++
	time.Sleep(200 * time.Millisecond)
	if err := ask(); err != nil {
		return waiting, fmt.Errorf("without descriptors: %w", err)
	}
	return waiting, waiting[0].SetReadDeadline(time.Now().Add(patience))
}

// limitFiles prevents a process from opening more files until the caller calls restore.
func limitFiles(pid int) (restore func() error, err error) {
	var before unix.Rlimit
	if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, nil, &before); err != nil {
		return nil, err
	}
	none := unix.Rlimit{Cur: 0, Max: before.Max}
	if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, &none, nil); err != nil {
		return nil, err
	}
	return func() error { return unix.Prlimit(pid, unix.RLIMIT_NOFILE, &before, nil) }, nil
}
