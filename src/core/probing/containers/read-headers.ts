import type { ByteSource } from '../../platform/files/index.ts'
import { AppError } from '../../platform/errors/index.ts'
import type { FfprobeOutput } from '../ffprobe-output.ts'
import type { ProbedFile } from '../probed-file.ts'
import { probedFileOf } from '../probed-output.ts'
import { boundSource, type HeaderSource } from './bounded-source.ts'
import { Doubt, doubt } from './doubt.ts'
import { readIsoMedia } from './iso-bmff.ts'
import { readMatroska } from './matroska.ts'

/** `tags` are those of the whole file, by ffprobe's names. With doubt the caller asks ffprobe; the reason is for its log. */
export type HeaderReading =
  | { file: ProbedFile; tags: Readonly<Record<string, string>>; doubt: undefined }
  | { file: undefined; doubt: string }

const EBML_START = 0x1a_45_df_a3

/**
 * What a Matroska, WebM, MP4, M4A, M4B or QuickTime file holds, read from its headers in a few reads and without a process.
 * Equal to what `probeFile` answers; whatever is not fully understood, damaged or hostile is doubt. `path` only decides between
 * names of one container.
 * @throws AppError `file_unreadable` when the device answers with an error
 */
export function readHeaders(source: ByteSource, path: string): HeaderReading {
  try {
    const output = readContainer(boundSource(source))
    return { file: probedFileOf(output, path), tags: output.format.tags, doubt: undefined }
  } catch (error) {
    if (error instanceof Doubt) return { file: undefined, doubt: error.message }
    if (error instanceof AppError && error.code === 'unreadable_media') return { file: undefined, doubt: error.message }
    throw error
  }
}

function readContainer(source: HeaderSource): FfprobeOutput {
  return isMatroska(source) ? readMatroska(source) : readIsoMedia(source)
}

/** Otherwise it is taken for an ISO base media file, which has no mark of its own. @throws Doubt */
export function isMatroska(source: HeaderSource): boolean {
  if (source.sizeBytes < 16) doubt('too short for a header')
  return Buffer.from(source.read(0, 4)).readUInt32BE() === EBML_START
}
