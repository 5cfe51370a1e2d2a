import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createLibrary, type Library, type LibraryType } from '../../src/core/libraries/index.ts'
import type { Database } from '../../src/core/platform/database/index.ts'
import type { Clock } from '../../src/core/platform/time/index.ts'
import { systemClock } from '../../src/core/platform/time/index.ts'
import { sharedDiskThreads } from './disk-threads.ts'

/** A clock that moves only when a test advances it. */
export function movableClock(start = '2026-03-01T12:00:00.000Z'): Clock & { advance(seconds: number): void } {
  let now = Date.parse(start)
  return {
    now: () => new Date(now),
    unixSeconds: () => Math.floor(now / 1000),
    monotonicMilliseconds: () => now,
    advance: (seconds) => {
      now += seconds * 1000
    },
  }
}

/** The system's clock, except that each reading is at least a second after the previous one. */
export function clockInSeconds(): Clock {
  let now = 0
  return { ...systemClock, monotonicMilliseconds: () => (now += 1000) }
}

/** Properties of a library besides its folders. */
export type LibrarySpec = { name?: string; type?: LibraryType; options?: Record<string, unknown> }

/** Folders of libraries, by database. */
const taken = new WeakMap<Database, Set<string>>()

/** A folder belongs to one library. Tests that need only rows may use one path for several libraries: the later ones get a subfolder. */
function ownFolder(db: Database, path: string): string {
  const folders = taken.get(db) ?? new Set()
  taken.set(db, folders)
  const own = folders.has(path) ? join(path, randomUUID()) : path
  if (own !== path) mkdirSync(own)
  folders.add(own)
  return own
}

/** A library on an existing folder; by default a film library with this name. */
export async function makeLibrary(
  db: Database,
  folder: string | readonly string[],
  spec: string | LibrarySpec = 'Films',
): Promise<Library> {
  const config = { dataDirectory: `/nonexistent-${randomUUID()}` }
  const paths = (typeof folder === 'string' ? [folder] : folder).map((path) => ownFolder(db, path))
  const { name = 'Films', type = 'movie', options = {} } = typeof spec === 'string' ? { name: spec } : spec
  return createLibrary(
    { db, config, clock: systemClock, diskThreads: sharedDiskThreads() },
    { name, type, options, paths },
  )
}
