import { basename } from 'node:path'
import type { Account } from '../../core/accounts/index.ts'
import { listAllLibraryFolders } from '../../core/libraries/index.ts'
import type { Services } from '../../core/services.ts'

/** Converts a path of a library's file or folder to the text that the user may see. */
export type FormatPath = (path: string) => string

/**
 * Administrators see full paths. Other users see the path relative to the library folder, and nothing about the machine.
 * @param reader null for a request that is authorised by a signature alone
 */
export async function createPathFormatter(
  services: Pick<Services, 'db'>,
  reader: Pick<Account, 'isAdmin'> | null,
): Promise<FormatPath> {
  if (reader?.isAdmin === true) return (path) => path
  const folders = await listAllLibraryFolders(services)
  return (path) => pathWithin(folders, path)
}

/** Returns the base name if no folder contains the path, which happens when the library has just been changed. */
function pathWithin(folders: readonly string[], path: string): string {
  for (const folder of folders) {
    if (path === folder) return ''
    const start = folder.endsWith('/') ? folder : `${folder}/`
    if (path.startsWith(start)) return path.slice(start.length)
  }
  return basename(path)
}
