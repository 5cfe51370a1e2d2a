import { constants } from 'node:fs'
import { access, opendir, realpath, stat } from 'node:fs/promises'
import { isAbsolute, normalize } from 'node:path'
import { describeError, systemErrorCode } from '../platform/errors/index.ts'
import { isAtOrBelow } from '../platform/files/index.ts'
import { libraryErrors, invalidPathError } from './errors.ts'

/** Linux's PATH_MAX without the terminating NUL. */
const MAX_PATH_BYTES = 4095

/** Kernel pseudo file systems; they hold no media. */
export const SYSTEM_FOLDERS = ['/proc', '/sys', '/dev']

/**
 * Checks that a path may be a library folder and can be listed now.
 * @returns the path without `.`, `..` and trailing slashes; symbolic links are not resolved
 * @throws AppError `invalid_path` with the reason as message and `details.path`
 */
export async function checkLibraryPath(path: string, dataDirectory: string): Promise<string> {
  const problem = pathSyntaxProblem(path)
  if (problem !== undefined) throw refusal(path, problem)
  const clean = normalize(path).replace(/(?<=.)\/+$/, '')
  const real = await resolveFolder(clean)
  const problemOfLocation =
    locationProblem(clean, dataDirectory) ?? locationProblem(real, await resolveRealPath(dataDirectory))
  if (problemOfLocation !== undefined) throw refusal(path, problemOfLocation)
  await checkReadable(clean)
  return clean
}

/** The reason why a text cannot be the path of a folder; undefined when it can. */
export function pathSyntaxProblem(path: string): string | undefined {
  if (path.includes('\0') || !path.isWellFormed()) return 'the path contains characters that are not allowed in paths'
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return `the path is longer than ${MAX_PATH_BYTES} bytes`
  if (!isAbsolute(path)) return 'the path must be absolute'
  return undefined
}

function locationProblem(path: string, dataDirectory: string): string | undefined {
  if (path === '/') return 'the root of the file system cannot be a library'
  const system = SYSTEM_FOLDERS.find((folder) => isAtOrBelow(path, folder))
  if (system !== undefined) return `${system} cannot be a library`
  // Folders above the data directory are refused as well: a scan would treat the segments and pictures of the server as media.
  if (isAtOrBelow(path, dataDirectory) || isAtOrBelow(dataDirectory, path)) {
    return "the server's own data directory cannot be part of a library"
  }
  return undefined
}

async function resolveFolder(path: string): Promise<string> {
  try {
    const real = await realpath(path)
    if (!(await stat(real)).isDirectory()) throw refusal(path, 'the path is not a directory')
    return real
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') throw refusal(path, 'the path does not exist', error)
    throw asRefusal(path, error)
  }
}

async function checkReadable(path: string): Promise<void> {
  try {
    await access(path, constants.R_OK | constants.X_OK)
    await (await opendir(path)).close()
  } catch (error) {
    throw asRefusal(path, error)
  }
}

/** Resolves symbolic links; a path that does not exist is returned unchanged. */
export async function resolveRealPath(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}

function asRefusal(path: string, error: unknown): Error {
  const isOurs = error instanceof Error && systemErrorCode(error) === libraryErrors.invalid_path.definition.code
  return isOurs ? error : refusal(path, `the path cannot be read: ${describeError(error)}`, error)
}

function refusal(path: string, reason: string, cause?: unknown): Error {
  return invalidPathError(reason, { path }, { message: `${path}: ${reason}`, cause })
}
