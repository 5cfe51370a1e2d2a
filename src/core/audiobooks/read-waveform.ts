import { hash } from 'node:crypto'
import { openItemFile } from '../catalogue/index.ts'
import type { GetLibraryPaths } from '../libraries/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { AppError } from '../platform/errors/index.ts'
import { readBookFiles } from './book-files.ts'
import { audiobookErrors } from './errors.ts'
import { getAudiobook } from './find-audiobook.ts'
import type { Waveforms } from './waveform/waveforms.ts'

/** `points`: equal time ranges of the book, 0 to 100; null while they are being computed. */
export type BookWaveform = { durationSeconds: number; points: number[] | null }

/**
 * The waveform of a book, which is computed once as long as its files do not change.
 * @throws AppError `audiobook_not_found`, `waveform_unavailable`
 */
export async function readWaveform(
  { db, getLibraryPaths, waveforms }: { db: Connection; getLibraryPaths: GetLibraryPaths; waveforms: Waveforms },
  id: string,
): Promise<BookWaveform> {
  const book = await getAudiobook({ db }, id)
  const files = await readBookFiles({ db }, book)
  const durationSeconds = files.at(-1)?.endSeconds ?? 0
  if (durationSeconds <= 0) throw audiobookErrors.waveform_unavailable()
  const stamps: string[] = []
  for (const { path } of files) stamps.push(await stampOf(getLibraryPaths, { path, libraryId: book.libraryId }))
  const key = hash('sha256', JSON.stringify(stamps))
  const points = await waveforms.find(key, { files, durationSeconds })
  return { durationSeconds, points: points ?? null }
}

/** Changes with the file. Opening proves that the path leads to a file of the library. */
async function stampOf(getLibraryPaths: GetLibraryPaths, file: { path: string; libraryId: string }): Promise<string> {
  try {
    await using handle = (await openItemFile({ getLibraryPaths }, file)).handle
    const { size, mtimeNs } = await handle.stat({ bigint: true })
    return `${file.path} ${size} ${mtimeNs}`
  } catch (error) {
    if (error instanceof AppError) throw audiobookErrors.waveform_unavailable({ cause: error })
    throw error
  }
}
