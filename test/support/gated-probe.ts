import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { waitUntil } from './wait-until.ts'

export type GatedProbe = {
  /** For the scanning process. */
  environment: Record<string, string>
  /** Resolves when the scan has begun to read its first file, and is blocked. */
  started: () => Promise<void>
  /** Lets the scan continue. */
  open: () => Promise<void>
  /** Blocks at the next file again. */
  shut: () => Promise<void>
}

/**
 * An ffprobe behind a gate, which keeps a scan in progress for as long as a test needs it.
 * @param folder a folder outside of every library
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
      await waitUntil('the scan reads a file', () => existsSync(mark))
    },
    open: () => writeFile(gate, ''),
    shut: async () => {
      await rm(gate, { force: true })
      await rm(mark, { force: true })
    },
  }
}
