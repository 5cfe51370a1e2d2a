import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { waitUntil } from './wait-until.ts'

export type GatedProbe = {
  /** For the process that scans. */
  environment: Record<string, string>
  /** Resolves when the scan has begun to read its first file; it then stands still. */
  started: () => Promise<void>
  /** Lets the scan go on. */
  open: () => Promise<void>
}

/**
 * ffprobe behind a gate, so that a scan is in the middle of its work for as long as a test needs it there.
 * @param folder one that no library holds
 */
export async function gatedProbe(folder: string): Promise<GatedProbe> {
  const [script, mark, gate] = ['gated-ffprobe', 'started', 'gate'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const text = `#!/bin/sh
case "$*" in *' -version') exec ffprobe "$@" ;; esac
: >'${mark}'
while [ ! -e '${gate}' ]; do sleep 0.1; done
exec ffprobe "$@"
`
  await writeFile(script, text, { mode: 0o755 })
  return {
    environment: { PHLIX_FFPROBE: script },
    started: async () => {
      await waitUntil('the scan reads its first file', () => existsSync(mark))
    },
    open: () => writeFile(gate, ''),
  }
}
