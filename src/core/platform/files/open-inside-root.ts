import { constants, realpath, open, readlink, stat, type FileHandle } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { fileErrors } from './errors.ts'
import { toFileError } from './file-error.ts'
import { addTrailingSlash } from './inside-root.ts'

/**
 * Opens a regular file for reading and verifies that it is inside `root`. The path may contain symbolic links if their targets are inside.
 * Both paths are absolute. The caller closes the handle.
 *
 * The check uses the open descriptor (`/proc/self/fd`), so that a file that is replaced by a link between check and open is refused as
 * well. Pipes, sockets and devices are never opened.
 * @throws AppError `file_not_found`, `path_outside_root`, `not_a_regular_file`, `file_unreadable`
 */
export async function openInsideRoot(root: string, absolutePath: string): Promise<FileHandle> {
  let handle: FileHandle | undefined
  try {
    const inside = addTrailingSlash(await realpath(root))
    const target = isAbsolute(absolutePath) ? await realpath(absolutePath) : ''
    if (!target.startsWith(inside)) throw fileErrors.path_outside_root()
    if (!(await stat(target)).isFile()) throw fileErrors.not_a_regular_file()
    // Non-blocking: the file may have been replaced by a pipe without a writer.
    handle = await open(target, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
    if (!(await handle.stat()).isFile()) throw fileErrors.not_a_regular_file()
    const opened = await readlink(`/proc/self/fd/${handle.fd}`)
    if (!opened.startsWith(inside)) throw fileErrors.path_outside_root()
    return handle
  } catch (error) {
    await handle?.close()
    throw toFileError(error)
  }
}
