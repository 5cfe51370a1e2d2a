import { opendirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isAtOrBelow } from './inside-root.ts'
import type { Subfolder, SubfolderStat, SubfolderStatRequest } from './stat-messages.ts'

/**
 * The folders directly in a folder, for who chooses one: links to folders too, hidden ones (`.name`) and those that the process may not
 * list left out. Synchronous, and a dead mount never answers: only for a thread of its own.
 * @throws the system error of realpath(3), opendir(3) or readdir(3); EACCES for a folder that is hidden
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
    const folder = lookAtSubfolder(join(real, name), hidden)
    if (folder !== undefined) folders.push({ name, ...folder })
  }
  return { path: real, folders, isTruncated: isCut }
}

/** Names of what may be a folder, sorted; of a folder of very many entries those that the file system tells first. */
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

/** Undefined for what is no folder, cannot be listed, leads in a circle or has a name that is not UTF-8. */
function lookAtSubfolder(path: string, hidden: readonly string[]): Omit<Subfolder, 'name'> | undefined {
  try {
    const real = realpathSync(path)
    if (hidden.some((folder) => isAtOrBelow(real, folder))) return undefined
    const { mtimeMs } = statSync(real)
    // It fails for what is no folder, too. access(2) would ask about the account that the process began with.
    opendirSync(real).closeSync()
    return { path, modifiedAtMilliseconds: mtimeMs }
  } catch {
    return undefined
  }
}
