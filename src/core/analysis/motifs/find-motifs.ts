import { HASH_STEP_SECONDS, type Fingerprint, type HashRange } from '../fingerprints/fingerprint.ts'
import { alignPair, type PairMatch, type SharedSound } from './align-pair.ts'
import { collapseDuplicates, type DuplicateEpisode } from './collapse-duplicates.ts'
import { createDisjointSets } from './disjoint-sets.ts'
import { indexFingerprint } from './fingerprint-index.ts'
import { pairsToCompare } from './pairs-to-compare.ts'

/** One occurrence of a motif. */
export type MotifOccurrence = HashRange & Readonly<{ episode: number }>

/** Sound that several episodes of a season share, such as the music of the intro; at most one occurrence in each episode. */
export type Motif = Readonly<{ occurrences: readonly MotifOccurrence[]; matches: readonly PairMatch[] }>

export type SeasonMotifs = Readonly<{
  motifs: readonly Motif[]
  /** Episodes that are another edition of an earlier one. They take part in no motif. */
  duplicates: readonly DuplicateEpisode[]
  /** The number of episodes without duplicates. */
  episodeCount: number
}>

/** Ranges of one episode that overlap at least so much (intersection over union) are the same occurrence. */
const MIN_SAME_OVERLAP = 0.5

/**
 * Finds the motifs of a season.
 * @param fingerprints of the episodes in the order of the season
 */
export function findMotifs(fingerprints: readonly Fingerprint[]): SeasonMotifs {
  const indexes = fingerprints.map(indexFingerprint)
  const pairs = pairsToCompare(fingerprints.length)
  const all: PairMatch[] = pairs.flatMap(([a, b]) => {
    const [one, other] = [indexes[a], indexes[b]]
    return one === undefined || other === undefined ? [] : alignPair(one, other).map((shared) => ({ a, b, shared }))
  })
  const lengths = fingerprints.map(({ length }) => length)
  const { duplicates, matches } = collapseDuplicates(all, lengths)
  return { motifs: groupMatches(matches), duplicates, episodeCount: fingerprints.length - duplicates.length }
}

/** Matches that touch the same occurrence of an episode belong to one motif. */
function groupMatches(matches: readonly PairMatch[]): Motif[] {
  const ranges = matches.flatMap(({ a, b, shared }) => [
    rangeIn(a, shared.firstA, shared),
    rangeIn(b, shared.firstB, shared),
  ])
  const sets = createDisjointSets(ranges.length)
  for (let index = 0; index < ranges.length; index += 2) sets.unite(index, index + 1)
  const byEpisode = Map.groupBy(ranges.keys(), (index) => ranges[index]?.episode)
  for (const indexes of byEpisode.values())
    for (const [position, one] of indexes.entries())
      for (const other of indexes.slice(position + 1))
        if (overlapOf(ranges[one], ranges[other]) > MIN_SAME_OVERLAP) sets.unite(one, other)
  const groups = Map.groupBy(ranges.keys(), (index) => sets.find(index))
  return [...groups.values()].map((indexes) => {
    const own = indexes.flatMap((index) => ranges[index] ?? [])
    const matchIndexes = new Set(indexes.map((index) => index >> 1))
    return {
      occurrences: [...Map.groupBy(own, ({ episode }) => episode).values()].flatMap(longestCluster),
      matches: [...matchIndexes].flatMap((index) => matches[index] ?? []),
    }
  })
}

function rangeIn(episode: number, first: number, { length }: SharedSound): MotifOccurrence {
  return { episode, first, end: first + length }
}

/** Intersection over union of two ranges. */
function overlapOf(one: HashRange | undefined, other: HashRange | undefined): number {
  if (one === undefined || other === undefined) return 0
  const shared = Math.min(one.end, other.end) - Math.max(one.first, other.first)
  return shared <= 0 ? 0 : shared / (Math.max(one.end, other.end) - Math.min(one.first, other.first))
}

/**
 * The range of an episode that most of its matches agree on: medians of their starts and ends. A motif that occurs twice in an episode
 * counts where most matches are.
 */
function longestCluster(ranges: readonly MotifOccurrence[]): MotifOccurrence[] {
  const clusters: MotifOccurrence[][] = []
  for (const range of ranges) {
    const near = clusters.find(([known]) => overlapOf(known, range) > 0)
    if (near === undefined) clusters.push([range])
    else near.push(range)
  }
  const [best = []] = clusters.toSorted((one, other) => other.length - one.length)
  const [episode] = best.map((range) => range.episode)
  if (episode === undefined) return []
  return [{ episode, first: lowerMedian(best.map(({ first }) => first)), end: lowerMedian(best.map(({ end }) => end)) }]
}

/** The lower middle of unsorted numbers. */
export function lowerMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[(sorted.length - 1) >> 1] ?? 0
}

/** The length of a range in seconds. */
export function hashRangeSeconds({ first, end }: HashRange): number {
  return (end - first) * HASH_STEP_SECONDS
}
