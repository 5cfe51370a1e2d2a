import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** The cached data of a book: about 15 KB. */
const Points = z.array(z.int().min(0).max(100))

/** Together about 15 MB. */
const MAX_FILES = 1000
const FILES_AFTER_EVICTION = 900

/** Cached waveforms, in files named by a hash of their input; the least recently used are evicted. */
export type WaveformCache = {
  /** Undefined for an entry that is absent or damaged. */
  read(key: string): Promise<number[] | undefined>
  write(key: string, points: readonly number[]): Promise<void>
  /** A temporary path in the cache folder. Creates the folder. */
  draftOf(key: string): Promise<string>
}

/** @param now the clock for the times of use */
export function createWaveformCache(folder: string, now: () => Date): WaveformCache {
  const pathOf = (key: string): string => join(folder, `${key}.json`)
  return {
    async read(key) {
      try {
        const points = Points.safeParse(JSON.parse(await readFile(pathOf(key), 'utf8')))
        if (!points.success) return undefined
        await utimes(pathOf(key), now(), now())
        return points.data
      } catch {
        return undefined
      }
    },
    async write(key, points) {
      const draft = join(folder, `${key}.new`)
      await writeFile(draft, JSON.stringify(points), { mode: 0o600 })
      await rename(draft, pathOf(key))
      await removeOldest(folder)
    },
    async draftOf(key) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      return join(folder, `${key}.s8`)
    },
  }
}

async function removeOldest(folder: string): Promise<void> {
  const names = await readdir(folder)
  if (names.length <= MAX_FILES) return
  const files = await Promise.all(
    names.map(async (name) => ({ name, usedAt: (await stat(join(folder, name))).mtimeMs })),
  )
  const oldest = files.toSorted((a, b) => a.usedAt - b.usedAt).slice(0, files.length - FILES_AFTER_EVICTION)
  for (const { name } of oldest) await rm(join(folder, name), { force: true })
}
