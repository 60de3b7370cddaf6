package folder

import (
	"io/fs"
	"time"
)

// Stamp contains the file system's metadata of a file. Two equal stamps of the same name mean that the file wasn't
// written in between, unless one of them is Fresh, or the clock or the change time was set back.
type Stamp struct {
	Mode fs.FileMode
	Size int64
	// Modified and Changed are the mtime and ctime in nanoseconds since 1970. Changed and Inode are 0 if the system
	// doesn't have them.
	Modified, Changed int64
	Inode             uint64
}

// Granularity is the longest interval at which two writes can get the same timestamp. File system clocks tick at least
// a hundred times a second; the rest is a safety margin.
const Granularity = 30 * time.Millisecond

// coarse is the granularity of file systems that round times to one or two seconds.
const coarse = 2 * time.Second

// Fresh reports whether the file was written so shortly before looked that another write could leave the same stamp.
func (s Stamp) Fresh(looked time.Time) bool {
	last := max(s.Modified, s.Changed)
	tick := Granularity
	if last%int64(time.Second) == 0 {
		tick = coarse
	}
	return last > looked.Add(-tick).UnixNano()
}
