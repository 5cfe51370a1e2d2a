import { takeDiskThread } from './disk-thread.ts'
import { fileErrors } from './errors.ts'
import type { FileLook, FolderLook, LookOrder, LookReport } from './look-messages.ts'

/** How long a disk may be silent: a network mount that hangs answers nothing at all (faults, F-14). */
export const SILENCE_LIMIT_MILLISECONDS = 60_000

/** So many files are looked at between two signs of life. */
const FILES_PER_LOOK = 100

/**
 * Looks at a folder in a thread of its own: a mount that hangs keeps that thread, where one of the few of Node's pool would be missing
 * to everybody else.
 * @throws AppError `folder_unavailable` when it is no folder, cannot be listed or does not answer in time
 */
export async function lookAtFolder(
  path: string,
  silenceLimitMilliseconds = SILENCE_LIMIT_MILLISECONDS,
): Promise<FolderLook> {
  const report = await ask({ kind: 'folder', path }, { place: path, silenceLimitMilliseconds })
  if (report.kind !== 'folder') throw fileErrors.folder_unavailable({ message: messageOf(report, path) })
  return report.look
}

/**
 * Looks at what paths lead to, links followed, in such a thread too; the answers come in the order of the paths.
 * @throws AppError `folder_unavailable` when a disk does not answer in time
 */
export async function lookAtFiles(
  paths: readonly string[],
  silenceLimitMilliseconds = SILENCE_LIMIT_MILLISECONDS,
): Promise<FileLook[]> {
  const looks: FileLook[] = []
  for (let start = 0; start < paths.length; start += FILES_PER_LOOK) {
    const some = paths.slice(start, start + FILES_PER_LOOK)
    const place = some[0] ?? ''
    const report = await ask({ kind: 'files', paths: some }, { place, silenceLimitMilliseconds })
    if (report.kind !== 'files') throw fileErrors.folder_unavailable({ message: messageOf(report, place) })
    looks.push(...report.looks)
  }
  return looks
}

function messageOf(report: LookReport, place: string): string {
  return report.kind === 'failure' ? report.message : `${place} cannot be looked at`
}

type Patience = { place: string; silenceLimitMilliseconds: number }

async function ask(order: LookOrder, { place, silenceLimitMilliseconds }: Patience): Promise<LookReport> {
  const thread = takeDiskThread('look')
  const { promise, resolve, reject } = Promise.withResolvers<LookReport>()
  const message = `${place} has not answered for ${silenceLimitMilliseconds / 1000} s`
  const timer = setTimeout(() => reject(fileErrors.folder_unavailable({ message })), silenceLimitMilliseconds)
  thread.worker.on('message', resolve)
  thread.worker.on('error', reject)
  try {
    thread.worker.postMessage(order)
    const report = await promise
    thread.worker.off('message', resolve).off('error', reject)
    thread.release()
    return report
  } catch (error) {
    thread.discard()
    throw error
  } finally {
    clearTimeout(timer)
  }
}
