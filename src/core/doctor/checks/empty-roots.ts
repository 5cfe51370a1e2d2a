import { listLibraries } from '../../libraries/index.ts'
import { findUnavailableRoots } from '../../scanning/index.ts'
import type { DoctorCheck } from '../doctor-context.ts'
import { errorResult, problemsOrOk, type CheckResult } from '../finding.ts'
import { shellQuote } from '../shell-quote.ts'

/** An unmounted disk looks like an empty or missing folder. */
export const emptyRootsCheck: DoctorCheck = {
  id: 'empty-root',
  async runOnTables({ diskThreads }, { db }) {
    const problems: CheckResult[] = []
    for (const library of await listLibraries({ db })) {
      for (const { path, reason } of await findUnavailableRoots({ db, diskThreads }, library)) {
        problems.push(errorResult(`${path} of the library ${library.name}: ${reason}`, `mount ${shellQuote(path)}`))
      }
    }
    return problemsOrOk(problems, 'the folders of the libraries are there')
  },
}
