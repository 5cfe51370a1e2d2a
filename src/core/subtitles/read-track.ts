import { openItemFile, type MediaItemDetail } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { decodeSubtitle } from './decode-text.ts'
import type { EmbeddedTexts } from './embedded-texts.ts'
import { subtitleErrors } from './errors.ts'
import { LARGEST_TEXT_BYTES } from './extract-texts.ts'
import { readCues } from './formats/read-cues.ts'
import { writeWebVtt } from './formats/write-webvtt.ts'
import { listSubtitleTracks } from './list-tracks.ts'
import type { SubtitleTrack } from './subtitle-track.ts'
import { originMicroseconds, type StreamClock } from './clock-origin.ts'

type Services = { db: Connection; subtitles: EmbeddedTexts }

export type SubtitleRequest = {
  item: MediaItemDetail
  /** `SubtitleTrack.index` */
  index: number
  /** The clock of a job of streaming, whose zero is the first video frame; null for that of a player that opens the file itself. */
  clock: StreamClock | null
}

/**
 * The text of one track of an item as WebVTT; on the clock of a stream it is also a segment of HLS. What is inside a film is read out at
 * the first request and kept.
 * @throws AppError `subtitle_not_found`, `subtitle_in_progress`, `subtitle_unavailable`, `subtitle_too_large`, and those of opening the file
 */
export async function readSubtitleTrack(services: Services, { item, index, clock }: SubtitleRequest): Promise<string> {
  const tracks = await listSubtitleTracks(services, item)
  const track = tracks.find((one) => one.index === index)
  if (track === undefined) throw subtitleErrors.subtitle_not_found()
  const bytes = await (track.path === null
    ? readEmbedded(services, item, { track, tracks })
    : readSidecar(services, { path: track.path, libraryId: item.libraryId }))
  const cues = await readCues(decodeSubtitle(bytes, track.language))
  const origin = originMicroseconds(item, { source: track.source, clock })
  return writeWebVtt(cues, { shiftMilliseconds: -Math.round(origin / 1000), hasStreamClock: clock !== null })
}

async function readEmbedded(
  { db, subtitles }: Services,
  item: MediaItemDetail,
  { track, tracks }: { track: SubtitleTrack; tracks: readonly SubtitleTrack[] },
): Promise<Uint8Array> {
  const { handle, path } = await openItemFile({ db }, item)
  await using file = handle
  const { size, mtimeNs } = await file.stat({ bigint: true })
  const streams = tracks.flatMap(({ streamIndex, codec }) => (streamIndex === null ? [] : [{ streamIndex, codec }]))
  return subtitles.read({ path, stamp: `${size} ${mtimeNs}`, streams, wanted: track.streamIndex ?? -1 })
}

async function readSidecar(
  { db }: Services,
  { path, libraryId }: { path: string; libraryId: string },
): Promise<Uint8Array> {
  const { handle } = await openItemFile({ db }, { path, libraryId })
  await using file = handle
  const { size } = await file.stat()
  if (size > LARGEST_TEXT_BYTES) throw subtitleErrors.subtitle_too_large()
  const bytes = Buffer.alloc(size)
  const { bytesRead } = await file.read(bytes, 0, size, 0)
  return bytes.subarray(0, bytesRead)
}
