import { openItemFile } from '../catalogue/index.ts'
import type { GetLibraryPaths } from '../libraries/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { imageErrors, type PictureInput } from '../platform/images/index.ts'
import type { MediaTools } from '../platform/media-tools/index.ts'
import type { ReaderPool } from '../probing/index.ts'
import { artworkErrors } from './errors.ts'
import type { ArtworkSource } from './queries/artwork-sources.ts'

export type LocalPictureServices = {
  db: Connection
  getLibraryPaths: GetLibraryPaths
  mediaTools: MediaTools
  readers: ReaderPool
}

const LIMIT_SECONDS = 20

/** Equal to the limit for pictures in tags and books. */
const MAX_BYTES = 32 * 1024 * 1024

/** Reader errors caused by the file itself, not by the disk: a retry does not help. */
const NO_COVER_CODES: ReadonlySet<string> = new Set(['no_cover', 'empty_file', 'reader_failed'])

/**
 * A picture beside media or embedded in it. ffmpeg extracts it from films, the server's own readers from sound and books.
 * @throws AppError `picture_unreadable` for a file that is not a picture, `artwork_not_found`, the errors of opening files, `tool_missing`
 */
export async function openLocalPicture(services: LocalPictureServices, source: ArtworkSource): Promise<PictureInput> {
  const { path, libraryId, streamIndex } = source
  if (path === null || libraryId === null) throw artworkErrors.artwork_not_found()
  const opened = await openItemFile(services, { path, libraryId })
  if (source.source === 'file') return opened
  // The file was opened only to check that it is inside a library.
  await opened.handle.close()
  const bytes =
    streamIndex === null
      ? await readCover(services, opened)
      : await extractFromVideo(services, { path: opened.path, streamIndex })
  return { bytes }
}

async function readCover(
  { readers }: LocalPictureServices,
  { path, root }: { path: string; root: string },
): Promise<Uint8Array> {
  const reading = await readers.read({ as: 'cover', path, root, sizeBytes: 0, sidecars: [] })
  if (reading.kind === 'unreadable' && NO_COVER_CODES.has(reading.code)) {
    throw imageErrors.picture_unreadable({ message: reading.reason })
  }
  const cover = reading.kind === 'read' ? reading.facts.cover : undefined
  if (cover === undefined) throw artworkErrors.artwork_not_found()
  return cover
}

async function extractFromVideo(
  { mediaTools }: LocalPictureServices,
  { path, streamIndex }: { path: string; streamIndex: number },
): Promise<Uint8Array> {
  const options = { timeoutSeconds: LIMIT_SECONDS, maxBytes: MAX_BYTES }
  const taken = await mediaTools.extractPicture({ input: path, streamIndex }, options)
  // The disk failed, not the picture. A later request retries.
  if (taken.kind === 'fault') throw artworkErrors.artwork_not_found({ message: taken.fault.text })
  if (taken.kind === 'none')
    throw imageErrors.picture_unreadable({ message: 'ffmpeg could not extract a picture from the file' })
  return taken.bytes
}
