import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Test } from 'tap'
import { loadConfig } from '../../src/core/platform/config/index.ts'
import { createLogger } from '../../src/core/platform/logging/index.ts'
import { createMediaTools } from '../../src/core/platform/media-tools/index.ts'
import { rebuildPlayDays } from '../../src/core/statistics/index.ts'
import { makeCollections, takeSteps } from '../core/collections/refresh-steps.ts'
import { interruptBackups } from '../core/backups/random-kills.ts'
import { contentOf, isAllWhole, killWriter } from '../core/platform/files/killed-writer.ts'
import { readsWhileSwapping } from '../core/platform/files/swapped-file.ts'
import { keepsInvariants } from '../core/watch-together/group/random-steps.ts'
import { killOwners } from '../daemon/ws/watch-groups/killed-owner.ts'
import { readsDamagedHeaders } from '../core/probing/containers/damaged-headers.ts'
import { readsDamagedIndexes } from '../core/probing/containers/damaged-indexes.ts'
import { sendRandomFrames } from '../core/hub-relay/random-frames.ts'
import { detectsRandomSeasons } from '../core/analysis/season/random-seasons.ts'
import { matchesRandomRules } from '../core/smart-playlists/random-matches.ts'
import { changeAtOnce } from '../core/statistics/play-changes.ts'
import { keepsPromises } from '../core/streaming/random-ladders.ts'
import { watchOnPages } from '../browser/watching-pages.ts'
import { playConcurrently } from '../daemon/routes/playback-sessions/concurrent-playback.ts'
import { injectEverywhere } from '../daemon/injected-values.ts'
import { writeConcurrently } from '../daemon/concurrent-writers.ts'
import { DAMAGED_LIBRARIES, scanDamagedFiles } from '../faults/damaged-media.ts'
import { startCrashImages } from '../faults/crash-images.ts'
import { streamDamagedFiles } from '../faults/damaged-streams.ts'
import { setClockOfDaemon, unlessClockCanBeFaked } from '../faults/faked-clock.ts'
import { runMixedLoad } from '../faults/mixed-load.ts'
import { killScansAtRandom } from '../faults/random-kills.ts'
import { makeGrowingLibrary, repeatChanges, scanUnchanged } from '../faults/table-growth.ts'
import { literalExpressions } from '../support/regular-expressions.ts'
import { checkExpressions } from '../support/check-expressions.ts'
import { makeItems, makeUser } from '../support/catalogue-items.ts'
import { testDatabase } from '../support/database.ts'
import { unlessMountable } from '../support/disks.ts'
import { reachableDirectory } from '../support/directories.ts'
import type { SeededRandom } from '../support/seeded-random.ts'
import { waitUntil } from '../support/wait-until.ts'

/** One round of a soak. What it tries depends on nothing but the random numbers. */
export type Soak = (t: Test, random: SeededRandom) => Promise<void>

const SEEDS = 2 ** 31

/** Samples how far the pages of a group are apart, from 5 s after a change on. */
function measureSpreads(t: Test) {
  return async (claim: string, spread: () => Promise<number>): Promise<void> => {
    await pause(5000)
    const spreads: number[] = []
    while (spreads.length < 10) {
      spreads.push(await spread())
      await pause(200)
    }
    const most = Math.max(...spreads)
    t.ok(most <= 80, `${claim}: ${Math.round(most)} ms`)
  }
}

