import t from 'tap'
import type { LibraryType } from '../../src/core/libraries/index.ts'
import { DAMAGED_LIBRARIES, scanDamagedFiles } from './damaged-media.ts'

/**
 * Number of files of each library: every kind is damaged several times, and truncated. `npm run soak -- mutated-files` scans thousands,
 * with other seeds in each round.
 */
const FILES: Readonly<Partial<Record<LibraryType, number>>> = { movie: 40, music: 60, photo: 20 }

for (const library of DAMAGED_LIBRARIES) {
  const files = FILES[library.type] ?? 0
  void t.test(
    `${files} damaged files of a ${library.type} library are read or reported with a reason, and the job completes (FZ-01, F-21)`,
    (t) => scanDamagedFiles(t, library, { firstSeed: 0, files }),
  )
}
