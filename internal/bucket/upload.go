package bucket

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"

	"vitrine/internal/artifact"
)

// workers is the maximum number of concurrent transfers.
const workers = 32

// maxInFlight is the maximum number of bytes in transfer at the same time. A larger body is transferred alone.
const maxInFlight = 256 << 20

// A Plan lists the objects that an upload of a build sends.
type Plan struct {
	Build Build
	// Objects lists the objects that the bucket lacks. Total is the total number of objects in the build.
	Objects []Object
	Total   int
	// Bytes is the number of bytes to upload: the objects, the manifest, and the records that the bucket lacks.
	Bytes int64

	manifest []byte
	// records are the parts of Build.Records that the bucket lacks.
	records []Part
	// places contains the index of each of Objects among all objects of the build.
	places []int
}

// Plan compares a build with the complete builds and the interrupted uploads in the bucket, without listing the bucket.
// If it can't read the manifest of a complete build, it calls report, and the upload sends the objects of that build
// again.
func (s *Store) Plan(ctx context.Context, b *artifact.Build, c *Current, unfinished []Unfinished, report func(string)) (*Plan, error) {
	known := make(map[ID]struct{})
	for _, old := range c.Builds {
		m, err := s.Manifest(ctx, old)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			report(fmt.Sprintf("uploading the objects of build %s again, because its manifest could not be read: %v", old.Name, err))
			continue
		}
		for o := range Objects(m) {
			known[o.ID] = struct{}{}
		}
	}
	for _, u := range unfinished {
		if u.Done == 0 {
			continue
		}
		m, err := s.Manifest(ctx, u.Build)
		if err != nil {
			continue // the upload was interrupted before it sent the manifest
		}
		n := 0
		for o := range Objects(m) {
			if n++; n > u.Done {
				break
			}
			known[o.ID] = struct{}{}
		}
	}
	data := []byte(b.Manifest.Data())
	p := &Plan{Build: describe(b.Manifest, data), manifest: data, Bytes: int64(len(data))}
	for o := range Objects(b.Manifest) {
		if _, ok := known[o.ID]; !ok {
			p.Objects, p.places, p.Bytes = append(p.Objects, o), append(p.places, p.Total), p.Bytes+o.Size
		}
		p.Total++
	}
	return p, nil
}

// AddRecords adds the records in a folder to the plan. It omits the records if they depend on earlier records that the
// bucket no longer has.
func (p *Plan) AddRecords(s *Stored, c *Current) error {
	parts, missing, bytes, err := planRecords(s, c.Builds)
	if err != nil {
		return err
	}
	p.Build.Records, p.records, p.Bytes = parts, missing, p.Bytes+bytes
	return nil
}

// PutRecords uploads only the records of a plan.
func (s *Store) PutRecords(ctx context.Context, p *Plan) error { return s.putRecords(ctx, p.records) }

// Records returns the number of record objects that an upload sends.
func (p *Plan) Records() int { return len(p.records) }

// Upload sends a plan's manifest, records, and objects. After each object, it calls progress with the numbers of
// objects and bytes sent so far. progress must be nil or safe for concurrent use. The lock stores the state of the
// upload, so that another deploy can continue an interrupted upload.
func (s *Store) Upload(ctx context.Context, l *Lock, b *artifact.Build, p *Plan, progress func(objects int, bytes int64)) error {
	if err := s.put(ctx, buildsFolder+p.Build.Name, p.manifest, meta{contentType: "application/octet-stream", cacheControl: immutable}); err != nil {
		return err
	}
	marks := make([]atomic.Int64, workers)
	done := func() int {
		low := int64(p.Total)
		for i := range marks {
			low = min(low, marks[i].Load())
		}
		return int(low)
	}
	if err := l.begin(ctx, p.Build, done); err != nil {
		return err
	}
	if err := s.putRecords(ctx, p.records); err != nil {
		return err
	}
	var objects atomic.Int64
	var bytes atomic.Int64
	return each(ctx, len(p.Objects), func(i int) int64 { return p.Objects[i].Size }, func(ctx context.Context, worker, i int) error {
		o := p.Objects[i]
		marks[worker].Store(int64(p.places[i]))
		data, err := b.Read(o.Variant, o.Body)
		if err != nil {
			return err
		}
		if err := s.put(ctx, o.Key(), data, o.meta); err != nil {
			return err
		}
		if n, size := objects.Add(1), bytes.Add(o.Size); progress != nil {
			progress(int(n), size)
		}
		return nil
	}, func(worker int) { marks[worker].Store(int64(p.Total)) })
}

// PutTable writes the table of the build called name. Edges in front of the bucket read this table.
func (s *Store) PutTable(ctx context.Context, name string, table []byte) error {
	return s.put(ctx, tablesFolder+name, table, meta{contentType: "application/json", cacheControl: immutable})
}

// immutable is the Cache-Control of objects that never change.
const immutable = "public, max-age=31536000, immutable"

// each calls do once for each number from 0 to n-1. Concurrent workers take the numbers in order. size returns the
// number of bytes that a call transfers; each limits the total for the calls in progress to maxInFlight. It calls ended
// for each worker that finds no numbers left. After an error, each cancels the context of all calls and returns the
// first error.
func each(ctx context.Context, n int, size func(int) int64, do func(ctx context.Context, worker, i int) error, ended func(worker int)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var all sync.WaitGroup
	room := newRoom(maxInFlight)
	for worker := range workers {
		all.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					ended(worker)
					return
				}
				bytes := room.take(size(i))
				err := do(ctx, worker, i)
				room.give(bytes)
				if err != nil {
					cancel(err)
				}
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}

