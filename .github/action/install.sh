#!/usr/bin/env bash
# Downloads a release's archive for this runner, verifies its checksum, and adds its programs to the
# path. It reads these variables:
#   VERSION, SHA256 (or ""), RELEASES (an address), OF (such as Linux-X64), and GitHub's RUNNER_TEMP, GITHUB_PATH, GITHUB_OUTPUT
set -euo pipefail

fail() {
	echo "::error title=Vitrine::$1"
	exit 1
}

version=${VERSION#v}
case "$version" in
"" | *[!0-9A-Za-z.-]*) fail "\"$VERSION\" is not a version; use the action with a tag such as v1.2.3, or set version: 1.2.3" ;;
esac
ending=tar.gz
case "$OF" in
Linux-X64) platform=linux_amd64 ;;
Linux-ARM64) platform=linux_arm64 ;;
macOS-X64) platform=darwin_amd64 ;;
macOS-ARM64) platform=darwin_arm64 ;;
Windows-X64) platform=windows_amd64 ending=zip ;;
Windows-ARM64) platform=windows_arm64 ending=zip ;;
*) fail "there is no release for $OF; there are Linux, macOS, and Windows, on X64 and ARM64" ;;
esac
archive=vitrine_${version}_$platform.$ending
into=$(mktemp -d "$RUNNER_TEMP/vitrine.XXXXXX")
cd "$into"

get() {
	curl --fail --silent --show-error --location --retry 3 --output "$1" "$RELEASES/v$version/$1" ||
		fail "$RELEASES/v$version/$1 could not be downloaded; check that $version is a release"
}

get "$archive"
if [ -z "$SHA256" ]; then
	get SHA256SUMS
	SHA256=$(awk -v name="$archive" '$2 == name { print $1 }' SHA256SUMS)
	[ -n "$SHA256" ] || fail "SHA256SUMS of $version does not list $archive"
	echo "::warning title=Vitrine::verified only with the release's own list; pin it with: sha256: $SHA256"
fi
if command -v sha256sum >/dev/null; then
	sum=$(sha256sum "$archive")
else
	sum=$(shasum -a 256 "$archive")
fi
[ "${sum%% *}" = "$SHA256" ] || fail "$archive has the checksum ${sum%% *}, not $SHA256; none of its programs was run"
if [ "$ending" = zip ]; then
	unzip -q "$archive"
else
	tar -xzf "$archive"
fi
echo "$into/vitrine_${version}_$platform" >>"$GITHUB_PATH"
echo "version=$version" >>"$GITHUB_OUTPUT"
"./vitrine_${version}_$platform/vitrine" version
