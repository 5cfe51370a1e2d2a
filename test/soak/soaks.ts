import type { Test } from 'tap'
import { DAMAGED_LIBRARIES, scanDamagedFiles } from '../faults/damaged-media.ts'
import { killScansAtRandom } from '../faults/random-kills.ts'
import type { SeededRandom } from '../support/seeded-random.ts'

/** One round of a soak. What it tries depends on nothing but the random numbers. */
export type Soak = (t: Test, random: SeededRandom) => Promise<void>

const SEEDS = 2 ** 31

/** Each is the long form of a test of the suite, and shares its code. */
export const SOAKS: Readonly<Record<string, Soak>> = {
  'kills-during-a-scan': (t, random) => killScansAtRandom(t, { random, kills: 20 }),

  'mutated-files': async (t, random) => {
    const files = { movie: 900, music: 800, photo: 300 } as const
    for (const library of DAMAGED_LIBRARIES) {
      const count = files[library.type as keyof typeof files]
      await t.test(library.type, (t) => scanDamagedFiles(t, library, { firstSeed: random.below(SEEDS), files: count }))
    }
  },
}
