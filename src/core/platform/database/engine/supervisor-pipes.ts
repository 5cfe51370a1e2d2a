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
import { runEngineSetupProgram } from './run-engine-setup-program.ts'

/**
 * A supervisor has a folder with three named pipes. Only `lease` ever carries data. The pipes show which processes are alive, because
 * the kernel closes them when their process ends, however it ends:
 *
 * - `lease`: every process that needs the database opens it for writing; only the supervisor reads it;
 * - `keeper`: only the supervisor opens it for writing; the lease holders read end-of-file when the supervisor dies;
 * - `server`: likewise for the server and all of its processes.
 */
const PIPES = ['lease', 'keeper', 'server'] as const

/** The use of the engine by one process. */
export type SupervisorLease = {
  /** Resolves when the supervisor or the server has died; never after `release`. */
  readonly lost: Promise<void>
  /** Releases the lease. Idempotent. */
  release(): void
}

const WRITE = constants.O_WRONLY | constants.O_NONBLOCK
const READ = constants.O_RDONLY | constants.O_NONBLOCK
const LEASE_LINE = 'lease\n'
const FOLDER_PREFIX = 'keeper-'

/** Creates the folder of a new supervisor. Other processes cannot find it before `publish`. */
export async function createSupervisorPipes(paths: EnginePaths, account: RunAccount | undefined): Promise<string> {
  const folder = mkdtempSync(join(paths.sockets, FOLDER_PREFIX))
  try {
    if (account !== undefined) chownSync(folder, account.uid, account.gid)
    const pipes = PIPES.map((name) => join(folder, name))
    await runEngineSetupProgram({
      program: 'mkfifo',
      arguments: ['-m', '600', ...pipes],
      account,
      dataDirectory: paths.dataDirectory,
    })
    return folder
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

export type FirstSupervisorLease = SupervisorLease & {
  /** Makes the supervisor available to other processes. False while it or its server is not running yet. */
  publish(paths: EnginePaths): boolean
}

/** The lease of the process that is about to start the supervisor of the folder. `publish` turns it into an ordinary lease. */
export function createFirstSupervisorLease(folder: string): FirstSupervisorLease {
  const { descriptor, readers } = openAll(folder)
  const lease = createLease(descriptor, readers)
  return {
    ...lease,
    publish(paths) {
      if (!readers.every(hasWriter)) return false
      const link = `${folder}.link`
      symlinkSync(basename(folder), link)
      renameSync(link, paths.supervisor)
      writeSync(descriptor, LEASE_LINE)
      removeDeadFolders(paths, folder)
      return true
    },
  }
}

/** Opens all pipes or none: another process may remove the folder at any time. */
function openAll(folder: string): { descriptor: number; readers: number[] } {
  const opened: number[] = []
  const open = (name: (typeof PIPES)[number], flags: number): number => {
    const descriptor = openSync(join(folder, name), flags)
    opened.push(descriptor)
    return descriptor
  }
  try {
    // Opening a pipe for writing only fails while it has no reader.
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

/**
 * Acquires a lease from the supervisor that was published last. Undefined when there is none, or when it or its server is dead or stopping.
 */
export function acquireSupervisorLease(paths: EnginePaths): SupervisorLease | undefined {
  const opened: number[] = []
  const open = (name: (typeof PIPES)[number], flags: number): number => {
    const descriptor = openSync(join(paths.supervisor, name), flags)
    opened.push(descriptor)
    return descriptor
  }
  try {
    const lease = open('lease', WRITE)
    const readers = [open('keeper', READ), open('server', READ)]
    writeSync(lease, LEASE_LINE)
    // A supervisor that is about to stop has already renamed the pipe. One that renames it later reads this line before it stops.
    if (readers.every(hasWriter) && isSameFile(lease, join(paths.supervisor, 'lease')))
      return createLease(lease, readers)
  } catch (error) {
    if (!NO_SUPERVISOR_CODES.has(systemErrorCode(error) ?? '')) {
      for (const descriptor of opened) closeSync(descriptor)
      throw error
    }
  }
  for (const descriptor of opened) closeSync(descriptor)
  return undefined
}

/** The folder is missing; the pipe has no reader; the reader has just ended. */
const NO_SUPERVISOR_CODES = new Set(['ENOENT', 'ENXIO', 'EPIPE'])

function isSameFile(descriptor: number, path: string): boolean {
  const [opened, named] = [fstatSync(descriptor), statSync(path)]
  return opened.ino === named.ino && opened.dev === named.dev
}

/** Reading a pipe without a writer returns end-of-file; with a writer it would block. */
function hasWriter(descriptor: number): boolean {
  try {
    readSync(descriptor, Buffer.alloc(1))
    return false
  } catch (error) {
    if (systemErrorCode(error) === 'EAGAIN') return true
    throw error
  }
}

function createLease(lease: number, readers: readonly number[]): SupervisorLease {
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

/**
 * Removes the folders of killed supervisors. The server of this process runs, so a supervisor that is just starting cannot succeed and may
 * lose its folder.
 */
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
