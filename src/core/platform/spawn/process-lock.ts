import {
  constants,
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { systemErrorCode } from '../errors/index.ts'
import { isInstanceAlive, processInstanceId } from './process-instance-id.ts'

/** The holder of a lock, for the message to processes that are refused. */
export type LockHolder = { pid: number; address: string }

export type ProcessLock = {
  /** Undefined when this process holds the lock. */
  holder: LockHolder | undefined
  /** Replaces the address that others read; does nothing when the lock was refused or is no longer held. */
  setAddress(address: string): void
  /** Releases the lock; does nothing when it was refused. Idempotent. */
  release(): void
}

const ATTEMPTS = 20

/**
 * Takes a lock that is held by at most one living process. It is a file with the instance id of the process (`processInstanceId`), so that
 * a dead process holds no lock, even if another process has its process id. The file is created atomically by a link. Processes of other
 * machines or containers are not detected.
 * @param input.path of the file; its folder is created
 * @throws Error of the file system
 */
export function acquireProcessLock({ path, address }: { path: string; address: string }): ProcessLock {
  const mark = processInstanceId()
  const text = JSON.stringify({ mark, pid: process.pid, address })
  const [prepared, removed] = [`${path}.${mark}.new`, `${path}.${mark}.old`]
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(prepared, text)
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (tryLink(prepared, path)) return ownLock(path, text)
      const held = readText(path)
      const holder = held === undefined ? undefined : livingHolder(held)
      if (holder !== undefined) return { holder, setAddress: () => {}, release: () => {} }
      if (held !== undefined) removeDead({ path, removed, held })
    }
    throw new Error(`${path} changes all the time`)
  } finally {
    rmSync(prepared, { force: true })
  }
}

function ownLock(path: string, first: string): ProcessLock {
  let text = first
  return {
    holder: undefined,
    setAddress(address) {
      if (readText(path) !== text) return
      const next = JSON.stringify({ ...(JSON.parse(text) as object), address })
      const draft = `${path}.${processInstanceId()}.new`
      writeFileSync(draft, next)
      renameSync(draft, path)
      text = next
    },
    release: () => releaseOwn(path, text),
  }
}

export type ProcessLockReport = {
  /** `dead`: its holder was killed; the next process takes it. */
  state: 'free' | 'held' | 'dead'
  holder: LockHolder | undefined
  /** When the lock was taken; undefined if the lock is free. */
  takenAt: Date | undefined
}

/** Reads a lock without taking it. */
export function readProcessLock(path: string): ProcessLockReport {
  const held = readText(path)
  const takenAt = statSync(path, { throwIfNoEntry: false })?.mtime
  if (held === undefined || takenAt === undefined) return { state: 'free', holder: undefined, takenAt: undefined }
  const holder = livingHolder(held)
  return { state: holder === undefined ? 'dead' : 'held', holder, takenAt }
}

/** Removes a lock whose holder was killed, unless a living process takes it at the same time. */
export function removeDeadLock(path: string): void {
  const held = readText(path)
  if (held === undefined || livingHolder(held) !== undefined) return
  removeDead({ path, removed: `${path}.${processInstanceId()}.old`, held })
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    const code = systemErrorCode(error) ?? ''
    if (code === 'EEXIST') return false
    if (!NO_LINK_SUPPORT_CODES.has(code)) throw error
    return tryCopy(from, to)
  }
}

/** Errors of file systems without hard links (exFAT, some network file systems). */
const NO_LINK_SUPPORT_CODES: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

/** Fallback without atomicity: another process may read a partial file, and treats it as the file of a dead process. */
function tryCopy(from: string, to: string): boolean {
  try {
    copyFileSync(from, to, constants.COPYFILE_EXCL)
    return true
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false
    throw error
  }
}

/** Removes the file of a dead process. A file of a living process that replaced it in the meantime is restored. */
function removeDead({ path, removed, held }: { path: string; removed: string; held: string }): void {
  try {
    renameSync(path, removed)
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return
    throw error
  }
  if (readText(removed) !== held) tryLink(removed, path)
  rmSync(removed, { force: true })
}

function releaseOwn(path: string, text: string): void {
  if (readText(path) === text) rmSync(path, { force: true })
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Undefined for a dead process, and for a file with other content. */
function livingHolder(text: string): LockHolder | undefined {
  try {
    const { mark, pid, address } = JSON.parse(text) as Record<string, unknown>
    if (typeof mark !== 'string' || typeof pid !== 'number' || typeof address !== 'string') return undefined
    return isInstanceAlive(mark) ? { pid, address } : undefined
  } catch {
    return undefined
  }
}
