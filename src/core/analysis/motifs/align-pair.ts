import { computeRunningSums } from '../boundaries/running-sums.ts'
import { hashCountForSeconds, type HashRange } from '../fingerprints/fingerprint.ts'
import type { FingerprintIndex } from './fingerprint-index.ts'

/** Sound that two files share: `length` hashes from `firstA` in one file and from `firstB` in the other. */
export type SharedSound = Readonly<{
  firstA: number
  firstB: number
  length: number
  /** The mean number of different bits per hash, of 32. */
  bitError: number
}>

/** What the episodes of numbers `a` and `b` share. */
export type PairMatch = Readonly<{ a: number; b: number; shared: SharedSound }>

/** Equal hashes at one shift that make the shift worth a comparison. */
const MIN_VOTES = 4
const MAX_SHIFTS = 24
/** Number of hashes on each side of the equal hashes that are compared too: sound with a voice over it has few equal hashes. */
const MARGIN = hashCountForSeconds(20)
const SMOOTHED_HASHES = 16
/** The mean number of different bits over `SMOOTHED_HASHES` up to which sound is the same. Unrelated sound has about 16. */
const MAX_MEAN_BITS = 10.5
/** The limit for the first and the last hash alone. */
const MAX_EDGE_BITS = 9
const MIN_LENGTH = hashCountForSeconds(10)
/** Sound with fewer different hashes than this share of its length is a drone or silence. */
const MIN_DISTINCT_SHARE = 0.35

/**
 * Finds the sound that two files share, longest and most equal first; ranges of one file do not overlap. Hashes that are equal in both
 * files vote for the shift between them. Around the votes of each frequent shift, ranges are found whose hashes differ in few bits.
 */
export function alignPair(a: FingerprintIndex, b: FingerprintIndex): SharedSound[] {
  const matches = frequentShifts(a, b).flatMap((shift) => sharedAt(a, b, shift))
  const kept: SharedSound[] = []
  for (const match of matches.toSorted((one, other) => weightOf(other) - weightOf(one)))
    if (kept.every((known) => !isOverlapping(known, match))) kept.push(match)
  return kept
}

/** A longer range with fewer different bits weighs more. */
function weightOf({ length, bitError }: SharedSound): number {
  return length * (32 - 2 * bitError)
}

function isOverlapping(one: SharedSound, other: SharedSound): boolean {
  const overlaps = (first: number, second: number): boolean =>
    first < second + other.length && second < first + one.length
  return overlaps(one.firstA, other.firstA) || overlaps(one.firstB, other.firstB)
}

type Shift = { shift: number; votes: number; firstA: number; lastA: number }

/** The equal hashes of two files, counted by shift. Each array has a slot for every possible shift. */
type Votes = { offset: number; counts: Int32Array; firsts: Int32Array; lasts: Int32Array }

/** Every pair of equal hashes votes for the shift between them. */
function countVotes(a: FingerprintIndex, b: FingerprintIndex): Votes {
  const offset = a.hashes.length
  const size = a.hashes.length + b.hashes.length + 1
  const votes = {
    offset,
    counts: new Int32Array(size),
    firsts: new Int32Array(size).fill(-1),
    lasts: new Int32Array(size),
  }
  for (const [hash, placesA] of a.positions) {
    const placesB = b.positions.get(hash) ?? []
    for (const placeA of placesA) for (const placeB of placesB) vote(votes, placeA, placeB)
  }
  return votes
}

function vote({ offset, counts, firsts, lasts }: Votes, placeA: number, placeB: number): void {
  const slot = placeB - placeA + offset
  const first = firsts[slot] ?? -1
  counts[slot] = (counts[slot] ?? 0) + 1
  if (first < 0 || placeA < first) firsts[slot] = placeA
  if (placeA > (lasts[slot] ?? 0)) lasts[slot] = placeA
}

