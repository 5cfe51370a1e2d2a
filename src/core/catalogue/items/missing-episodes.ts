import type { Connection } from '../../platform/database/index.ts'
import { selectEpisodeNumbers } from '../queries/episodes.ts'

export type MissingEpisodes = {
  /** The highest number of each season, summed. */
  expected: number
  existing: number
  missing: { seasonNumber: number; episodeNumber: number }[]
}

/** Larger than any season. Higher numbers come from dates and mistakes, and do not indicate missing episodes. */
const HIGHEST_NUMBER = 2000

/**
 * The gaps in the episode numbers of a series or season: numbers between 1 and the highest number of a season that are absent. Specials
 * are ignored because they have no sequence.
 */
export async function findMissingEpisodes({ db }: { db: Connection }, itemId: string): Promise<MissingEpisodes> {
  const seasons = new Map<number, Set<number>>()
  for (const { seasonNumber, episodeNumber, endingEpisodeNumber } of await selectEpisodeNumbers(db, itemId)) {
    if (seasonNumber === 0 || endingEpisodeNumber > HIGHEST_NUMBER) continue
    const numbers = seasons.get(seasonNumber) ?? new Set()
    for (let number = episodeNumber; number <= endingEpisodeNumber; number += 1) if (number > 0) numbers.add(number)
    seasons.set(seasonNumber, numbers)
  }
  const missing = [...seasons].flatMap(([seasonNumber, numbers]) =>
    gapsIn(numbers).map((episodeNumber) => ({ seasonNumber, episodeNumber })),
  )
  const existing = [...seasons.values()].reduce((sum, numbers) => sum + numbers.size, 0)
  return { expected: existing + missing.length, existing, missing }
}

function gapsIn(numbers: ReadonlySet<number>): number[] {
  const highest = Math.max(0, ...numbers)
  return Array.from({ length: highest }, (_, index) => index + 1).filter((number) => !numbers.has(number))
}
