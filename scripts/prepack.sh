#!/bin/sh
# `npm pack` runs this script. It builds with a Node that is new enough, regardless of the shell's version.
set -eu
project=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
. "$project/bin/_toolchain.sh"
if ! find_node || [ ! -d "$project/node_modules/esbuild" ]; then bring_toolchain runtime; fi
# bring_toolchain searches for Node in a separate process.
find_node
# The archive has the modes of the files; those of a checkout depend on the umask.
umask 022
(cd "$project" && chmod -R u=rwX,go=rX bin contrib docs migrations CHANGELOG.md LICENSE README.md package.json)
"$node" "$project/scripts/build.ts"
exec "$node" "$project/scripts/write-release-files.ts"