/** The shifts (position in b minus position in a) with the most equal hashes; neighbouring shifts are combined. */
function frequentShifts(a: FingerprintIndex, b: FingerprintIndex): Shift[] {
  const { offset, counts, firsts, lasts } = countVotes(a, b)
  const candidates: Shift[] = []
  for (let slot = 1; slot < counts.length - 1; slot += 1) {
    const [before = 0, count = 0, after = 0] = counts.subarray(slot - 1, slot + 2)
    const isPeak = count > 0 && count >= before && count > after
    if (!isPeak || before + count + after < MIN_VOTES) continue
    const near = [slot - 1, slot, slot + 1].filter((place) => (firsts[place] ?? 0) >= 0)
    candidates.push({
      shift: slot - offset,
      votes: before + count + after,
      firstA: Math.min(...near.map((place) => firsts[place] ?? 0)),
      lastA: Math.max(...near.map((place) => lasts[place] ?? 0)),
    })
  }
  return candidates.toSorted((one, other) => other.votes - one.votes).slice(0, MAX_SHIFTS)
}

function sharedAt(a: FingerprintIndex, b: FingerprintIndex, { shift, firstA, lastA }: Shift): SharedSound[] {
  return [shift - 1, shift, shift + 1].flatMap((exact) => {
    const from = Math.max(0, -exact, firstA - MARGIN)
    const to = Math.min(a.hashes.length, b.hashes.length - exact, lastA + 1 + MARGIN)
    return to - from < MIN_LENGTH
      ? []
      : rangesOf(a.hashes.subarray(from, to), b.hashes.subarray(from + exact, to + exact)).map(
          ({ first, length, bitError }) => ({ firstA: from + first, firstB: from + exact + first, length, bitError }),
        )
  })
}

type SharedRange = { first: number; length: number; bitError: number }

/** Ranges in which two sequences of the same length have few different bits. */
function rangesOf(a: Uint32Array, b: Uint32Array): SharedRange[] {
  const bits = a.map((hash, index) => bitCount((hash ^ (b[index] ?? 0)) >>> 0))
  const sums = computeRunningSums(bits)
  const meanAround = (index: number): number => {
    const from = Math.max(0, index - SMOOTHED_HASHES / 2)
    const to = Math.min(bits.length, index + SMOOTHED_HASHES / 2)
    return ((sums[to] ?? 0) - (sums[from] ?? 0)) / (to - from)
  }
  const ranges: SharedRange[] = []
  let start = -1
  for (let index = 0; index <= bits.length; index += 1) {
    const isSame = index < bits.length && meanAround(index) <= MAX_MEAN_BITS
    if (isSame && start < 0) start = index
    if (isSame || start < 0) continue
    const { first, end } = trimmed(bits, { first: start, end: index })
    start = -1
    if (isDistinct(a.subarray(first, end))) {
      ranges.push({ first, length: end - first, bitError: ((sums[end] ?? 0) - (sums[first] ?? 0)) / (end - first) })
    }
  }
  return ranges
}

/** A range without hashes at its ends that differ too much. */
function trimmed(bits: Uint32Array, range: HashRange): HashRange {
  let { first, end } = range
  while (first < end && (bits[first] ?? 0) > MAX_EDGE_BITS) first += 1
  while (end > first && (bits[end - 1] ?? 0) > MAX_EDGE_BITS) end -= 1
  return { first, end }
}

/** Long enough, and neither a drone nor silence. */
function isDistinct(hashes: Uint32Array): boolean {
  return hashes.length >= MIN_LENGTH && new Set(hashes).size >= MIN_DISTINCT_SHARE * hashes.length
}

/** The number of bits that are set. https://graphics.stanford.edu/~seander/bithacks.html#CountBitsSetParallel */
function bitCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55_55_55_55)
  const nibbles = (pairs & 0x33_33_33_33) + ((pairs >>> 2) & 0x33_33_33_33)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f_0f_0f_0f, 0x01_01_01_01) >>> 24
}
