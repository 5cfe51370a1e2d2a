import { randomUUID } from 'node:crypto'
import { createLibrary, type Library, type LibraryType } from '../../src/core/libraries/index.ts'
import type { Database } from '../../src/core/platform/database/index.ts'
import type { Clock } from '../../src/core/platform/time/index.ts'
import { systemClock } from '../../src/core/platform/time/index.ts'

/** A clock that only moves when a test moves it. */
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

/** The system's clock, but at each look a second has passed since the last one. */
export function clockInSeconds(): Clock {
  let now = 0
  return { ...systemClock, monotonicMilliseconds: () => (now += 1000) }
}

/** What is said about a library beside its folders. */
export type LibraryWish = { name?: string; type?: LibraryType; options?: Record<string, unknown> }

/** A library on an existing folder; films under this name unless something else is said. */
export async function makeLibrary(
  db: Database,
  folder: string | readonly string[],
  wish: string | LibraryWish = 'Films',
): Promise<Library> {
  const config = { dataDirectory: `/nonexistent-${randomUUID()}` }
  const paths = typeof folder === 'string' ? [folder] : folder
  const { name = 'Films', type = 'movie', options = {} } = typeof wish === 'string' ? { name: wish } : wish
  return createLibrary({ db, config, clock: systemClock }, { name, type, options, paths })
}
