#!/bin/sh
# Makes the copies of photographs with ImageMagick, one process for each photograph, and as many processes as processors.
# Each process has one thread, because more threads than processors would only wait for each other.
#
#   sh magick.sh PROGRAM FROM OUT QUALITY METHOD "WIDTH …"
#
# METHOD is libwebp's compression method.
set -eu
mkdir -p "$3"
# shellcheck disable=SC2016 # the inner shell expands the variables
find "$2" -name '*.jpg' -print0 | MAGICK_THREAD_LIMIT=1 xargs -0 -n 1 -P "$(nproc)" sh -c '
	program=$1 quality=$3 method=$4 widths=$5 photo=$6
	name=$2/$(basename "$photo" .jpg)
	set --
	for width in $widths; do
		set -- "$@" "(" +clone -resize "${width}x" -write "$name-$width.jpg" -write "$name-$width.webp" +delete ")"
	done
	exec "$program" "$photo" -filter Catrom -quality "$quality" -define "webp:method=$method" "$@" null:
' copy "$1" "$3" "$4" "$5" "$6"
