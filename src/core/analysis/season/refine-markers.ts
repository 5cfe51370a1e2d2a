import type { BoundarySide } from '../boundaries/refine-shared-sound-boundary.ts'
import type { Marker } from '../film/marker.ts'
import { hasMarkerLength, type CoarseMarker, type SoundMarkerType } from '../motifs/season-markers.ts'
import type { ReadBoundarySamples } from './boundary-reader.ts'
import type { MatchingThread } from './matching-thread.ts'
import { estimateMarkerBoundary } from './estimate-marker-boundary.ts'

/** With more partners the edge becomes no more exact. */
const MAX_PARTNERS = 4
/**
 * Noise beside a motif may have the same fingerprint but never the same waveform. Where the waveforms at an edge differ, the edge is looked
 * for further inside, in steps of this length.
 */
const INWARD_SECONDS = 3
/** An edge so near the start of the file is the start. */
const START_SECONDS = 0.5

export type RefinedMarker = Marker & Readonly<{ episode: number; type: SoundMarkerType }>

type Tools = {
  readEdge: ReadBoundarySamples
  matching: Pick<MatchingThread, 'edge'>
  /** Starts of the chapters of each episode, in seconds. */
  chapterSeconds: readonly (readonly number[])[]
  /** Durations of the episodes in seconds. */
  durationSeconds: readonly number[]
  signal: AbortSignal
}

/**
 * Finds the exact edges of the markers of a season by waveform, and removes the types whose markers are then too short.
 * @param episodeCount of the season without duplicates
 */
export async function refineMarkers(
  coarse: readonly CoarseMarker[],
  episodeCount: number,
  tools: Tools,
): Promise<RefinedMarker[]> {
  const refined: RefinedMarker[] = []
  for (const marker of coarse) {
    tools.signal.throwIfAborted()
    const start = await exactEdge(marker, 'start', tools)
    const end = await exactEdge(marker, 'end', tools)
    if (end.seconds <= start.seconds) continue
    const isExact = start.isExact && end.isExact
    refined.push({
      episode: marker.episode,
      type: marker.type,
      startMilliseconds: Math.round(start.seconds * 1000),
      endMilliseconds: Math.round(end.seconds * 1000),
      source: 'sound',
      confidence: round2((isExact ? 0.6 : 0.4) + 0.4 * marker.support),
    })
  }
  const ofType = (type: SoundMarkerType): RefinedMarker[] => refined.filter((marker) => marker.type === type)
  return (['intro', 'outro'] as const).flatMap((type) => {
    const seconds = ofType(type).map((marker) => (marker.endMilliseconds - marker.startMilliseconds) / 1000)
    return seconds.length > 0 && hasMarkerLength(seconds, episodeCount) ? ofType(type) : []
  })
}

async function exactEdge(
  marker: CoarseMarker,
  side: BoundarySide,
  { readEdge, matching, chapterSeconds, durationSeconds }: Tools,
): Promise<{ seconds: number; isExact: boolean }> {
  const coarse = side === 'start' ? marker.startSeconds : marker.endSeconds
  const duration = durationSeconds[marker.episode] ?? Number.POSITIVE_INFINITY
  const inward = side === 'start' ? INWARD_SECONDS : -INWARD_SECONDS
  const steps = Math.floor((marker.endSeconds - marker.startSeconds) / 2 / INWARD_SECONDS)
  for (let step = 0; step <= steps; step += 1) {
    const at = coarse + step * inward
    const offset = await edgeOffset(marker, { at, side, readEdge, matching })
    if (offset !== undefined) return { seconds: clampTo(at + offset, duration), isExact: true }
  }
  const around = await readEdge(marker.episode, coarse)
  const seconds = estimateMarkerBoundary(coarse, { side, around, chapterSeconds: chapterSeconds[marker.episode] ?? [] })
  return { seconds: clampTo(seconds, duration), isExact: false }
}

/** The exact edge relative to a time near it; undefined if no partner has the same waveform there. */
async function edgeOffset(
  { episode, partners }: CoarseMarker,
  { at, side, readEdge, matching }: Pick<Tools, 'readEdge' | 'matching'> & { at: number; side: BoundarySide },
): Promise<number | undefined> {
  const own = await readEdge(episode, at)
  const read = await Promise.all(
    partners.slice(0, MAX_PARTNERS).map(({ episode: other, lagSeconds }) => readEdge(other, at + lagSeconds)),
  )
  const sounds = read.filter((sound) => sound !== undefined)
  return own === undefined || sounds.length === 0 ? undefined : matching.edge(own, sounds, side)
}

function clampTo(seconds: number, duration: number): number {
  return Math.min(seconds < START_SECONDS ? 0 : seconds, duration)
}

function round2(value: number): number {
  return Math.round(value * 100) / 100
}
