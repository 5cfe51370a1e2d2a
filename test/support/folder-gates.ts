import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type FolderGates = {
  /** The program to use instead of ffprobe. */
  ffprobe: string
  /** Allows files in folders of these names to be read. */
  open(names: readonly string[]): void
}

/**
 * An ffprobe that blocks for each file until its folder is opened, so that a scan proceeds no further than the open folders, regardless of
 * timing.
 * @param folder a folder outside of every library
 */
export function folderGates(folder: string): FolderGates {
  const [ffprobe, gates] = [join(folder, 'gated-by-folder'), join(folder, 'open-folders')]
  mkdirSync(gates)
  const script = `#!/bin/sh
case "$*" in *' -version') exec ffprobe "$@" ;; esac
for LAST in "$@"; do :; done
PARENT=\${LAST%/*}
until [ -e '${gates}'/"\${PARENT##*/}" ]; do sleep 0.05; done
exec ffprobe "$@"
`
  writeFileSync(ffprobe, script)
  chmodSync(ffprobe, 0o755)
  return {
    ffprobe,
    open: (names) => {
      for (const name of names) writeFileSync(join(gates, name), '')
    },
  }
}
