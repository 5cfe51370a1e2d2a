import { HASH_STEP_SECONDS, type Fingerprint } from '../fingerprints/fingerprint.ts'
import { alignPair } from '../motifs/align-pair.ts'
import { indexFingerprint } from '../motifs/fingerprint-index.ts'
import type { CoarseMarker, AlignedEpisode, SoundMarkerType } from '../motifs/season-markers.ts'

/** A marker of an episode whose edges are known exactly. */
export type MarkerTemplate = Readonly<{
  episode: number
  type: SoundMarkerType
  startSeconds: number
  endSeconds: number
  support: number
}>

/** Shared sound must cover this part of the template. */
const MIN_COVERED = 0.6
/** More templates do not improve the result. */
const MAX_TEMPLATES = 6

/**
 * Finds the intro and outro of a new episode from the markers of other episodes of the season, in milliseconds. Pure.
 * @param templates markers of other episodes; `fingerprints` holds the sound of all episodes by number
 * @returns one coarse marker for each type that was found
 */
export function matchMarkerTemplates(
  episode: number,
  templates: readonly MarkerTemplate[],
  fingerprints: readonly Fingerprint[],
): CoarseMarker[] {
  const own = indexFingerprint(fingerprints[episode] ?? new Uint32Array())
  return (['intro', 'outro'] as const).flatMap((type): CoarseMarker[] => {
    const candidates = templates.filter((template) => template.type === type).slice(0, MAX_TEMPLATES)
    const matches = candidates.flatMap((template) => {
      const lag = lagOf(template, own, fingerprints)
      return lag === undefined ? [] : [{ template, ...lag }]
    })
    const [best] = matches.toSorted((one, other) => one.bitError - other.bitError)
    if (best === undefined) return []
    const { template } = best
    return [
      {
        episode,
        type,
        startSeconds: Math.max(0, template.startSeconds - best.lagSeconds),
        endSeconds: template.endSeconds - best.lagSeconds,
        support: template.support,
        partners: matches.map(({ template: known, lagSeconds, bitError }): AlignedEpisode => {
          return { episode: known.episode, lagSeconds, bitError }
        }),
      },
    ]
  })
}

/** The time in the template's episode minus the time in the new episode; undefined if the new episode does not have the sound. */
function lagOf(
  { episode, startSeconds, endSeconds }: MarkerTemplate,
  own: ReturnType<typeof indexFingerprint>,
  fingerprints: readonly Fingerprint[],
): { lagSeconds: number; bitError: number } | undefined {
  const first = Math.max(0, Math.round(startSeconds / HASH_STEP_SECONDS))
  const end = Math.round(endSeconds / HASH_STEP_SECONDS)
  const hashes = (fingerprints[episode] ?? new Uint32Array()).subarray(first, end)
  const [shared] = alignPair(own, indexFingerprint(hashes))
  if (shared === undefined || shared.length < MIN_COVERED * hashes.length) return undefined
  return { lagSeconds: (first + shared.firstB - shared.firstA) * HASH_STEP_SECONDS, bitError: shared.bitError }
}
