import type { FfprobeOutput, FfprobeStream } from '../ffprobe-output.ts'
import type { HeaderSource } from './limit-header-reads.ts'
import { rejectHeader } from './unsupported-header.ts'
import { readElementContent, parseFields, readFloat, readText, readUnsigned } from './ebml.ts'
import { readAttachments } from './matroska-attachments.ts'
import { readFirstBlocks } from './matroska-blocks.ts'
import { readMatroskaChapters } from './matroska-chapters.ts'
import { MATROSKA_ID } from './matroska-ids.ts'
import { findSegment, type MatroskaSegment } from './matroska-segment.ts'
import { readMatroskaTags, setTag } from './matroska-tags.ts'
import { needsBlock, readMatroskaTracks, describeMatroskaTrack, type MatroskaTrack } from './matroska-tracks.ts'
import { formatChapterSeconds } from './raw-chapters.ts'

const NANOSECONDS_PER_SECOND = 1_000_000_000
const USUAL_SCALE = 1_000_000

/** Returns the facts that ffprobe reports about a Matroska or WebM file (RFC 9559), from its header alone. @throws UnsupportedHeader */
export function readMatroska(source: HeaderSource): FfprobeOutput {
  const segment = findSegment(source)
  const contents = (id: number) => (segment.parts.get(id) ?? []).map((part) => readElementContent(source, part))
  const info = parseFields(contents(MATROSKA_ID.Info)[0] ?? rejectHeader('a Matroska file without general facts'))
  const scale = readUnsigned(info.get(MATROSKA_ID.TimestampScale), USUAL_SCALE)
  const length =
    readFloat(info.get(MATROSKA_ID.Duration)) ?? rejectHeader('a Matroska file that does not tell its length')
  const durationSeconds = (length * scale) / NANOSECONDS_PER_SECOND
  if (!(durationSeconds > 0 && scale > 0)) rejectHeader('a Matroska file of an impossible length')
  const tags = readMatroskaTags(contents(MATROSKA_ID.Tags))
  setTag(tags.file, 'title', readText(info.get(MATROSKA_ID.Title)))
  const tracks = readMatroskaTracks(contents(MATROSKA_ID.Tracks))
  const streams = streamsOf(source, { segment, tracks, scale, tags: tags.tracks })
  const attachments = readAttachments(source, segment.parts.get(MATROSKA_ID.Attachments) ?? [], streams.length)
  return {
    format: {
      format_name: 'matroska,webm',
      start_time: startOf(streams),
      duration: formatChapterSeconds(durationSeconds),
      bit_rate: `${Math.floor((source.sizeBytes * 8) / durationSeconds)}`,
      tags: tags.file,
    },
    streams: [...streams, ...attachments],
    chapters: readMatroskaChapters(contents(MATROSKA_ID.Chapters), durationSeconds),
  }
}

type Streams = {
  segment: MatroskaSegment
  tracks: MatroskaTrack[]
  scale: number
  tags: ReadonlyMap<number, Record<string, string>>
}

function streamsOf(source: HeaderSource, { segment, tracks, scale, tags }: Streams): FfprobeStream[] {
  const firstCluster = segment.firstCluster ?? rejectHeader('a Matroska file without pictures and sound')
  const wanted = new Set(tracks.filter((track) => needsBlock(track)).map(({ number }) => number))
  const blocks = readFirstBlocks(source, { firstCluster, end: segment.end }, wanted)
  return tracks.map((track, index) => {
    const block = blocks.get(track.number)
    if (block === undefined && track.kind !== 'subtitle') rejectHeader('a track that begins late')
    return describeMatroskaTrack(track, { index, block, scale, tags: tags.get(track.uid) })
  })
}

/** Returns the start of video and audio. Subtitles are excluded, because they begin with the first dialogue. */
function startOf(streams: readonly FfprobeStream[]): string | undefined {
  const starts = streams.flatMap(({ start_time: start }) => (start === undefined ? [] : [Number(start)]))
  return starts.length === 0 ? undefined : formatChapterSeconds(Math.min(...starts))
}
