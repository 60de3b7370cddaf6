package folder

import (
	"io/fs"
	"time"
)

// Stamp is the file system's description of a file. Two equal stamps of one name mean that the file
// wasn't written in between, unless one of them is Fresh. There is no guarantee if the clock or the
// change time is set back.
type Stamp struct {
	Mode fs.FileMode
	Size int64
	// Modified and Changed are mtime and ctime in nanoseconds since 1970. Changed and Inode are 0
	// if the system doesn't have them.
	Modified, Changed int64
	Inode             uint64
}

// Granularity bounds how far apart two writes can be that leave the same time:
// the clock of a file system ticks a hundred times a second or more.
const Granularity = 30 * time.Millisecond

// coarse is the tick of file systems that keep whole seconds, or two.
const coarse = 2 * time.Second

// Fresh reports whether a file was written so shortly before the look that a later write could
// leave the same stamp.
func (s Stamp) Fresh(looked time.Time) bool {
	last := max(s.Modified, s.Changed)
	tick := Granularity
	if last%int64(time.Second) == 0 {
		tick = coarse
	}
	return last > looked.Add(-tick).UnixNano()
}
