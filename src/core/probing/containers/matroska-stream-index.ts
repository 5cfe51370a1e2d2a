import type { StreamIndex } from '../stream-index.ts'
import type { HeaderSource } from './limit-header-reads.ts'
import { rejectHeader } from './unsupported-header.ts'
import { parseChildren, readElementContent, readElement, parseFields, readUnsigned } from './ebml.ts'
import { readLastTimestamp } from './matroska-blocks.ts'
import { MATROSKA_ID } from './matroska-ids.ts'
import { findSegment, type MatroskaSegment } from './matroska-segment.ts'
import { copiedBytesPerCue, selectCopiedTracks, type CueSpan } from './matroska-sizes.ts'
import { readMatroskaTracks, type MatroskaTrack } from './matroska-tracks.ts'

const NANOSECONDS_PER_MICROSECOND = 1000
const USUAL_SCALE = 1_000_000
const WANTED = new Set<number>([MATROSKA_ID.Info, MATROSKA_ID.Tracks, MATROSKA_ID.Cues])

/**
 * Returns the index of one video track of a Matroska or WebM file from its cues (RFC 9559 5.1.5). The end is read from the blocks after the
 * last cue.
 * @throws UnsupportedHeader for a file without cues, and for damaged or unusual files
 */
export function readMatroskaIndex(source: HeaderSource, streamIndex: number): StreamIndex {
  const segment = findSegment(source, WANTED)
  const contents = (id: number) => (segment.parts.get(id) ?? []).map((part) => readElementContent(source, part))
  const info = parseFields(contents(MATROSKA_ID.Info)[0] ?? rejectHeader('a Matroska file without general facts'))
  const scale = readUnsigned(info.get(MATROSKA_ID.TimestampScale), USUAL_SCALE) / NANOSECONDS_PER_MICROSECOND
  const tracks = readMatroskaTracks(contents(MATROSKA_ID.Tracks))
  const track = tracks[streamIndex]
  if (track?.kind !== 'video') rejectHeader('another stream than expected')
  const cues = contents(MATROSKA_ID.Cues).flatMap((part) => readCues(part, track.number))
  const [first, last] = [cues[0], cues.at(-1)]
  if (first === undefined || last === undefined) rejectHeader('a Matroska file without cues')
  const frame = readUnsigned(track.fields.get(MATROSKA_ID.DefaultDuration), 0) / NANOSECONDS_PER_MICROSECOND
  const firstMicroseconds = Math.round(first.time * scale)
  const endMicroseconds = Math.round(lastTimestampFromCue(source, { segment, track, cue: last }) * scale + frame)
  const keyFrameMicroseconds = cues.map(({ time }) => Math.round(time * scale))
  const spans = spansBetween(source, { segment, cues, keyFrameMicroseconds, endMicroseconds })
  return {
    streamIndex,
    firstMicroseconds,
    endMicroseconds,
    frameCount: null,
    // Tracks with variable frame durations have no default duration.
    hasConstantRate: frame > 0,
    keyFrameMicroseconds,
    jumps: [],
    keyFrameBytes: copiedBytesPerCue(source, spans, selectCopiedTracks(tracks, track)),
  }
}

/** Time in the file's units. `cluster` is relative to the start of the segment's content, `block` to the cluster's. */
type Cue = { time: number; cluster: number; block: number }

type Cues = {
  segment: MatroskaSegment
  cues: readonly Cue[]
  keyFrameMicroseconds: readonly number[]
  endMicroseconds: number
}

/** Returns the spans from each cue to the next, and from the last one to the end of the file. */
function spansBetween(source: HeaderSource, { segment, cues, keyFrameMicroseconds, endMicroseconds }: Cues): CueSpan[] {
  return cues.map(({ cluster, block }, index) => {
    const microseconds = keyFrameMicroseconds[index] ?? 0
    const next = cues[index + 1]
    return {
      cluster: segment.dataStart + cluster,
      block,
      end: next === undefined ? Math.min(segment.end, source.sizeBytes) : segment.dataStart + next.cluster + next.block,
      microseconds,
      durationMicroseconds: Math.max(0, (keyFrameMicroseconds[index + 1] ?? endMicroseconds) - microseconds),
    }
  })
}

function readCues(part: Uint8Array, trackNumber: number): Cue[] {
  const cues: Cue[] = []
  for (const { id, data } of parseChildren(part)) {
    if (id !== MATROSKA_ID.CuePoint) continue
    const children = parseChildren(data)
    const time = readUnsigned(children.find((child) => child.id === MATROSKA_ID.CueTime)?.data, 0)
    for (const child of children) {
      if (child.id !== MATROSKA_ID.CueTrackPositions) continue
      const fields = parseFields(child.data)
      if (readUnsigned(fields.get(MATROSKA_ID.CueTrack), 0) !== trackNumber) continue
      const before = cues.at(-1)
      if (before !== undefined && time < before.time) rejectHeader('cues out of order')
      if (before?.time === time) continue
      const cluster = readUnsigned(fields.get(MATROSKA_ID.CueClusterPosition), 0)
      cues.push({ time, cluster, block: readUnsigned(fields.get(MATROSKA_ID.CueRelativePosition), 0) })
    }
  }
  return cues
}

/** Returns the latest timestamp of the track from the cluster of its last cue. */
function lastTimestampFromCue(
  source: HeaderSource,
  { segment, track, cue }: { segment: MatroskaSegment; track: MatroskaTrack; cue: Cue },
): number {
  const cluster = readElement(source, segment.dataStart + cue.cluster)
  if (cluster.id !== MATROSKA_ID.Cluster) rejectHeader('a cue that leads to something else')
  const last = readLastTimestamp(source, { firstCluster: cluster, end: segment.end }, track.number)
  return last === undefined || last < cue.time ? rejectHeader('a cue that leads to another place') : last
}
