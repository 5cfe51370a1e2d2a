import type { FfprobeOutput, FfprobeStream } from '../ffprobe-output.ts'
import type { HeaderSource } from './bounded-source.ts'
import { rejectHeader } from './unsupported-header.ts'
import { contentOf, fieldsOf, floatOf, textOf, unsignedOf } from './ebml.ts'
import { readAttachments } from './matroska-attachments.ts'
import { firstBlocks } from './matroska-blocks.ts'
import { readMatroskaChapters } from './matroska-chapters.ts'
import { ID } from './matroska-ids.ts'
import { findSegment, type Segment } from './matroska-segment.ts'
import { readMatroskaTags, setTag } from './matroska-tags.ts'
import { needsBlock, readTracks, trackStream, type Track } from './matroska-tracks.ts'
import { seconds } from './raw-chapters.ts'

const NANOSECONDS_PER_SECOND = 1_000_000_000
const USUAL_SCALE = 1_000_000

/** Returns the facts that ffprobe reports about a Matroska or WebM file (RFC 9559), from its header alone. @throws UnsupportedHeader */
export function readMatroska(source: HeaderSource): FfprobeOutput {
  const segment = findSegment(source)
  const contents = (id: number) => (segment.parts.get(id) ?? []).map((part) => contentOf(source, part))
  const info = fieldsOf(contents(ID.Info)[0] ?? rejectHeader('a Matroska file without general facts'))
  const scale = unsignedOf(info.get(ID.TimestampScale), USUAL_SCALE)
  const length = floatOf(info.get(ID.Duration)) ?? rejectHeader('a Matroska file that does not tell its length')
  const durationSeconds = (length * scale) / NANOSECONDS_PER_SECOND
  if (!(durationSeconds > 0 && scale > 0)) rejectHeader('a Matroska file of an impossible length')
  const tags = readMatroskaTags(contents(ID.Tags))
  setTag(tags.file, 'title', textOf(info.get(ID.Title)))
  const tracks = readTracks(contents(ID.Tracks))
  const streams = streamsOf(source, { segment, tracks, scale, tags: tags.tracks })
  const attachments = readAttachments(source, segment.parts.get(ID.Attachments) ?? [], streams.length)
  return {
    format: {
      format_name: 'matroska,webm',
      start_time: startOf(streams),
      duration: seconds(durationSeconds),
      bit_rate: `${Math.floor((source.sizeBytes * 8) / durationSeconds)}`,
      tags: tags.file,
    },
    streams: [...streams, ...attachments],
    chapters: readMatroskaChapters(contents(ID.Chapters), durationSeconds),
  }
}

type Streams = { segment: Segment; tracks: Track[]; scale: number; tags: ReadonlyMap<number, Record<string, string>> }

function streamsOf(source: HeaderSource, { segment, tracks, scale, tags }: Streams): FfprobeStream[] {
  const firstCluster = segment.firstCluster ?? rejectHeader('a Matroska file without pictures and sound')
  const wanted = new Set(tracks.filter((track) => needsBlock(track)).map(({ number }) => number))
  const blocks = firstBlocks(source, { firstCluster, end: segment.end }, wanted)
  return tracks.map((track, index) => {
    const block = blocks.get(track.number)
    if (block === undefined && track.kind !== 'subtitle') rejectHeader('a track that begins late')
    return trackStream(track, { index, block, scale, tags: tags.get(track.uid) })
  })
}

/** Returns the start of video and audio. Subtitles are excluded, because they begin with the first dialogue. */
function startOf(streams: readonly FfprobeStream[]): string | undefined {
  const starts = streams.flatMap(({ start_time: start }) => (start === undefined ? [] : [Number(start)]))
  return starts.length === 0 ? undefined : seconds(Math.min(...starts))
}