/** Each is the long form of a test of the suite, and shares its code. */
export const SOAKS: Readonly<Record<string, Soak>> = {
  'kills-during-a-scan': (t, random) => killScansAtRandom(t, { random, kills: 20 }),

  'interrupted-backups': (t, random) =>
    interruptBackups(t, { random, kills: 20, fullDisks: unlessMountable() === false ? 10 : 0 }),

  'crash-images': (t, random) => startCrashImages(t, { random, images: 12 }),

  'faked-clock': async (t) => {
    await t.test('jumps', { skip: unlessClockCanBeFaked(), timeout: 0 }, setClockOfDaemon)
  },

  'mixed-load': (t, random) =>
    runMixedLoad(t, {
      random,
      films: ['film-mkv', 'film-mp4', 'film-tiny-mp4'],
      rounds: 120,
      kills: 120,
      mostGrowthMebibytes: 64,
    }),

  'table-growth': async (t) => {
    const library = await makeGrowingLibrary(t, { films: 20 })
    await scanUnchanged(t, library, 100)
    await repeatChanges(t, library, { cycles: 10, playlists: 100 })
  },

  'mutated-files': async (t, random) => {
    const files = { movie: 900, music: 800, photo: 300 } as const
    for (const library of DAMAGED_LIBRARIES) {
      const count = files[library.type as keyof typeof files]
      await t.test(library.type, (t) => scanDamagedFiles(t, library, { firstSeed: random.below(SEEDS), files: count }))
    }
  },

  'damaged-streams': (t, random) => streamDamagedFiles(t, { firstSeed: random.below(SEEDS), files: 200 }),

  'regular-expressions': async (t) => {
    const { vulnerable, counts } = checkExpressions(literalExpressions(), { limitMilliseconds: 10_000 })
    t.strictSame(vulnerable, [])
    t.comment(JSON.stringify(counts))
  },

  'swapped-files': (t) => readsWhileSwapping(t, { readings: 20_000 }),

  'killed-writers': async (t, random) => {
    const directory = join(reachableDirectory(t), 'artwork')
    for (let kill = 0; kill < 10; kill += 1) {
      const known = contentOf(directory).whole.length
      await killWriter(directory, {
        seed: random.below(SEEDS),
        moment: async () => {
          await waitUntil('the writer writes', () => contentOf(directory).whole.length > known)
          await pause(random.below(400))
        },
      })
    }
    await isAllWhole(t, directory)
  },

  'relay-frames': (t, random) => sendRandomFrames(t, { random, frames: 1_000_000 }),

  'damaged-headers': (t, random) => readsDamagedHeaders(t, { firstSeed: random.below(SEEDS), files: 2000 }),

  'damaged-indexes': (t, random) => readsDamagedIndexes(t, { firstSeed: random.below(SEEDS), files: 1500 }),

  'refresh-steps': async (t, random) => {
    const { pool: db } = await testDatabase(t)
    const setup = await makeCollections(db, { folder: reachableDirectory(t), films: 20 })
    await takeSteps(t, setup, { random, steps: 250 })
  },

  'random-matches': (t, random) => matchesRandomRules(t, { seed: random.below(SEEDS), trees: 10_000 }),

  'injected-values': (t, random) => injectEverywhere(t, { random, valuesPerKey: 10 }),

  'watch-groups': async (t, random) => {
    keepsInvariants(t, { random, sequences: 100_000 })
    await killOwners(t, { random, kills: 10, daemons: 3 })
  },

  'watch-pages': async (t, random) => {
    const check = measureSpreads(t)
    for (const kind of ['direct', 'hls'] as const) {
      await t.test(kind, { timeout: 0 }, (t) => watchOnPages(t, { random, kind, pages: 4, check }))
    }
  },

  seasons: async (t, random) => {
    const config = loadConfig({ dataDirectory: t.testdir(), environment: { PATH: process.env['PATH'] } })
    const mediaTools = createMediaTools({ config, log: await createLogger(config, { level: 'emergency' }) })
    await detectsRandomSeasons(t, { random, mediaTools, seasons: 8 })
  },

  ladders: async (t, random) => keepsPromises(t, { random, sources: 30_000 }),

  'two-writers': (t, random) => writeConcurrently(t, { seed: random.below(SEEDS), writes: 500 }),

  'two-evenings': (t, random) => playConcurrently(t, { seed: random.below(SEEDS), writes: 250 }),

  'play-changes': async (t, random) => {
    const { pool: db } = await testDatabase(t)
    const folder = reachableDirectory(t)
    const users = [await makeUser(db, 'ann'), await makeUser(db, 'bob')]
    const items = await makeItems(db, folder, [{}, {}, {}])
    await changeAtOnce(db, { users, items, random, rounds: 100 })
    t.equal(await rebuildPlayDays({ db }), 0)
  },
}
