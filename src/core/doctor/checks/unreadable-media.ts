import { sampleFiles } from '../../catalogue/index.ts'
import { listLibraries } from '../../libraries/index.ts'
import type { DoctorCheck } from '../doctor-context.ts'
import { problemsOrOk, warningResult } from '../finding.ts'
import { shellQuote } from '../shell-quote.ts'
import { findUnreadablePaths } from '../unreadable-paths.ts'

/** Number of files of all libraries together. */
const SAMPLE_SIZE = 200

/** A sample of the media files. `library:health` lists all files that the last scan could not read. */
export const unreadableCheck: DoctorCheck = {
  id: 'unreadable',
  async runOnTables({ serviceAccount }, { db }) {
    const libraries = await listLibraries({ db })
    const limit = Math.ceil(SAMPLE_SIZE / Math.max(1, libraries.length))
    const samples = await Promise.all(
      libraries.flatMap(({ id, paths }) => paths.map((below) => sampleFiles(db, { libraryId: id, below, limit }))),
    )
    const files = samples.flat().map(({ path }) => path)
    const closed = await findUnreadablePaths(files, { account: serviceAccount, need: 'read' })
    return problemsOrOk(
      closed.map((path) => warningResult(`${path} cannot be read`, `chmod a+r ${shellQuote(path)}`)),
      `${files.length} sampled files are readable`,
    )
  },
}
