import type { ByteSource } from '../../platform/files/index.ts'
import { AppError } from '../../platform/errors/index.ts'
import type { ProbedFile } from '../probed-file.ts'
import type { StreamIndex } from '../stream-index.ts'
import { toProbedFile } from '../to-probed-file.ts'
import { limitHeaderReads, type HeaderSource } from './limit-header-reads.ts'
import { UnsupportedHeader, rejectHeader } from './unsupported-header.ts'
import { openIsoMovie, readIsoMedia, type OpenIsoMovie } from './iso-bmff.ts'
import { checkIndexTimes } from './check-stream-index-times.ts'
import { readIsoIndex } from './iso-stream-index.ts'
import { readMatroska } from './matroska.ts'

/**
 * The facts from the headers, or the reason why the caller must use ffprobe instead. `tags` are the tags of the whole file, by ffprobe's
 * names. `index` is present for H.264 video in MP4, whose tables are part of the header.
 */
export type HeaderReadResult =
  | {
      file: ProbedFile
      tags: Readonly<Record<string, string>>
      index: StreamIndex | undefined
      unsupportedReason: undefined
    }
  | { file: undefined; unsupportedReason: string }

const EBML_START = 0x1a_45_df_a3

/**
 * Reads the contents of a Matroska, WebM, MP4, M4A, M4B or QuickTime file from its headers, in a few reads and without a process. The
 * result equals the result of `probeFile`. Anything damaged, hostile or not fully understood is rejected. `path` only selects among the
 * names of one container.
 * @throws AppError `file_unreadable` if the device reports an error
 */
export function readContainerHeaders(source: ByteSource, path: string): HeaderReadResult {
  try {
    const bounded = limitHeaderReads(source)
    const movie = isMatroska(bounded) ? undefined : openIsoMovie(bounded)
    const output = movie === undefined ? readMatroska(bounded) : readIsoMedia(bounded, movie)
    const file = toProbedFile(output, path)
    const index = movie === undefined ? undefined : indexOf(bounded, movie, file)
    return { file, tags: output.format.tags, index, unsupportedReason: undefined }
  } catch (error) {
    if (error instanceof UnsupportedHeader) return { file: undefined, unsupportedReason: error.message }
    if (error instanceof AppError && error.code === 'unreadable_media')
      return { file: undefined, unsupportedReason: error.message }
    throw error
  }
}

/**
 * Returns the index of H.264 video; other codecs are never copied. In Matroska the index is after the media data and is read at the first
 * playback.
 */
function indexOf(source: HeaderSource, movie: OpenIsoMovie, { source: film }: ProbedFile): StreamIndex | undefined {
  if (film?.videoCodec !== 'h264') return undefined
  try {
    return checkIndexTimes(readIsoIndex(source, film.videoStreamIndex, movie))
  } catch (error) {
    if (error instanceof UnsupportedHeader) return undefined
    throw error
  }
}

/** Returns whether a file is Matroska. Other files are treated as ISO base media, which has no signature. @throws UnsupportedHeader */
export function isMatroska(source: HeaderSource): boolean {
  if (source.sizeBytes < 16) rejectHeader('too short for a header')
  return Buffer.from(source.read(0, 4)).readUInt32BE() === EBML_START
}
