import { createDisjointSets } from './disjoint-sets.ts'
import type { PairMatch } from './align-pair.ts'

/** An episode that is another edition of `original`: its sound at hash `i` equals the sound of the original at `i - shift`. */
export type DuplicateEpisode = Readonly<{ episode: number; original: number; shift: number }>

/** Episodes that share more than this part of the shorter one are editions of the same episode. */
const MIN_SHARED_PART = 0.5

/**
 * Finds editions of the same episode. Without this, the whole episode would be a motif, and two editions would count as two episodes that
 * support a motif.
 * @returns the duplicates, and the matches between the other episodes
 */
export function collapseDuplicates(
  matches: readonly PairMatch[],
  lengths: readonly number[],
): { duplicates: DuplicateEpisode[]; matches: PairMatch[] } {
  const isDuplicate = ({ a, b, shared }: PairMatch): boolean =>
    shared.length > MIN_SHARED_PART * Math.min(lengths[a] ?? 0, lengths[b] ?? 0)
  const sets = createDisjointSets(lengths.length)
  const links = matches.filter(isDuplicate)
  for (const { a, b } of links) sets.unite(a, b)
  const originals = new Map<number, number>()
  for (const episode of lengths.keys())
    if (!originals.has(sets.find(episode))) originals.set(sets.find(episode), episode)
  const duplicates = [...lengths.keys()].flatMap((episode): DuplicateEpisode[] => {
    const original = originals.get(sets.find(episode)) ?? episode
    if (original === episode) return []
    const link = links.find(({ a, b }) => (a === original && b === episode) || (a === episode && b === original))
    if (link === undefined) return []
    const shift =
      link.a === original ? link.shared.firstB - link.shared.firstA : link.shared.firstA - link.shared.firstB
    return [{ episode, original, shift }]
  })
  const left = new Set(duplicates.map(({ episode }) => episode))
  return { duplicates, matches: matches.filter(({ a, b }) => !left.has(a) && !left.has(b)) }
}
