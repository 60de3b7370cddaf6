#!/bin/sh
# Builds two snapshots of the checked-out commit, in two clones in different folders, and compares the released files.
# It ignores JSON files and config.yaml in dist/, because goreleaser writes dates there.
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
echo "the snapshots from two folders are identical"
