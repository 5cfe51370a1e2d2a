import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { CommandFailure } from './phlix.ts'

const EXIT_IO = 74
const EXIT_DENIED = 77
const MEBIBYTE = 2 ** 20

/** Space for a new database: 70 MiB when it is empty, and its write-ahead log. */
const NEW_DATABASE_BYTES = 200 * MEBIBYTE

/** Required free space on the disk of the data directory. */
export type SpaceRequirement = {
  dataDirectory: string
  /** Bytes that the server always leaves free: `hls.min_disk_space_bytes`. */
  floorBytes: number
}

/**
 * Checks that this account can create the data directory or write into it.
 * @throws CommandFailure with exit code 77
 */
export function requireWritable(dataDirectory: string): void {
  const reason = writeProblem(nearestFolder(dataDirectory))
  if (reason === undefined) return
  const message = `The data directory ${dataDirectory} cannot be used: ${reason}; choose another one with --data-dir.`
  throw new CommandFailure({ code: 'denied', message, exit: EXIT_DENIED })
}

function writeProblem(folder: string): string | undefined {
  if (!statSync(folder).isDirectory()) return `${folder} is not a folder`
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'EROFS' ? `${folder} is on a read-only disk` : `this account may not write into ${folder} (${code})`
  }
}

/**
 * Checks that the disk has enough space for the server, and for the database if there is none.
 * @throws CommandFailure with exit code 74
 */
export function requireSpace({ dataDirectory, floorBytes }: SpaceRequirement): void {
  const databaseBytes = existsSync(`${dataDirectory}/postgres`) ? 0 : NEW_DATABASE_BYTES
  const freeBytes = freeSpaceBytes(dataDirectory)
  if (freeBytes >= floorBytes + databaseBytes) return
  const parts = [`${mebibytes(floorBytes)} MiB always stay free (hls.min_disk_space_bytes)`]
  if (databaseBytes > 0) parts.push(`a new database takes ${mebibytes(databaseBytes)} MiB`)
  const message =
    `The disk of ${dataDirectory} has ${mebibytes(freeBytes)} MiB free, and ${mebibytes(floorBytes + databaseBytes)} MiB are needed: ` +
    `${parts.join(', and ')}; free some space, or choose another disk with --data-dir.`
  throw new CommandFailure({ code: 'disk_full', message, exit: EXIT_IO })
}

function freeSpaceBytes(path: string): number {
  const { bavail, bsize } = statfsSync(nearestFolder(path))
  return bavail * bsize
}

/** The folder itself, or its nearest existing parent. */
function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path))
}

function mebibytes(bytes: number): number {
  return Math.floor(bytes / MEBIBYTE)
}
