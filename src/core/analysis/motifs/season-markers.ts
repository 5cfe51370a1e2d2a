import { HASH_STEP_SECONDS, hashCountForSeconds, type Fingerprint } from '../fingerprints/fingerprint.ts'
import {
  findMotifs,
  lowerMedian,
  hashRangeSeconds,
  type Motif,
  type MotifOccurrence,
  type SeasonMotifs,
} from './find-motifs.ts'

/** The types of markers that the sound of a season can show. */
export type SoundMarkerType = 'intro' | 'outro'

/** A marker before its edges are refined with the waveform. */
export type CoarseMarker = Readonly<{
  episode: number
  type: SoundMarkerType
  startSeconds: number
  endSeconds: number
  /** The share of the episodes that have this sound. */
  support: number
  /** Other episodes with the same sound, most equal first; `lagSeconds` is their time minus the time in this episode. */
  partners: readonly AlignedEpisode[]
}>

/** `episodeCount`: without other editions of the same episode. */
export type SeasonSound = Readonly<{ markers: CoarseMarker[]; episodeCount: number }>

export type AlignedEpisode = Readonly<{ episode: number; lagSeconds: number; bitError: number }>

/** A hash covers 2.72 s. Two hashes are equal if most of their sound is, so equal hashes begin before the shared sound and end after it. */
const START_BIAS_SECONDS = 0.8
const END_BIAS_SECONDS = 2.6
/** The last hash of a file begins 2.6 s before its end. */
const EDGE_HASHES = 3
const HASH_SPAN_SECONDS = 2.72

const MIN_SUPPORT_SHARE = 0.4
const MIN_SUPPORT = 3
/** The share of the episodes of an alternative motif that do not have the better one. */
const MIN_ALTERNATIVE_SHARE = 0.8
/** In a season of at most this number of episodes a motif of two episodes is enough, because the shared sound is long. */
const SMALL_SEASON = 3
const SMALL_SUPPORT = 2
/** Speech over a motif shortens its coarse range, so the final limits apply to refined markers (`hasMarkerLength`). */
const MIN_COARSE_SECONDS = 10
const MIN_SECONDS_IN_SMALL_SEASON = 19
const MIN_SECONDS = 14.5
const MAX_INTRO_SECONDS = 150
/** A sound that begins earlier can be an intro in an episode of any length. */
const EARLY_HASHES = hashCountForSeconds(180)

/**
 * Finds intro and outro of the episodes of a season by the sound that the episodes share. A motif counts only if enough episodes have it;
 * this excludes recaps, stings and other sound that few episodes share.
 */
export function findSeasonMarkers(fingerprints: readonly Fingerprint[]): SeasonSound {
  const season = findMotifs(fingerprints)
  const lengths = fingerprints.map(({ length }) => length)
  const markers = (['intro', 'outro'] as const).flatMap((type) => {
    const candidates = season.motifs
      .filter((motif) => typeOf(motif, lengths) === type)
      .map(({ occurrences, matches }): Motif => ({
        occurrences: occurrences.filter((one) => isPlacedFor(type, one, lengths)),
        matches,
      }))
      .filter((motif) => isSupported(motif, season) && hasLengthOf(motif, type))
      .toSorted((one, other) => weightOf(other) - weightOf(one))
    return alternatives(candidates).flatMap((motif) => markersOf(motif, { type, lengths, season }))
  })
  return { markers, episodeCount: season.episodeCount }
}

/**
 * The best motif, and those that take its place in other episodes: the opening may change within a season. Sound that mostly occurs beside
 * a better motif is something else.
 */
function alternatives(candidates: readonly Motif[]): Motif[] {
  const chosen: Motif[] = []
  const taken = new Set<number>()
  for (const motif of candidates) {
    const others = motif.occurrences.filter(({ episode }) => !taken.has(episode))
    if (others.length < MIN_ALTERNATIVE_SHARE * motif.occurrences.length) continue
    chosen.push({ ...motif, occurrences: others })
    for (const { episode } of others) taken.add(episode)
  }
  return chosen
}

/**
 * Whether refined markers of one type are long enough. A shorter sound that many episodes share is a jingle. A shorter sound that two
 * episodes of a small season share may be a recap.
 */
export function hasMarkerLength(seconds: readonly number[], episodeCount: number): boolean {
  return lowerMedian(seconds) >= (episodeCount <= SMALL_SEASON ? MIN_SECONDS_IN_SMALL_SEASON : MIN_SECONDS)
}

