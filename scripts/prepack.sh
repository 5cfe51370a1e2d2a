#!/bin/sh
# `npm pack` runs this: builds with a Node that is new enough, whatever the shell's is. bin/quickstart brings no compiler, so that it is
# brought here.
set -eu
project=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
. "$project/bin/_toolchain.sh"
if ! find_node || [ ! -d "$project/node_modules/typescript" ]; then bring_toolchain all; fi
# bring_toolchain looks for Node in a process of its own.
find_node
exec "$node" "$project/scripts/build.ts"
