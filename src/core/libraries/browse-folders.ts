import { dirname, normalize } from 'node:path'
import type { Config } from '../platform/config/index.ts'
import { statSubfolders, type DiskThreads, type Subfolder } from '../platform/files/index.ts'
import { pathSyntaxProblem, resolveRealPath, SYSTEM_FOLDERS } from './check-path.ts'
import { libraryErrors } from './errors.ts'

/** Limits of one response: entries that are read of a folder, and subfolders that are returned. */
const MAX_ENTRIES = 20_000
const MAX_FOLDERS = 1000

/** Clients have a timeout of 15 s. */
const SILENCE_LIMIT_MILLISECONDS = 10_000

export type BrowsedFolder = {
  /** Absolute path with links resolved; null for the root of the file system, which cannot be selected. */
  path: string | null
  parent: string | null
  folders: readonly Subfolder[]
  /** There are more folders than the limit. */
  isTruncated: boolean
}

/**
 * Lists the subfolders of a folder on this machine, for an administrator who selects the folders of a library. Excludes folders that the
 * process cannot list, `/proc`, `/sys`, `/dev` and the data directory. The caller checks authorisation.
 * @param input.path absolute; the root of the file system when it is absent or empty
 * @throws AppError `invalid_path`, `folder_not_found`, `folder_not_readable`, `folder_unavailable`
 */
export async function browseFolders(
  { config, diskThreads }: { config: Pick<Config, 'dataDirectory'>; diskThreads: DiskThreads },
  { path = '' }: { path?: string | undefined },
): Promise<BrowsedFolder> {
  const wanted = path === '' ? '/' : path
  const problem = pathSyntaxProblem(wanted)
  if (problem !== undefined) throw libraryErrors.invalid_path({ message: problem })
  const clean = normalize(wanted)
  const hidden = [...SYSTEM_FOLDERS, await resolveRealPath(config.dataDirectory)]
  const limits = { maxEntries: MAX_ENTRIES, maxFolders: MAX_FOLDERS }
  const result = await statSubfolders({ diskThreads }, { path: clean, hidden, ...limits }, SILENCE_LIMIT_MILLISECONDS)
  if ('code' in result) throw refusalOf(result.code, clean)
  const isRoot = result.path === '/'
  return {
    path: isRoot ? null : result.path,
    parent: isRoot ? null : dirname(result.path),
    folders: result.folders,
    isTruncated: result.isTruncated,
  }
}

function refusalOf(code: string, path: string): Error {
  switch (code) {
    case 'ENOENT':
      return libraryErrors.folder_not_found({ message: `${path} does not exist` })
    case 'ENOTDIR':
      return libraryErrors.invalid_path({ message: `${path} is not a folder` })
    case 'ELOOP':
      return libraryErrors.invalid_path({ message: `${path} is part of a loop of symbolic links` })
    case 'ENAMETOOLONG':
      return libraryErrors.invalid_path({ message: 'a name in the path is too long' })
    default:
      return libraryErrors.folder_not_readable({ message: `${path} cannot be listed` })
  }
}
