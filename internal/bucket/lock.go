package bucket

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
)

// DefaultLease is the time after which another deploy may take over a lock that isn't renewed.
const DefaultLease = 20 * time.Second

// ErrHeld is wrapped by the error that Store.Lock returns if another deploy holds the lock.
var ErrHeld = errors.New("the lock is held")

// ErrLost is the cause with which the context of Store.Lock ends if another deploy takes the lock.
var ErrLost = errors.New("another deploy took the lock because this deploy did not renew it in time")

// Unfinished is a build whose upload is incomplete, or whose objects are about to be removed.
type Unfinished struct {
	Build
	// Done is the number of objects already in the bucket, counted from the build's first object in the order of
	// Objects.
	Done int `json:"done"`
}

// lockState is the content of the lock's object. The object remains after the lock is released, because it lists
// interrupted uploads.
type lockState struct {
	// Holder describes the deploy that holds the lock, or is "" if the lock is free.
	Holder string `json:"holder"`
	// Turn is a random string that changes with each write, so that renewing the lock changes the ETag.
	Turn string `json:"turn"`
	// Renewed is the time of the most recent write according to the writer's clock, for display only.
	Renewed    time.Time    `json:"renewed"`
	Unfinished []Unfinished `json:"unfinished,omitempty"`
}

// Lock is a bucket's deploy lock, held by this process.
type Lock struct {
	store *Store
	lease time.Duration
	// lost cancels the context that Store.Lock returned.
	lost context.CancelCauseFunc

	mu    sync.Mutex
	state lockState
	etag  string
	// tried contains the Turn of each write whose outcome is unknown because its response was lost.
	tried []string
	// done returns the progress of the upload, for Unfinished.Done.
	done func() int
}

// Holder returns a description of the deploy that holds the lock, with the time of its last renewal, or "" if the lock
// is free. That deploy may have been killed without releasing the lock.
func (s *Store) Holder(ctx context.Context) (string, error) {
	state, _, err := s.lockState(ctx)
	if state.Holder == "" {
		return "", err
	}
	return state.Holder + ", last seen " + state.Renewed.Format(time.RFC3339), err
}

// Unfinished returns the builds whose upload or removal was interrupted.
func (s *Store) Unfinished(ctx context.Context) ([]Unfinished, error) {
	state, _, err := s.lockState(ctx)
	return state.Unfinished, err
}

func (s *Store) lockState(ctx context.Context) (state lockState, etag string, err error) {
	data, etag, err := s.get(ctx, lockName, maxSmall)
	if errors.Is(err, os.ErrNotExist) {
		return state, "", nil
	}
	if err == nil {
		err = json.Unmarshal(data, &state)
	}
	if err != nil {
		return state, "", fmt.Errorf("reading the lock: %w", err)
	}
	return state, etag, nil
}

// Lock takes the lock. If another deploy holds it, Lock waits for at most patience and then returns an error that wraps
// ErrHeld. If the other deploy doesn't renew the lock within lease, measured only by this machine's clock, Lock takes
// over the lock. If the storage lacks conditional writes, Lock reports this and takes the lock immediately.
//
// The caller must use the returned context, which ends with the cause ErrLost when another deploy takes the lock.
func (s *Store) Lock(ctx context.Context, holder string, patience, lease time.Duration, report func(string)) (context.Context, *Lock, error) {
	if err := s.probe(ctx); err != nil {
		return nil, nil, err
	}
	if s.plain {
		report("the storage service ignores write conditions, so another deploy can start at the same time")
	}
	begun := time.Now()
	seen, since, announced := "", begun, ""
	for {
		state, etag, err := s.lockState(ctx)
		if err != nil {
			return nil, nil, err
		}
		if etag != seen {
			seen, since = etag, time.Now()
		}
		if state.Holder == "" || time.Since(since) >= lease || s.plain {
			if state.Holder != "" {
				report(fmt.Sprintf("taking over the lock from %s, which has not renewed it for %s", state.Holder, lease))
			}
			l := &Lock{store: s, lease: lease, state: state, etag: etag, done: func() int { return 0 }}
			l.state.Holder = holder
			err := l.write(ctx)
			if err == nil {
				held, lost := context.WithCancelCause(ctx)
				l.lost = lost
				go l.keep(held)
				return held, l, nil
			}
			if !errors.Is(err, errCondition) {
				return nil, nil, err
			}
			continue
		}
		if time.Since(begun) >= patience {
			return nil, nil, fmt.Errorf("%w by %s; run the command again when that deploy finishes", ErrHeld, state.Holder)
		}
		if announced != state.Holder {
			announced = state.Holder
			report(fmt.Sprintf("waiting up to %s for the deploy by %s", patience, announced))
		}
		select {
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		case <-time.After(min(time.Second, lease/8)):
		}
	}
}

