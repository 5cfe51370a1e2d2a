import { constants, copyFileSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { systemErrorCode } from '../errors/index.ts'
import { isMarkAlive, processMark } from './run-token.ts'

/** What the holder of a lock says about itself, for those who are refused. */
export type LockHolder = { pid: number; address: string }

export type ProcessLock = {
  /** Undefined when this process has the lock. */
  holder: LockHolder | undefined
  /** Gives the lock back; does nothing when it was refused. Idempotent. */
  release(): void
}

const ATTEMPTS = 20

/**
 * Takes a lock that one living process has at a time. It is a file with the mark of its process (id, start time, run): a process that was
 * killed, or whose id is another program's by now, holds nothing. The file comes into being whole, by a link, so that no other process
 * reads half of it. Processes of other machines or containers are not seen.
 * @param input.path of the file; its folder is made
 * @throws Error of the file system
 */
export function takeProcessLock({ path, address }: { path: string; address: string }): ProcessLock {
  const mark = processMark()
  const text = JSON.stringify({ mark, pid: process.pid, address })
  const [prepared, removed] = [`${path}.${mark}.new`, `${path}.${mark}.old`]
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(prepared, text)
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (tryLink(prepared, path)) return { holder: undefined, release: () => releaseOwn(path, text) }
      const held = readText(path)
      const holder = held === undefined ? undefined : livingHolder(held)
      if (holder !== undefined) return { holder, release: () => {} }
      if (held !== undefined) removeDead({ path, removed, held })
    }
    throw new Error(`${path} changes all the time`)
  } finally {
    rmSync(prepared, { force: true })
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    const code = systemErrorCode(error) ?? ''
    if (code === 'EEXIST') return false
    if (!WITHOUT_LINKS.has(code)) throw error
    return tryCopy(from, to)
  }
}

/** What file systems without hard links answer (exFAT, some network file systems). */
const WITHOUT_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

/** The second best: another process may read the file before it is whole, and takes it for that of no process. */
function tryCopy(from: string, to: string): boolean {
  try {
    copyFileSync(from, to, constants.COPYFILE_EXCL)
    return true
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false
    throw error
  }
}

/** Takes the file of a dead process away. When it was replaced in this moment, the living one is put back. */
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

/** Undefined for a process that is gone, and for a file that no process of ours has written. */
function livingHolder(text: string): LockHolder | undefined {
  try {
    const { mark, pid, address } = JSON.parse(text) as Record<string, unknown>
    if (typeof mark !== 'string' || typeof pid !== 'number' || typeof address !== 'string') return undefined
    return isMarkAlive(mark) ? { pid, address } : undefined
  } catch {
    return undefined
  }
}
