import { dirname } from 'node:path'
import { listAllLibraryFolders } from '../../libraries/index.ts'
import { findProgram } from '../../platform/spawn/index.ts'
import type { DoctorCheck, DoctorContext } from '../doctor-context.ts'
import { errorResult, problemsOrOk, type CheckResult } from '../finding.ts'
import { shellQuote } from '../shell-quote.ts'
import { findUnreadablePaths } from '../unreadable-paths.ts'
import { pluralize } from '../../platform/errors/index.ts'

/** Whether the account of the server can read the folders of the libraries. */
export const rootsCheck: DoctorCheck = {
  id: 'roots',
  async runOnTables(context, { db }) {
    const folders = await listAllLibraryFolders({ db })
    const account = context.serviceAccount
    const closed = await findUnreadablePaths(folders, { account, need: 'read' })
    const above = await findUnreadablePaths([...new Set(folders.flatMap(foldersAbove))], { account, need: 'traverse' })
    const problems: CheckResult[] = [
      ...above.map((path) => errorResult(`${path} is closed to ${nameOf(context)}`, openCommand(context, path, 'x'))),
      ...closed
        .filter((path) => !above.some((folder) => path.startsWith(`${folder}/`)))
        .map((path) => errorResult(`${path} cannot be read by ${nameOf(context)}`, openCommand(context, path, 'rX'))),
    ]
    return problemsOrOk(problems, pluralize(folders.length, 'readable folder'))
  },
}

function foldersAbove(path: string): string[] {
  const parent = dirname(path)
  return parent === path || parent === '/' ? [] : [parent, ...foldersAbove(parent)]
}

function nameOf({ serviceAccount }: DoctorContext): string {
  return serviceAccount === undefined ? 'this account' : (serviceAccount.name ?? `uid ${serviceAccount.uid}`)
}

/** Access control lists open a folder for one account only; without them it is opened for all. */
function openCommand({ serviceAccount }: DoctorContext, path: string, rights: 'x' | 'rX'): string {
  const recursive = rights === 'rX' ? '-R ' : ''
  const user = serviceAccount?.name ?? serviceAccount?.uid ?? process.getuid?.()
  return findProgram('setfacl') === null
    ? `chmod ${recursive}a+${rights} ${shellQuote(path)}`
    : `setfacl ${recursive}-m u:${user}:${rights} ${shellQuote(path)}`
}
