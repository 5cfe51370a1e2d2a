import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openItemFile } from '../catalogue/index.ts'
import type { Config } from '../platform/config/index.ts'
import type { Connection } from '../platform/database/index.ts'
import type { PictureInput } from '../platform/images/index.ts'
import type { MediaTools } from '../platform/media-tools/index.ts'
import type { ReaderPool } from '../probing/index.ts'
import { artworkErrors } from './errors.ts'
import type { ArtworkSource } from './queries/sources.ts'

export type LocalServices = { db: Connection; config: Config; mediaTools: MediaTools; readers: ReaderPool }

const LIMIT_SECONDS = 20

/**
 * A picture beside media or in it. Of films ffmpeg takes it out, of sound and books our own readers.
 * @throws AppError `artwork_not_found`, those of opening files, `tool_missing`
 */
export async function openLocalPicture(services: LocalServices, source: ArtworkSource): Promise<PictureInput> {
  const { path, libraryId, streamIndex } = source
  if (path === null || libraryId === null) throw artworkErrors.artwork_not_found()
  const opened = await openItemFile(services, { path, libraryId })
  if (source.source === 'file') return opened
  // Opening has proven that the file lies in a library.
  await opened.handle.close()
  const bytes =
    streamIndex === null
      ? await readCover(services, opened)
      : await takeFromFilm(services, { path: opened.path, streamIndex })
  return { bytes }
}

async function readCover(
  { readers }: LocalServices,
  { path, root }: { path: string; root: string },
): Promise<Uint8Array> {
  const reading = await readers.read({ as: 'cover', path, root, sizeBytes: 0, sidecars: [] })
  const cover = reading.kind === 'read' ? reading.facts.cover : undefined
  if (cover === undefined) throw artworkErrors.artwork_not_found()
  return cover
}

async function takeFromFilm(
  { config, mediaTools }: LocalServices,
  { path, streamIndex }: { path: string; streamIndex: number },
): Promise<Uint8Array> {
  const directory = join(config.dataDirectory, 'cache', 'artwork')
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const output = join(directory, `${randomUUID()}.part`)
  try {
    const after = ['-map', `0:${streamIndex}`, '-c', 'copy', '-frames:v', '1', '-f', 'image2', '-update', '1']
    const { isComplete } = await mediaTools.encode({ input: path, output, after }, { timeoutSeconds: LIMIT_SECONDS })
    if (!isComplete) throw artworkErrors.artwork_not_found()
    return await readFile(output)
  } finally {
    await rm(output, { force: true })
  }
}
