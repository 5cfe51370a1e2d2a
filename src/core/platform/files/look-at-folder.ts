import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { fileErrors } from './errors.ts'

export type FolderLook = {
  /** Decimal numbers of stat(2). */
  device: string
  inode: string
  isEmpty: boolean
}

export type LookReport = { kind: 'look'; look: FolderLook } | { kind: 'failure'; message: string }

/** How long a disk may be silent: a network mount that hangs answers nothing at all (faults, F-14). */
export const SILENCE_LIMIT_MILLISECONDS = 60_000

/**
 * Looks at a folder in a thread of its own: a mount that hangs keeps that thread, where one of the few of Node's pool would be missing
 * to everybody else.
 * @throws AppError `folder_unavailable` when it is no folder, cannot be listed or does not answer in time
 */
export async function lookAtFolder(
  path: string,
  silenceLimitMilliseconds = SILENCE_LIMIT_MILLISECONDS,
): Promise<FolderLook> {
  const worker = new Worker(new URL(`./look-worker${extname(import.meta.filename)}`, import.meta.url), {
    workerData: path,
  })
  let timer: NodeJS.Timeout | undefined
  try {
    const report = await new Promise<LookReport>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      const message = `${path} has not answered for ${silenceLimitMilliseconds / 1000} s`
      timer = setTimeout(() => resolve({ kind: 'failure', message }), silenceLimitMilliseconds)
    })
    if (report.kind === 'failure') throw fileErrors.folder_unavailable({ message: report.message })
    return report.look
  } finally {
    clearTimeout(timer)
    // Not awaited: a thread that waits for a dead mount ends when the mount answers.
    void worker.terminate()
  }
}
