import { basename } from 'node:path'
import type { Account } from '../../core/accounts/index.ts'
import { listFolders } from '../../core/libraries/index.ts'
import type { Services } from '../../core/services.ts'

/** How a reader is shown the path of a file or folder of a library. */
export type ShowPath = (path: string) => string

/**
 * Administrators see paths as they are; everybody else what follows the folder of the library, and nothing of the machine.
 * @param reader null: came by a signature alone
 */
export async function pathsShownTo(
  services: Pick<Services, 'db'>,
  reader: Pick<Account, 'isAdmin'> | null,
): Promise<ShowPath> {
  if (reader?.isAdmin === true) return (path) => path
  const folders = await listFolders(services)
  return (path) => pathWithin(folders, path)
}

/** Of what lies in no folder, because the library has just been changed, the name. */
function pathWithin(folders: readonly string[], path: string): string {
  for (const folder of folders) {
    if (path === folder) return ''
    const start = folder.endsWith('/') ? folder : `${folder}/`
    if (path.startsWith(start)) return path.slice(start.length)
  }
  return basename(path)
}
