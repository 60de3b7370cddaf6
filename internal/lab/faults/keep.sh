#!/bin/sh
# Copies some of the interesting inputs that fuzzing found to the package's testdata/fuzz, where every `go test` runs
# them: up to 15 for each target, of at most 1 KiB, and of various sizes. Go itself stores them only in the user's build
# cache. Existing inputs stay.
#
#   keep.sh [TARGET ...]
#
# Without a TARGET, it copies inputs of all targets.
set -eu
most=15
cache=$(go env GOCACHE)/fuzz

go list -f '{{.ImportPath}} {{.Dir}}' ./... | while read -r package dir; do
  for found in "$cache/$package"/Fuzz*; do
    target=${found##*/}
    case " ${*:-$target} " in *" $target "*) ;; *) continue ;; esac
    grep -qs "^func $target(" "$dir"/*_test.go || continue
    kept=$dir/testdata/fuzz/$target
    mkdir -p "$kept"
    room=$((most - $(ls "$kept" | wc -l)))
    find "$found" -type f -exec wc -c {} + | awk '$2 != "total" && $1 <= 1024' | sort -n | awk -v room="$room" '
      { name[NR] = $2 }
      END { for (i = 0; i < room && i < NR; i++) print name[NR <= room ? i + 1 : 1 + int(i * (NR - 1) / (room - 1 + (room == 1)))] }
    ' | while read -r input; do cp "$input" "$kept/"; done
    echo "$target: $(ls "$kept" | wc -l) inputs in $kept"
  done
done