// probe checks whether the storage supports conditional writes, and sets plain if it doesn't. It sends a write that
// requires an impossible ETag, which must fail.
func (s *Store) probe(ctx context.Context) error {
	_, err := s.write(ctx, probeName, []byte("{}"), changing, func(o *minio.PutObjectOptions) { o.SetMatchETag("00000000000000000000000000000000") })
	switch {
	case errors.Is(err, errCondition) || errors.Is(err, os.ErrNotExist):
		return nil
	case errors.Is(err, errNotImplemented):
		s.plain = true
		return nil
	case err != nil:
		return err
	}
	s.plain = true
	return s.remove(ctx, []string{probeName})
}

// write writes the state. The error wraps errCondition if another deploy has the lock.
func (l *Lock) write(ctx context.Context) error {
	for {
		l.state.Turn, l.state.Renewed = rand.Text(), time.Now().UTC().Truncate(time.Second)
		data, err := json.Marshal(l.state)
		if err != nil {
			return err
		}
		l.tried = append(l.tried, l.state.Turn)
		etag, err := l.store.swap(ctx, lockName, l.etag, data)
		if err == nil {
			l.etag, l.tried = etag, nil
			return nil
		}
		if !errors.Is(err, errCondition) {
			return err
		}
		// The object has changed. The change may be an earlier write of this lock whose response was lost.
		now, etag, unread := l.store.lockState(ctx)
		if unread != nil {
			return unread
		}
		if !slices.Contains(l.tried, now.Turn) {
			return err
		}
		l.etag = etag
	}
}

// keep renews the lock until ctx ends or another deploy takes the lock.
func (l *Lock) keep(ctx context.Context) {
	tick := time.NewTicker(l.lease / 4)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		// Don't cancel the write with ctx, because the ETag would be unknown after a canceled write.
		short, cancel := context.WithTimeout(context.WithoutCancel(ctx), l.lease/2)
		err := l.renew(short)
		cancel()
		// After any other error, this deploy may still hold the lock. If another deploy has taken the lock, a later
		// renewal returns errCondition.
		if errors.Is(err, errCondition) {
			l.lost(ErrLost)
			return
		}
	}
}

// renew writes the state with the progress of the upload. Its error wraps errCondition if another deploy has the lock.
func (l *Lock) renew(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.state.Unfinished); n > 0 {
		l.state.Unfinished[n-1].Done = max(l.state.Unfinished[n-1].Done, l.done())
	}
	return l.write(ctx)
}

// begin records the start of the upload of b. done returns the current value for Unfinished.Done.
func (l *Lock) begin(ctx context.Context, b Build, done func() int) error {
	l.mu.Lock()
	begun := Unfinished{Build: b}
	l.state.Unfinished = slices.DeleteFunc(l.state.Unfinished, func(u Unfinished) bool {
		if u.Name == b.Name {
			begun.Done = u.Done
		}
		return u.Name == b.Name
	})
	l.state.Unfinished = append(l.state.Unfinished, begun)
	l.done = done
	l.mu.Unlock()
	return l.renew(ctx)
}

// set replaces the list of unfinished builds in the lock's state and writes the state.
func (l *Lock) set(ctx context.Context, unfinished []Unfinished) error {
	l.mu.Lock()
	l.state.Unfinished, l.done = unfinished, func() int { return 0 }
	l.mu.Unlock()
	return l.renew(ctx)
}

// Unfinished returns the builds whose upload or removal was interrupted.
func (l *Lock) Unfinished() []Unfinished {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.state.Unfinished)
}

// remove removes objects. It renews the lock before each request so that another deploy can't take the lock meanwhile.
func (l *Lock) remove(ctx context.Context, names []string) error {
	for batch := range slices.Chunk(names, 1000) {
		if err := l.renew(ctx); err != nil {
			return err
		}
		short, cancel := context.WithTimeout(ctx, l.lease/2)
		err := l.store.remove(short, batch)
		cancel()
		if err != nil {
			return err
		}
	}
	return nil
}

// Unlock releases the lock and keeps the record of an interrupted upload. It works even if ctx has ended.
func (l *Lock) Unlock(ctx context.Context) {
	l.lost(nil)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), l.lease)
	defer cancel()
	l.mu.Lock()
	l.state.Holder = ""
	l.mu.Unlock()
	_ = l.renew(ctx) // if this fails, the lock expires at the end of its lease
}
