import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type FolderGates = {
  /** The program to be used in place of ffprobe. */
  ffprobe: string
  /** Lets files be read in folders of these names. */
  open(names: readonly string[]): void
}

/**
 * ffprobe that reads a file only once the folder that it is in is opened: a scan gets no further than the folders that are open, however
 * late a test looks.
 * @param folder one that no library holds
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
