#!/bin/sh
# Builds a site with Hugo, including outputs that `vitrine build` also writes: images for social networks (an image
# filter in the layout), a search index, and gzip copies of all text files.
#
#   sh chain.sh HUGO PAGEFIND ROOT OUT
set -eu
"$1" --quiet --source "$3" --destination "$4"
"$2" --silent --site "$4"
find "$4" -type f \( -name '*.html' -o -name '*.md' -o -name '*.xml' -o -name '*.css' -o -name '*.js' -o -name '*.json' \) -print0 |
	xargs -0 -n 100 -P "$(nproc)" gzip --keep --no-name
