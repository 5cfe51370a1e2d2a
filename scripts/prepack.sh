#!/bin/sh
# `npm pack` runs this script. It builds with a Node that is new enough, regardless of the shell's version. bin/quickstart installs no
# bundler, so it is installed here.
set -eu
project=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
. "$project/bin/_toolchain.sh"
if ! find_node || [ ! -d "$project/node_modules/esbuild" ]; then bring_toolchain all; fi
# bring_toolchain searches for Node in a separate process.
find_node
"$node" "$project/scripts/build.ts"
exec "$node" "$project/scripts/write-release-files.ts"
