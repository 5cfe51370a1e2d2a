import { rmSync } from 'node:fs'
import type { Test } from 'tap'
import { detectSeasonMarkers } from '../../../../src/core/analysis/season/detect-season.ts'
import type { MediaTools } from '../../../../src/core/platform/media-tools/index.ts'
import type { SeededRandom } from '../../../support/seeded-random.ts'
import type { SeasonForm } from '../synthetic-season.ts'
import { compareMarkers, madeSeason } from './made-season.ts'

const SEEDS = 10_000

const EPISODES = [2, 3, 4, 6]

const NEVER = new AbortController().signal

/** The stated limits of an edge, in seconds. */
const [MAX_MEDIAN, MAX_ERROR] = [0.15, 1]

type Options = {
  random: SeededRandom
  mediaTools: Pick<MediaTools, 'readPicturesAndFingerprint' | 'decodeAudio'>
  seasons: number
}

/**
 * Makes seasons of random length, edges and encodings, every fourth one without intro and outro. All markers are found, within the stated
 * limits, and none is found that is not there. Comments have the figures. The made files are removed.
 */
export async function detectsRandomSeasons(t: Test, { random, mediaTools, seasons }: Options): Promise<void> {
  const all: number[] = []
  for (let index = 0; index < seasons; index += 1) {
    const form = randomForm(random, index % 4 === 3)
    await t.test(JSON.stringify(form), { timeout: 0 }, async (t) => {
      const made = await madeSeason(mediaTools, form)
      const episodes = made.map(({ episode }) => episode)
      const errors = compareMarkers(t, made, await detectSeasonMarkers({ mediaTools }, episodes, NEVER))
      for (const { truth } of made) rmSync(truth.path)
      all.push(...errors)
      t.comment(`${errors.length} edges, median ${middle(errors)} s, largest ${errors.at(-1) ?? 0} s`)
      t.ok((errors.at(-1) ?? 0) <= MAX_ERROR, 'largest error')
    })
  }
  const sorted = all.toSorted((one, other) => one - other)
  t.comment(`all: ${sorted.length} edges, median ${middle(sorted)} s, largest ${sorted.at(-1) ?? 0} s`)
  t.ok(middle(sorted) <= MAX_MEDIAN, 'median error')
}

function randomForm(random: SeededRandom, isControl: boolean): SeasonForm {
  const episodes = random.pick(EPISODES)
  const common = {
    seed: random.below(SEEDS),
    episodes,
    isHard: random.below(2) === 0,
    bodySeconds: 60 + random.below(60),
    maxOffsetSeconds: 10 + random.below(20),
  }
  if (isControl) return common
  const hasGap = episodes >= 4 && random.below(2) === 0
  return {
    ...common,
    introSeconds: 20 + random.below(26),
    outroSeconds: 20 + random.below(20),
    ...(hasGap && { withoutIntro: random.below(episodes) }),
  }
}

/** The median of sorted numbers. */
const middle = (sorted: readonly number[]): number => sorted[sorted.length >> 1] ?? 0
