import { listItemParts, openItemFile, type MediaItemDetail } from '../catalogue/index.ts'
import type { GetLibraryPaths } from '../libraries/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { decodeSubtitle } from './decode-subtitle.ts'
import type { EmbeddedSubtitleReader } from './embedded-subtitle-reader.ts'
import { subtitleErrors } from './errors.ts'
import { MAX_TEXT_BYTES } from './extract-subtitle-texts.ts'
import type { Cue } from './formats/cue.ts'
import { readCues } from './formats/read-cues.ts'
import { writeWebVtt } from './formats/write-webvtt.ts'
import { listSubtitleTracks } from './list-tracks.ts'
import { findContinuingTrack } from './find-continuing-track.ts'
import { selectDownloadedText } from './providers/queries.ts'
import { parseDownloadLocator, type SubtitleTrack } from './subtitle-track.ts'
import { originMicroseconds, type StreamClock } from './clock-origin.ts'

type Services = { db: Connection; getLibraryPaths: GetLibraryPaths; subtitles: EmbeddedSubtitleReader }

/** The text of one file of a film, and the start of that file. */
export type SubtitleFilePart = {
  item: MediaItemDetail
  /** `SubtitleTrack.index` */
  index: number
  /** The clock of a streaming job, whose zero is the first video frame; null for a player that opens the file itself. */
  clock: StreamClock | null
  startMicroseconds: number
}

type PiecesOptions = {
  /** Stream clock at the zero of the first text, which an HLS segment announces; null for a standalone text. */
  streamClockTicks: number | null
  /** Start of the period: only cues that begin within the period are returned. */
  fromMicroseconds?: number
  untilMicroseconds?: number
}

/**
 * Returns the text of a track of an item as WebVTT. For a film of several files, the texts of all files with the track are joined on the
 * timeline of the whole film. Embedded text is extracted at the first request and cached.
 * @throws AppError `subtitle_not_found`, `subtitle_in_progress`, `subtitle_unavailable`, `subtitle_too_large`, and the errors of opening
 * the file
 */
export async function readItemSubtitle(
  services: Services,
  { item, index }: { item: MediaItemDetail; index: number },
): Promise<string> {
  const tracks = await listSubtitleTracks(services, item)
  const track = tracks.find((one) => one.index === index)
  if (track === undefined) throw subtitleErrors.subtitle_not_found()
  const pieces: SubtitleFilePart[] = [{ item, index, clock: null, startMicroseconds: 0 }]
  let startSeconds = item.fileSeconds ?? 0
  for (const part of await listItemParts(services, item.id)) {
    const same = findContinuingTrack(track, tracks, await listSubtitleTracks(services, part))
    if (same !== undefined) {
      const startMicroseconds = Math.round(startSeconds * 1_000_000)
      pieces.push({ item: part, index: same.index, clock: null, startMicroseconds })
    }
    startSeconds += part.fileSeconds ?? 0
  }
  return joinSubtitleFiles(services, pieces, { streamClockTicks: null })
}

/**
 * Combines texts in sequence to one WebVTT. A cue must begin before the next text begins. If the following files have no text, cues
 * continue, because the text may belong to the whole film. Only files within the requested period are read.
 * @throws as `readItemSubtitle`
 */
export async function joinSubtitleFiles(
  services: Services,
  pieces: readonly SubtitleFilePart[],
  { streamClockTicks, fromMicroseconds, untilMicroseconds }: PiecesOptions,
): Promise<string> {
  const [from, until] = [(fromMicroseconds ?? 0) / 1000, (untilMicroseconds ?? Infinity) / 1000]
  const cues: Cue[] = []
  for (const [index, piece] of pieces.entries()) {
    const earliest = piece.startMicroseconds / 1000
    const end = (pieces[index + 1]?.startMicroseconds ?? Infinity) / 1000
    // The file is outside the requested period. It is skipped, because reading takes long and may fail.
    if (end <= Math.round(from) || Math.round(earliest) >= Math.round(until)) continue
    for (const cue of await readPieceCues(services, piece)) {
      // Cues that end before their file begins are dropped; cues that begin before it begin with it.
      if (cue.startMilliseconds >= end || cue.endMilliseconds <= earliest) continue
      cues.push({ ...cue, startMilliseconds: Math.max(cue.startMilliseconds, Math.round(earliest)) })
    }
  }
  const shown = cues.filter(({ startMilliseconds: start }) => start >= Math.round(from) && start < Math.round(until))
  return writeWebVtt(shown, { shiftMilliseconds: 0, streamClockTicks })
}

/** Returns the cues of one file on the clock of the film. */
async function readPieceCues(
  services: Services,
  { item, index, clock, startMicroseconds }: SubtitleFilePart,
): Promise<Cue[]> {
  const tracks = await listSubtitleTracks(services, item)
  const track = tracks.find((one) => one.index === index)
  if (track === undefined) throw subtitleErrors.subtitle_not_found()
  const bytes = await (track.path === null
    ? readEmbedded(services, item, { track, tracks })
    : readSeparate(services, item, track.path))
  const cues = await readCues(decodeSubtitle(bytes, track.language))
  const origin = originMicroseconds(item, { source: track.source, clock })
  const shift = Math.round((startMicroseconds - origin) / 1000)
  return cues.map(({ startMilliseconds, endMilliseconds, text, settings }) => {
    return { startMilliseconds: startMilliseconds + shift, endMilliseconds: endMilliseconds + shift, text, settings }
  })
}

async function readEmbedded(
  { getLibraryPaths, subtitles }: Services,
  item: MediaItemDetail,
  { track, tracks }: { track: SubtitleTrack; tracks: readonly SubtitleTrack[] },
): Promise<Uint8Array> {
  const { handle, path } = await openItemFile({ getLibraryPaths }, item)
  await using file = handle
  const { size, mtimeNs } = await file.stat({ bigint: true })
  const streams = tracks.flatMap(({ streamIndex, codec }) => (streamIndex === null ? [] : [{ streamIndex, codec }]))
  return subtitles.read({ path, stamp: `${size} ${mtimeNs}`, streams, wanted: track.streamIndex ?? -1 })
}

async function readSeparate(services: Services, { id: itemId, libraryId }: MediaItemDetail, path: string) {
  const id = parseDownloadLocator(path)
  if (id === undefined) return readSidecar(services, { path, libraryId })
  const text = await selectDownloadedText(services.db, { itemId, id })
  if (text === undefined) throw subtitleErrors.subtitle_not_found()
  return text
}

async function readSidecar(
  { getLibraryPaths }: Services,
  { path, libraryId }: { path: string; libraryId: string },
): Promise<Uint8Array> {
  const { handle } = await openItemFile({ getLibraryPaths }, { path, libraryId })
  await using file = handle
  const { size } = await file.stat()
  if (size > MAX_TEXT_BYTES) throw subtitleErrors.subtitle_too_large()
  const bytes = Buffer.alloc(size)
  const { bytesRead } = await file.read(bytes, 0, size, 0)
  return bytes.subarray(0, bytesRead)
}
