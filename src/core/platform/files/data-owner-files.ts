import { closeSync, fsyncSync, lchownSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { systemErrorCode } from '../errors/index.ts'

/** Errors of file systems whose files have no owner of their own: exFAT, and shares of the network. */
const NO_OWNER_CODES: ReadonlySet<string> = new Set(['EPERM', 'EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'])

/** Gives a path to the owner of the data directory: what root creates must be readable by the account of the server. */
export function changeOwnerToDataOwner(dataDirectory: string, path: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(dataDirectory)
  try {
    lchownSync(path, uid, gid)
  } catch (error) {
    if (!NO_OWNER_CODES.has(systemErrorCode(error) ?? '')) throw error
  }
}

/** Creates a folder and its missing parent folders, for the owner of the data directory. Existing folders are not changed. */
export function createOwnedFolder(dataDirectory: string, folder: string, mode: number): void {
  const first = mkdirSync(folder, { recursive: true, mode })
  if (first === undefined) return
  for (let path = folder; path.length >= first.length; path = dirname(path)) changeOwnerToDataOwner(dataDirectory, path)
}

/** Writes the entries of a folder to the disk, which makes renames in it permanent (fsync(2)). */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
