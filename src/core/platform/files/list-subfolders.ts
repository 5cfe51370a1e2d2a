import { opendirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isAtOrBelow } from './inside-root.ts'
import type { Subfolder, SubfolderStat, SubfolderStatRequest } from './stat-messages.ts'

/**
 * The immediate subfolders of a folder, for a folder picker. Includes links to folders; excludes hidden folders (`.name`) and folders that
 * the process may not list. Synchronous, and a dead mount never responds, so it must run in its own thread.
 * @throws the system error of realpath(3), opendir(3) or readdir(3); EACCES for a hidden folder
 */
export function listSubfolders({ path, hidden, maxEntries, maxFolders }: SubfolderStatRequest): SubfolderStat {
  const real = realpathSync(path)
  if (hidden.some((folder) => isAtOrBelow(real, folder))) {
    throw Object.assign(new Error('the folder is never shown'), { code: 'EACCES' })
  }
  const { names, isCut } = readNames(real, maxEntries)
  const folders: Subfolder[] = []
  for (const [index, name] of names.entries()) {
    if (folders.length === maxFolders) return { path: real, folders, isTruncated: index < names.length || isCut }
    const folder = statSubfolder(join(real, name), hidden)
    if (folder !== undefined) folders.push({ name, ...folder })
  }
  return { path: real, folders, isTruncated: isCut }
}

/** Sorted names of entries that may be folders. For a very large folder: the first entries that the file system returns. */
function readNames(path: string, maxEntries: number): { names: string[]; isCut: boolean } {
  const names: string[] = []
  const directory = opendirSync(path)
  try {
    for (let count = 0; ; count += 1) {
      const entry = directory.readSync()
      if (entry === null) return { names: names.toSorted(), isCut: false }
      if (count === maxEntries) return { names: names.toSorted(), isCut: true }
      if (!entry.name.startsWith('.') && (entry.isDirectory() || entry.isSymbolicLink())) names.push(entry.name)
    }
  } finally {
    directory.closeSync()
  }
}

/** Undefined for an entry that is not a folder, cannot be listed, is a link loop or has a name that is not UTF-8. */
function statSubfolder(path: string, hidden: readonly string[]): Omit<Subfolder, 'name'> | undefined {
  try {
    const real = realpathSync(path)
    if (hidden.some((folder) => isAtOrBelow(real, folder))) return undefined
    const { mtimeMs } = statSync(real)
    // Fails for non-folders too. access(2) would check the real user id instead of the effective one.
    opendirSync(real).closeSync()
    return { path, modifiedAtMilliseconds: mtimeMs }
  } catch {
    return undefined
  }
}