// room is a byte budget shared by transfers.
type room struct {
	mu    sync.Mutex
	freed *sync.Cond
	free  int64
	most  int64
}

func newRoom(most int64) *room {
	r := &room{free: most, most: most}
	r.freed = sync.NewCond(&r.mu)
	return r
}

// take waits until the given number of bytes is free and takes them. If the number exceeds the budget, take waits for
// the whole budget instead. It returns the number of bytes taken, to be passed to give.
func (r *room) take(bytes int64) int64 {
	bytes = min(bytes, r.most)
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.free < bytes {
		r.freed.Wait()
	}
	r.free -= bytes
	return bytes
}

func (r *room) give(bytes int64) {
	r.mu.Lock()
	r.free += bytes
	r.mu.Unlock()
	r.freed.Broadcast()
}

// Prune keeps the current build and at most keep older builds. It removes the other builds and the interrupted uploads,
// including the objects that no kept build uses. First, it records the builds to remove so that the next deploy can
// finish an interrupted removal.
func (s *Store) Prune(ctx context.Context, l *Lock, c *Current, keep int) error {
	kept := c.Builds[:min(len(c.Builds), 1+keep)]
	drop := slices.DeleteFunc(l.Unfinished(), func(u Unfinished) bool { return c.Find(u.Name) != nil })
	for _, b := range c.Builds[len(kept):] {
		drop = append(drop, Unfinished{Build: b})
	}
	if len(drop) == 0 {
		return l.set(ctx, nil)
	}
	for i := range drop {
		drop[i].Done = 0
	}
	if err := l.set(ctx, drop); err != nil {
		return err
	}
	if len(kept) < len(c.Builds) {
		if err := s.setBuilds(ctx, c, kept); err != nil {
			return err
		}
	}
	names, err := s.unneeded(ctx, kept, drop)
	if err != nil {
		return err
	}
	var manifests []string
	for _, u := range drop {
		manifests = append(manifests, buildsFolder+u.Name, tablesFolder+u.Name)
	}
	// Remove the manifests last: without them, an interrupted removal couldn't continue.
	if err := l.remove(ctx, names); err != nil {
		return err
	}
	if err := l.remove(ctx, manifests); err != nil {
		return err
	}
	return l.set(ctx, nil)
}

// unneeded returns the names of the objects that belong to a build in drop but to no kept build.
func (s *Store) unneeded(ctx context.Context, kept []Build, drop []Unfinished) ([]string, error) {
	needed := make(map[ID]struct{})
	for _, b := range kept {
		m, err := s.Manifest(ctx, b)
		if err != nil {
			return nil, err
		}
		for o := range Objects(m) {
			needed[o.ID] = struct{}{}
		}
	}
	names := unneededRecords(kept, drop)
	for _, u := range drop {
		m, err := s.Manifest(ctx, u.Build)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for o := range Objects(m) {
			if _, ok := needed[o.ID]; !ok {
				needed[o.ID] = struct{}{}
				names = append(names, o.Key())
			}
		}
	}
	return names, nil
}

// unneededRecords returns the names of the record objects that belong to a build in drop but to no kept build.
func unneededRecords(kept []Build, drop []Unfinished) (names []string) {
	seen := make(map[string]bool)
	for _, b := range kept {
		for _, p := range b.Records {
			seen[p.key()] = true
		}
	}
	for _, u := range drop {
		for _, p := range u.Records {
			if key := p.key(); !seen[key] {
				seen[key] = true
				names = append(names, key)
			}
		}
	}
	return names
}

// Removed returns the number of objects that a deploy of b would remove if it kept at most keep older builds. is
// describes b, including its records. Removed counts neither tables nor the objects of interrupted uploads.
func (s *Store) Removed(ctx context.Context, b *artifact.Build, c *Current, is Build, keep int) (int, error) {
	var kept []Build
	var drop []Unfinished
	for _, old := range c.Builds {
		switch {
		case old.Name == is.Name:
		case len(kept) < keep:
			kept = append(kept, old)
		default:
			drop = append(drop, Unfinished{Build: old})
		}
	}
	if len(drop) == 0 {
		return 0, nil
	}
	names, err := s.unneeded(ctx, kept, drop)
	if err != nil {
		return 0, err
	}
	own := make(map[string]struct{})
	for _, p := range is.Records {
		own[p.key()] = struct{}{}
	}
	for o := range Objects(b.Manifest) {
		own[o.Key()] = struct{}{}
	}
	names = slices.DeleteFunc(names, func(name string) bool { _, ok := own[name]; return ok })
	return len(names) + len(drop), nil
}

// WriteState writes state, a description of the last deploy, as JSON.
func (s *Store) WriteState(ctx context.Context, state any) error {
	data, err := json.Marshal(state)
	if err != nil {
		return err
	}
	return s.put(ctx, stateName, data, changing)
}

// ReadState decodes the description written by WriteState into state, and reports whether a description exists.
func (s *Store) ReadState(ctx context.Context, state any) (bool, error) {
	data, _, err := s.get(ctx, stateName, maxSmall)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, json.Unmarshal(data, state)
}
