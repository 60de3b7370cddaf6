#!/bin/sh
# Makes a snapshot of the checked-out commit twice, in two clones in two folders, and compares the
# released files: everything except goreleaser's own notes, which have dates.
set -eu
goreleaser=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for clone in "$work/one" "$work/another/place"; do
	git clone --quiet . "$clone"
	(cd "$clone" && "$goreleaser" release --clean --snapshot -p 1 >"$work/log" 2>&1 && go run ./internal/lab/release/pack dist >>"$work/log" 2>&1) || { cat "$work/log" >&2; exit 1; }
	rm "$clone"/dist/*.json "$clone"/dist/config.yaml
done
diff -r "$work/one/dist" "$work/another/place/dist"
cat "$work/one/dist/SHA256SUMS"
echo "two snapshots from two folders are equal"