function isSupported(motif: Motif, { episodeCount }: SeasonMotifs): boolean {
  const support = motif.occurrences.length
  if (episodeCount <= SMALL_SEASON) return support >= SMALL_SUPPORT
  return support >= Math.max(MIN_SUPPORT, Math.ceil(MIN_SUPPORT_SHARE * episodeCount))
}

function hasLengthOf(motif: Motif, type: SoundMarkerType): boolean {
  const seconds = lengthOf(motif)
  return seconds >= MIN_COARSE_SECONDS && (type === 'outro' || seconds <= MAX_INTRO_SECONDS)
}

function lengthOf(motif: Motif): number {
  return lowerMedian(motif.occurrences.map((range) => hashRangeSeconds(range)))
}

function weightOf(motif: Motif): number {
  return motif.occurrences.length * lengthOf(motif)
}

/** A motif is an intro if it is usually in the first half of an episode, otherwise an outro. */
function typeOf({ occurrences }: Motif, lengths: readonly number[]): SoundMarkerType {
  return lowerMedian(occurrences.map((one) => placeOf(one, lengths))) < 0.5 ? 'intro' : 'outro'
}

/**
 * Whether an occurrence is where this type can be. The scene that a recap shows is in the middle of an earlier episode, where it is no
 * intro. In short episodes an intro that begins soon may be in the second half.
 */
function isPlacedFor(type: SoundMarkerType, occurrence: MotifOccurrence, lengths: readonly number[]): boolean {
  const isEarly = placeOf(occurrence, lengths) < 0.5
  return type === 'outro' ? !isEarly : isEarly || occurrence.first < EARLY_HASHES
}

/** The middle of an occurrence: 0 is the start of the episode, 1 its end. */
function placeOf({ episode, first, end }: MotifOccurrence, lengths: readonly number[]): number {
  return (first + end) / 2 / (lengths[episode] ?? 1)
}

type SeasonContext = { type: SoundMarkerType; lengths: readonly number[]; season: SeasonMotifs }

function markersOf(motif: Motif, { type, lengths, season }: SeasonContext): CoarseMarker[] {
  const support = motif.occurrences.length / season.episodeCount
  const own = motif.occurrences.map((occurrence) => ({
    episode: occurrence.episode,
    type,
    ...timesOf(occurrence, lengths[occurrence.episode] ?? 0),
    support,
    partners: partnersOf(motif, occurrence),
  }))
  const copies = season.duplicates.flatMap(({ episode, original, shift }): CoarseMarker[] => {
    const occurrence = motif.occurrences.find((known) => known.episode === original)
    if (occurrence === undefined) return []
    const moved = { episode, first: occurrence.first + shift, end: occurrence.end + shift }
    // The original shares the whole episode, so its own sound has no boundary; the sound of its partners has one.
    const partners = partnersOf(motif, occurrence).map(({ episode: other, lagSeconds, bitError }): AlignedEpisode => {
      return { episode: other, lagSeconds: lagSeconds - shift * HASH_STEP_SECONDS, bitError }
    })
    return [{ episode, type, ...timesOf(moved, lengths[episode] ?? 0), support, partners }]
  })
  return [...own, ...copies]
}

function timesOf({ first, end }: MotifOccurrence, length: number): { startSeconds: number; endSeconds: number } {
  return {
    startSeconds: first <= EDGE_HASHES ? 0 : first * HASH_STEP_SECONDS + START_BIAS_SECONDS,
    endSeconds:
      end >= length - EDGE_HASHES
        ? (length - 1) * HASH_STEP_SECONDS + HASH_SPAN_SECONDS
        : (end - 1) * HASH_STEP_SECONDS + END_BIAS_SECONDS,
  }
}

function partnersOf({ matches }: Motif, { episode, first, end }: MotifOccurrence): AlignedEpisode[] {
  return matches
    .flatMap(({ a, b, shared: { firstA, firstB, length, bitError } }) => {
      const isA = a === episode
      if (!isA && b !== episode) return []
      const [own, other] = isA ? [firstA, firstB] : [firstB, firstA]
      const isHere = own < end && first < own + length
      return isHere ? [{ episode: isA ? b : a, lagSeconds: (other - own) * HASH_STEP_SECONDS, bitError }] : []
    })
    .toSorted((one, other) => one.bitError - other.bitError)
}
