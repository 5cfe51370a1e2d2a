import type { Library, LibraryType } from '../../libraries/index.ts'
import type { ReadKind } from '../../probing/index.ts'
import type { ScanJob } from '../job/scan-job.ts'
import type { ScanServices } from '../job/scan-state.ts'
import { selectFolderPage } from '../queries/folders.ts'

/** The reading that most files of a library type need. */
const READ_AS: Readonly<Record<LibraryType, ReadKind>> = {
  movie: 'video',
  series: 'video',
  video: 'video',
  photo: 'photo',
  book: 'book',
  music: 'audio',
  audiobook: 'audiobook',
}

/**
 * Starts the reader threads of a library's first scan, so that they load their modules while the folders are checked and listed. A later
 * scan may have nothing to read.
 */
export async function prestartReaders(
  { db, readers }: Pick<ScanServices, 'db' | 'readers'>,
  { job, library }: { job: Pick<ScanJob, 'type'>; library: Pick<Library, 'id' | 'type'> },
): Promise<void> {
  if (job.type !== 'scan') return
  const known = await selectFolderPage(db, { libraryId: library.id, after: null, limit: 1 })
  if (known.length === 0) readers.prepare(READ_AS[library.type])
}
