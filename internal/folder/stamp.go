package folder

import (
	"io/fs"
	"time"
)

// Stamp is what the file system says of a file. Two equal stamps of one name
// mean that nobody wrote to it in between, unless one of them is Fresh: it
// promises nothing where somebody sets the clock or the change time back.
type Stamp struct {
	Mode fs.FileMode
	Size int64
	// Modified and Changed are mtime and ctime in nanoseconds since 1970; Changed
	// and Inode are 0 where the system has no such thing.
	Modified, Changed int64
	Inode             uint64
}

// Granularity bounds how far apart two writes can be that leave the same time:
// the clock of a file system ticks a hundred times a second or more.
const Granularity = 30 * time.Millisecond

// coarse is the tick of file systems that keep whole seconds, or two.
const coarse = 2 * time.Second

// Fresh reports whether a file was written so shortly before a moment, at which
// it was looked at, that a later write could leave the same stamp.
func (s Stamp) Fresh(looked time.Time) bool {
	last := max(s.Modified, s.Changed)
	tick := Granularity
	if last%int64(time.Second) == 0 {
		tick = coarse
	}
	return last > looked.Add(-tick).UnixNano()
}
