import { rename } from 'node:fs/promises'
import { open, type FileHandle } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../platform/config/index.ts'
import type { Database } from '../platform/database/index.ts'
import { freeSpaceBytes } from '../platform/files/index.ts'
import type { MediaTools } from '../platform/media-tools/index.ts'
import { listSegments, startTranscode, streamingErrors, type SegmentServer } from '../streaming/index.ts'
import {
  downloadFiles,
  downloadsDirectory,
  removeIntermediateFiles,
  resumeSegments,
  fileSizeOrZero,
  writeSegmentsState,
} from './download-files.ts'
import type { DownloadFiles, WrittenSegments } from './download-files.ts'
import type { Download } from './download.ts'
import { downloadErrors } from './errors.ts'
import { updateDownload } from './queries.ts'
import { findDownloadSource } from './request-download.ts'
import { removeDownloadsForSpace } from './sweep-downloads.ts'

/** Below all encoders of players. */
const NICENESS = 10
const BUSY_PAUSE_MILLISECONDS = 250
const REMUX_TIMEOUT_SECONDS = 3600

/** The film itself takes the last part of the progress. */
const PERCENT_OF_SEGMENTS = 98

export type MakeDownloadServices = Parameters<typeof startTranscode>[0] & {
  db: Database
  config: Pick<Config, 'dataDirectory' | 'options'>
  mediaTools: Pick<MediaTools, 'encode'>
  segments: Pick<SegmentServer, 'open' | 'counts'>
}

/**
 * Makes the file of a download from the segments of a transcode job, which are those that players get. One segment is requested at a time, and
 * none while a player waits. An interruption loses at most one segment.
 * @throws AppError `media_item_not_found`, `quality_unknown`, `not_transcodable`, `download_too_large`, `disk_space_low`, and the errors of
 * `startTranscode` and of segments; the reason of the signal
 */
export async function makeDownload(
  services: MakeDownloadServices,
  download: Download,
  signal: AbortSignal,
): Promise<void> {
  const { db, config } = services
  const { id, itemId, quality, sourceStamp } = download
  const { profile, stamp } = await findDownloadSource(services, { itemId, quality })
  // Asked for again meanwhile, or the next request finds that the film has changed.
  if (stamp !== sourceStamp) throw downloadErrors.download_not_found()
  const { job } = await startTranscode(services, { itemId, profile })
  const segments = await listSegments(services, { job, rendition: quality })
  if (segments === undefined) throw streamingErrors.stream_file_not_found()
  const files = downloadFiles(config, id)
  const store = async (status: Download['status'], percent: number, sizeBytes: number | null = null): Promise<void> => {
    const change = { id, sourceStamp, status, percent, sizeBytes, failure: null }
    if (!(await updateDownload(db, change))) throw downloadErrors.download_not_found()
  }
  let so = await resumeSegments(files, job.id)
  let percent = -1
  await using file = await open(files.segments, 'a', 0o600)
  for (const request of segments.slice(so.count)) {
    const reached = Math.floor((PERCENT_OF_SEGMENTS * so.count) / segments.length)
    if (reached > percent) await store('running', (percent = reached))
    await untilPlayersAreServed(services, signal)
    await removeDownloadsForSpace(services, { keepId: id, wantedBytes: so.bytes })
    so = await appendSegment({ file, files, so }, () => services.segments.open(request, signal))
  }
  await store('running', PERCENT_OF_SEGMENTS)
  await makeFilm(services, { id, files }, signal)
  await store('ready', 100, await fileSizeOrZero(files.film))
  await removeIntermediateFiles(files)
}

/** Waits until no player waits for a segment. */
async function untilPlayersAreServed(
  { segments }: { segments: Pick<SegmentServer, 'counts'> },
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted()
  while (segments.counts.wanted > 0) await pause(BUSY_PAUSE_MILLISECONDS, undefined, { signal })
}

/** Appends a segment to the file. The state is stored afterwards, so that it never names bytes that are not there. */
async function appendSegment(
  { file, files, so }: { file: FileHandle; files: DownloadFiles; so: WrittenSegments },
  openSegment: () => Promise<FileHandle>,
): Promise<WrittenSegments> {
  await using segment = await openSegment()
  const bytes = await segment.readFile()
  await file.appendFile(bytes)
  const next = { ...so, count: so.count + 1, bytes: so.bytes + bytes.length }
  await writeSegmentsState(files, next)
  return next
}

/** Puts the segments into one MP4 file whose index is at its beginning. Nothing is encoded. */
async function makeFilm(
  services: MakeDownloadServices,
  { id, files }: { id: string; files: DownloadFiles },
  signal: AbortSignal,
): Promise<void> {
  const { config, mediaTools } = services
  await removeDownloadsForSpace(services, { keepId: id, wantedBytes: 2 * (await fileSizeOrZero(files.segments)) })
  const floor = config.options['hls.min_disk_space_bytes']
  const wanted = (await fileSizeOrZero(files.segments)) + floor
  if ((await freeSpaceBytes(downloadsDirectory(config))) < wanted) throw streamingErrors.disk_space_low()
  const after = ['-map', '0:v?', '-map', '0:a?', '-c', 'copy', '-movflags', '+faststart', '-f', 'mp4']
  const { isComplete, stderrTail } = await mediaTools.encode(
    { input: files.segments, output: files.unfinished, after },
    { timeoutSeconds: REMUX_TIMEOUT_SECONDS, niceness: NICENESS, signal },
  )
  signal.throwIfAborted()
  if (!isComplete) throw streamingErrors.segment_failed({ cause: new Error(stderrTail.slice(-500)) })
  await rename(files.unfinished, files.film)
}
