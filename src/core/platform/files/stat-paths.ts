import { opendirSync, realpathSync, statSync } from 'node:fs'
import { describeError, systemErrorCode } from '../errors/index.ts'
import { listSubfolders } from './list-subfolders.ts'
import type { FileStat, FolderStat, StatRequest, StatReply } from './stat-messages.ts'

function statFolder(path: string): FolderStat {
  const { dev, ino } = statSync(path, { bigint: true })
  const directory = opendirSync(path)
  try {
    return { device: String(dev), inode: String(ino), isEmpty: directory.readSync() === null }
  } finally {
    directory.closeSync()
  }
}

function statFile(path: string): FileStat {
  try {
    return { kind: 'present', sizeBytes: statSync(path).size }
  } catch (error) {
    const code = systemErrorCode(error)
    return { kind: code === 'ENOENT' || code === 'ENOTDIR' ? 'absent' : 'unknown' }
  }
}

/** Answers a request about paths, in a disk thread: the calls may never return. */
export function statPaths(request: StatRequest): StatReply {
  try {
    if (request.kind === 'files') return { kind: 'files', results: request.paths.map(statFile) }
    if (request.kind === 'target') return { kind: 'target', real: realpathSync(request.path) }
    if (request.kind === 'subfolders') return { kind: 'subfolders', result: listSubfolders(request) }
    return { kind: 'folder', result: statFolder(request.path) }
  } catch (error) {
    return { kind: 'failure', message: describeError(error), code: systemErrorCode(error) }
  }
}
