import { dirname, normalize } from 'node:path'
import type { Config } from '../platform/config/index.ts'
import { statSubfolders, type Subfolder } from '../platform/files/index.ts'
import { formProblem, realPathOf, SYSTEM_FOLDERS } from './check-path.ts'
import { libraryErrors } from './errors.ts'

/** What one answer may cost: entries that are read of a folder, and folders that are shown of them. */
const MAX_ENTRIES = 20_000
const MAX_FOLDERS = 1000

/** Existing clients wait 15 s for an answer. */
const SILENCE_LIMIT_MILLISECONDS = 10_000

export type BrowsedFolder = {
  /** Absolute, links followed; null for the root of the file system, which is not shown as a folder that can be chosen. */
  path: string | null
  parent: string | null
  folders: readonly Subfolder[]
  /** There are more than are shown. */
  isTruncated: boolean
}

/**
 * The folders in a folder of this machine, for an administrator who chooses the folders of a library. Only what the process itself may
 * list; never `/proc`, `/sys`, `/dev` and the data directory. The caller checks who asks.
 * @param input.path absolute; the root of the file system when it is absent or empty
 * @throws AppError `invalid_path`, `folder_not_found`, `folder_not_readable`, `folder_unavailable`
 */
export async function browseFolders(
  { config }: { config: Pick<Config, 'dataDirectory'> },
  { path = '' }: { path?: string | undefined },
): Promise<BrowsedFolder> {
  const wanted = path === '' ? '/' : path
  const problem = formProblem(wanted)
  if (problem !== undefined) throw libraryErrors.invalid_path({ message: problem })
  const clean = normalize(wanted)
  const hidden = [...SYSTEM_FOLDERS, await realPathOf(config.dataDirectory)]
  const limits = { maxEntries: MAX_ENTRIES, maxFolders: MAX_FOLDERS }
  const look = await statSubfolders({ path: clean, hidden, ...limits }, SILENCE_LIMIT_MILLISECONDS)
  if ('code' in look) throw refusalOf(look.code, clean)
  const isRoot = look.path === '/'
  return {
    path: isRoot ? null : look.path,
    parent: isRoot ? null : dirname(look.path),
    folders: look.folders,
    isTruncated: look.isTruncated,
  }
}

function refusalOf(code: string, path: string): Error {
  switch (code) {
    case 'ENOENT':
      return libraryErrors.folder_not_found({ message: `${path} does not exist` })
    case 'ENOTDIR':
      return libraryErrors.invalid_path({ message: `${path} is not a folder` })
    case 'ELOOP':
      return libraryErrors.invalid_path({ message: `${path} is a link that leads in a circle` })
    case 'ENAMETOOLONG':
      return libraryErrors.invalid_path({ message: 'a name in the path is too long' })
    default:
      return libraryErrors.folder_not_readable({ message: `${path} cannot be listed` })
  }
}
