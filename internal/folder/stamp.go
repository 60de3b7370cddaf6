package folder

import (
	"io/fs"
	"time"
)

// A Stamp contains a file's metadata from the file system. If a file has the same stamp at two times, it wasn't written
// between these times. There are two exceptions: the stamp was Fresh when it was first taken, or someone has set back
// the clock or the change time.
type Stamp struct {
	Mode fs.FileMode
	Size int64
	// Modified and Changed are the mtime and ctime in nanoseconds since 1970. Changed and Inode are 0 on systems
	// without them.
	Modified, Changed int64
	Inode             uint64
}

// Granularity is the longest time between two writes that can get the same timestamp. File system clocks tick at least
// every 10 ms, and the other 20 ms are a safety margin.
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
