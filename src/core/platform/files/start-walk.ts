import type { Worker } from 'node:worker_threads'
import type { MediaFileKind } from './content-types.ts'
import type { DiskThreads } from './disk-threads.ts'
import { fileErrors } from './errors.ts'
import { DISK_TIMEOUT_MILLISECONDS } from './stat-folder.ts'
import {
  unpackFiles,
  unpackFolders,
  type FolderListing,
  type PackedFiles,
  type WalkReply,
  type WalkRequest,
  type WalkReport,
} from './walk-messages.ts'
import type { InnerFolders, WalkedFile } from './walk-tree.ts'

/** Some hundred listed folders. Each batch must be answered with `filesOf`, with no indexes if necessary, before the walk can end. */
export type FolderBatch = {
  folders: FolderListing[]
  /** The files of the folders at these indexes, in the same order. Must be called once per batch. */
  filesOf(indexes: readonly number[]): Promise<WalkedFile[][]>
}

export type WalkInput = {
  /** Absolute path of the folder to walk. */
  root: string
  /** The kinds of files to list, by extension. */
  kinds: readonly MediaFileKind[]
  inner?: InnerFolders | undefined
  signal: AbortSignal
  /** Time without any response after which the walk fails: a network mount that hangs never responds. */
  silenceLimitMilliseconds?: number | undefined
}

/**
 * Walks a folder in its own thread, so that neither many files nor a mount that hangs block the process. Files are transferred only for
 * requested folders; at most a few batches are buffered.
 * @throws AppError `folder_unavailable` when the folder cannot be listed or stops answering; the signal's reason
 */
export async function* startWalk(
  { diskThreads }: { diskThreads: DiskThreads },
  input: WalkInput,
): AsyncGenerator<FolderBatch> {
  input.signal.throwIfAborted()
  const answers = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  const request: WalkRequest = { kind: 'walk', root: input.root, kinds: input.kinds, inner: input.inner, answers }
  const thread = diskThreads.acquire('walk')
  const { worker } = thread
  const mailbox = createMailbox(worker, input)
  let hasEnded = false
  try {
    worker.postMessage(request)
    for (;;) {
      const folders = await mailbox.takeFolders()
      if (folders === undefined) {
        hasEnded = true
        return
      }
      const listings = unpackFolders(folders)
      yield {
        folders: listings,
        async filesOf(indexes) {
          const answer: WalkReply = { batch: folders.batch, wanted: [...indexes] }
          worker.postMessage(answer)
          Atomics.add(new Int32Array(answers), 0, 1)
          Atomics.notify(new Int32Array(answers), 0)
          const packed = await mailbox.takeFiles(folders.batch)
          return unpackFiles(
            packed,
            indexes.map((index) => listings[index]?.path ?? ''),
          )
        },
      }
    }
  } finally {
    mailbox.close()
    if (hasEnded) thread.release()
    else thread.discard()
  }
}

type FoldersReport = Extract<WalkReport, { kind: 'folders' }>

/** Messages of the worker that are not consumed yet. */
function createMailbox(
  worker: Worker,
  { signal, root, silenceLimitMilliseconds = DISK_TIMEOUT_MILLISECONDS }: WalkInput,
) {
  const folders: FoldersReport[] = []
  const files = new Map<number, PackedFiles>()
  let hasEnded = false
  let failure: { error: unknown } | undefined
  let wake = (): void => {}
  const fail = (error: unknown): void => {
    failure ??= { error }
    wake()
  }
  const onAbort = (): void => fail(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  const onMessage = (report: WalkReport): void => {
    if (report.kind === 'folders') folders.push(report)
    else if (report.kind === 'files') files.set(report.batch, report)
    else if (report.kind === 'end') hasEnded = true
    else fail(fileErrors.folder_unavailable({ message: report.message }))
    wake()
  }
  worker.on('error', fail)
  worker.on('message', onMessage)

  /** Waits until `take` returns a value. The time limit applies only here: a worker that waits for an answer is not silent. */
  const until = async <Found>(take: () => Found | undefined): Promise<Found> => {
    for (;;) {
      const found = take()
      if (found !== undefined) return found
      if (failure !== undefined) throw failure.error
      const hasMessage = await nextMessage()
      if (!hasMessage) {
        const message = `${root} has not answered for ${silenceLimitMilliseconds / 1000} s`
        throw fileErrors.folder_unavailable({ message })
      }
    }
  }
  const nextMessage = (): Promise<boolean> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), silenceLimitMilliseconds)
      wake = () => {
        clearTimeout(timer)
        resolve(true)
      }
    })

  return {
    /** The next folders, or undefined at the end of the walk. */
    async takeFolders(): Promise<FoldersReport | undefined> {
      const found = await until(() => folders.shift() ?? (hasEnded ? 'end' : undefined))
      return found === 'end' ? undefined : found
    },
    takeFiles: (batch: number): Promise<PackedFiles> =>
      until(() => {
        const found = files.get(batch)
        files.delete(batch)
        return found
      }),
    close(): void {
      signal.removeEventListener('abort', onAbort)
      worker.off('error', fail).off('message', onMessage)
    },
  }
}
