import {
  closeSync,
  constants,
  fstatSync,
  mkdtempSync,
  openSync,
  chownSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeSync,
} from 'node:fs'
import { Socket } from 'node:net'
import { basename, join } from 'node:path'
import { systemErrorCode } from '../../errors/index.ts'
import type { RunAccount } from '../../spawn/index.ts'
import type { EnginePaths } from './engine-paths.ts'
import { runToEnd } from './run-to-end.ts'

/**
 * A keeper has a folder with three named pipes. Nothing but `lease` ever carries bytes; what counts is who has them open, because the
 * kernel closes them with their process, however that dies:
 *
 * - `lease`: every process that needs the database writes to it, the keeper alone reads;
 * - `keeper`: the keeper alone writes, the holders of leases read the end of the file when the keeper dies;
 * - `server`: the same for the server and all of its processes.
 */
const PIPES = ['lease', 'keeper', 'server'] as const

/** A process's claim on the engine. */
export type Lease = {
  /** Resolves when the keeper or the server has died; never after `release`. */
  readonly lost: Promise<void>
  /** Gives it back. Idempotent. */
  release(): void
}

const WRITE = constants.O_WRONLY | constants.O_NONBLOCK
const READ = constants.O_RDONLY | constants.O_NONBLOCK
const LEASE_LINE = 'lease\n'
const FOLDER_PREFIX = 'keeper-'

/** Makes the folder of a new keeper. Joiners do not find it before `publish`. */
export async function makePipes(paths: EnginePaths, account: RunAccount | undefined): Promise<string> {
  const folder = mkdtempSync(join(paths.sockets, FOLDER_PREFIX))
  try {
    if (account !== undefined) chownSync(folder, account.uid, account.gid)
    const pipes = PIPES.map((name) => join(folder, name))
    await runToEnd({ program: 'mkfifo', arguments: ['-m', '600', ...pipes], account })
    return folder
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

export type FirstLease = Lease & {
  /** Lets other processes find the keeper; false while it or its server is not there yet. */
  publish(paths: EnginePaths): boolean
}

/** The lease of the process that is about to start the keeper of the folder; it becomes an ordinary one by `publish`. */
export function holdFirst(folder: string): FirstLease {
  const { descriptor, readers } = openAll(folder)
  const lease = hold(descriptor, readers)
  return {
    ...lease,
    publish(paths) {
      if (!readers.every(hasWriter)) return false
      const link = `${folder}.link`
      symlinkSync(basename(folder), link)
      renameSync(link, paths.keeper)
      writeSync(descriptor, LEASE_LINE)
      removeDeadFolders(paths, folder)
      return true
    },
  }
}

/** All or none: another process may remove the folder at any time. */
function openAll(folder: string): { descriptor: number; readers: number[] } {
  const opened: number[] = []
  const open = (name: (typeof PIPES)[number], flags: number): number => {
    const descriptor = openSync(join(folder, name), flags)
    opened.push(descriptor)
    return descriptor
  }
  try {
    // Without a reader the pipe cannot be opened for writing alone.
    const both = openSync(join(folder, 'lease'), constants.O_RDWR)
    try {
      return { descriptor: open('lease', WRITE), readers: [open('keeper', READ), open('server', READ)] }
    } finally {
      closeSync(both)
    }
  } catch (error) {
    for (const descriptor of opened) closeSync(descriptor)
    throw error
  }
}

/** A lease from the keeper that was published last; undefined when there is none, or when it or its server is dead or stopping. */
export function takeLease(paths: EnginePaths): Lease | undefined {
  const opened: number[] = []
  const open = (name: (typeof PIPES)[number], flags: number): number => {
    const descriptor = openSync(join(paths.keeper, name), flags)
    opened.push(descriptor)
    return descriptor
  }
  try {
    const lease = open('lease', WRITE)
    const readers = [open('keeper', READ), open('server', READ)]
    writeSync(lease, LEASE_LINE)
    // A keeper that is about to stop has renamed the pipe; one that renames it from now on reads the line before it stops.
    if (readers.every(hasWriter) && isSameFile(lease, join(paths.keeper, 'lease'))) return hold(lease, readers)
  } catch (error) {
    if (!MEANS_NO_KEEPER.has(systemErrorCode(error) ?? '')) {
      for (const descriptor of opened) closeSync(descriptor)
      throw error
    }
  }
  for (const descriptor of opened) closeSync(descriptor)
  return undefined
}

/** No folder; no reader of the pipe; a reader that ended a moment ago. */
const MEANS_NO_KEEPER = new Set(['ENOENT', 'ENXIO', 'EPIPE'])

function isSameFile(descriptor: number, path: string): boolean {
  const [opened, named] = [fstatSync(descriptor), statSync(path)]
  return opened.ino === named.ino && opened.dev === named.dev
}

/** Reading what has no writer is the end of the file; with a writer it would block. */
function hasWriter(descriptor: number): boolean {
  try {
    readSync(descriptor, Buffer.alloc(1))
    return false
  } catch (error) {
    if (systemErrorCode(error) === 'EAGAIN') return true
    throw error
  }
}

function hold(lease: number, readers: readonly number[]): Lease {
  let isHeld = true
  const sockets = readers.map((fd) => new Socket({ fd, readable: true, writable: false }))
  const lost = new Promise<void>((resolve) => {
    for (const socket of sockets) {
      socket.on('error', () => socket.destroy())
      socket.once('close', () => isHeld && resolve())
      socket.resume()
    }
  })
  return {
    lost,
    release() {
      if (!isHeld) return
      isHeld = false
      closeSync(lease)
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Folders of keepers that were killed. Our server runs, so a keeper that is just starting cannot succeed and may lose its folder. */
function removeDeadFolders(paths: EnginePaths, own: string): void {
  for (const name of readdirSync(paths.sockets)) {
    const folder = join(paths.sockets, name)
    if (!name.startsWith(FOLDER_PREFIX) || folder === own || hasReader(join(folder, 'lease'))) continue
    rmSync(folder, { recursive: true, force: true })
  }
}

function hasReader(pipe: string): boolean {
  try {
    closeSync(openSync(pipe, WRITE))
    return true
  } catch {
    return false
  }
}
