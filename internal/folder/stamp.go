package folder

import (
	"io/fs"
	"time"
)

// Stamp is the file system's description of a file. Two equal stamps of one name mean that the file wasn't written in
// between, unless one of them is Fresh. This doesn't hold if the clock or the change time is set back.
type Stamp struct {
	Mode fs.FileMode
	Size int64
	// Modified and Changed are mtime and ctime in nanoseconds since 1970. Changed and Inode are 0
	// if the system doesn't have them.
	Modified, Changed int64
	Inode             uint64
}

// Granularity is the maximum interval between two writes that leave the same time: the clock of a file system ticks at
// least a hundred times a second.
const Granularity = 30 * time.Millisecond

// coarse is the granularity of file systems that store times in steps of one or two seconds.
const coarse = 2 * time.Second

// Fresh reports whether a file was written so shortly before the look that another write could leave the same stamp.
func (s Stamp) Fresh(looked time.Time) bool {
	last := max(s.Modified, s.Changed)
	tick := Granularity
	if last%int64(time.Second) == 0 {
		tick = coarse
	}
	return last > looked.Add(-tick).UnixNano()
}
