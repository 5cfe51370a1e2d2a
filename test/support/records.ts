import { randomUUID } from 'node:crypto'
import { createLibrary, type Library } from '../../src/core/libraries/index.ts'
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

/** A movie library on an existing folder. */
export async function makeLibrary(db: Database, folder: string | readonly string[], name = 'Films'): Promise<Library> {
  const config = { dataDirectory: `/nonexistent-${randomUUID()}` }
  const paths = typeof folder === 'string' ? [folder] : folder
  return createLibrary({ db, config, clock: systemClock }, { name, type: 'movie', paths })
}
