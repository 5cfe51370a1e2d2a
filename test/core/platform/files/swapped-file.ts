import { renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { openInsideRoot } from '../../../../src/core/platform/files/index.ts'

export async function readInside(root: string, path: string): Promise<string> {
  const handle = await openInsideRoot(root, path)
  try {
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}

/** Reads a file repeatedly while it is replaced, at each turn of the event loop, by a link to a file outside of the library and back. */
export async function readsWhileSwapping(t: Test, { readings }: { readings: number }): Promise<void> {
  const folder = t.testdir({ library: {}, secret: 'secret' })
  const root = join(folder, 'library')
  const victim = join(root, 'victim.mp4')
  const stop = new AbortController()
  const swapper = (async () => {
    for (let round = 0; !stop.signal.aborted; round += 1) {
      const draft = join(folder, 'draft')
      if (round % 2 === 0) symlinkSync(join(folder, 'secret'), draft)
      else writeFileSync(draft, 'film')
      renameSync(draft, victim)
      await new Promise(setImmediate)
    }
  })()
  const seen = new Set<string>()
  for (let reading = 0; reading < readings; reading += 1) {
    try {
      seen.add(await readInside(root, victim))
    } catch (error) {
      seen.add((error as { code: string }).code)
    }
  }
  stop.abort()
  await swapper
  t.notOk(seen.has('secret'), 'the secret was never read')
  t.ok(seen.has('film') && seen.has('path_outside_root'), `both sides of the swap were met: ${[...seen].join(' ')}`)
}
