import { hash } from 'node:crypto'
import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads'
import { AppError, describeError } from '../errors/index.ts'
import {
  packFiles,
  packFolders,
  type FolderListing,
  type WalkReply,
  type WalkRequest,
  type WalkReport,
} from './walk-messages.ts'
import { walkTree, type WalkedFile, type WalkedFolder } from './walk-tree.ts'
import type { BackgroundThrottle } from '../threads/index.ts'

const FOLDERS_PER_BATCH = 200
const FILES_PER_BATCH = 4000
/** Number of batches whose files are kept until they are requested. It limits the memory of this thread. */
const MAX_OPEN_BATCHES = 4

/** Version of the hashed format. A change makes every folder look changed once. */
const LISTING_FORM = 'phlix-listing-2'

type OpenBatch = { number: number; files: WalkedFile[][] }

type WalkThread = { port: MessagePort; throttle: BackgroundThrottle }

/**
 * Walks a folder in a disk thread. Lists folders, hashes their listings, and sends files only for requested folders. All calls are
 * synchronous; the thread sleeps while too many batches wait for an answer. A thread has one user at a time, so that every message during a
 * walk is an answer.
 */
export function walkInThread({ root, kinds, inner, answers }: WalkRequest, { port, throttle }: WalkThread): void {
  const post = (report: WalkReport): void => port.postMessage(report)
  const answerCount = new Int32Array(answers)
  const open = new Map<number, OpenBatch>()
  let number = 0

  const answerNext = (): boolean => {
    const answer = receiveMessageOnPort(port)
    if (answer === undefined) return false
    const { batch, wanted } = answer.message as WalkReply
    const files = open.get(batch)?.files ?? []
    open.delete(batch)
    post(
      packFiles(
        batch,
        wanted.map((index) => files[index] ?? []),
      ),
    )
    return true
  }
  const settle = (maxOpen: number): void => {
    for (;;) {
      const seen = Atomics.load(answerCount, 0)
      while (answerNext());
      if (open.size <= maxOpen) return
      Atomics.wait(answerCount, 0, seen)
    }
  }
  const send = (folders: WalkedFolder[]): void => {
    number += 1
    open.set(number, { number, files: folders.map(({ files }) => files) })
    post(packFolders(number, folders.map(listingOf)))
    settle(MAX_OPEN_BATCHES)
  }

  try {
    for (const batch of batchesOf(walkTree(root, { kinds, inner }), throttle)) send(batch)
    settle(0)
    post({ kind: 'end' })
  } catch (error) {
    const code = error instanceof AppError ? error.code : 'unknown'
    post({ kind: 'failure', code, message: describeError(error) })
  }
}

function* batchesOf(
  folders: Iterable<WalkedFolder>,
  { yieldToRequests }: BackgroundThrottle,
): Generator<WalkedFolder[]> {
  let batch: WalkedFolder[] = []
  let fileCount = 0
  for (const folder of folders) {
    yieldToRequests()
    batch.push(folder)
    fileCount += folder.files.length
    if (batch.length < FOLDERS_PER_BATCH && fileCount < FILES_PER_BATCH) continue
    yield batch
    batch = []
    fileCount = 0
  }
  if (batch.length > 0) yield batch
}

function listingOf({ path, files, isComplete, isIgnored, problems }: WalkedFolder): FolderListing {
  const listingHash = isComplete ? hashListing(files, problems) : Buffer.alloc(32)
  return { path, listingHash, fileCount: files.length, isComplete, isIgnored, problems }
}

/** Problems are part of the hash, so that a name that cannot be opened is reported when it appears. */
function hashListing(files: readonly WalkedFile[], problems: FolderListing['problems']): Buffer {
  let text = LISTING_FORM
  for (const { name, sizeBytes, modifiedAtNanoseconds } of files) {
    text += `\0${name}\0${sizeBytes}\0${modifiedAtNanoseconds}`
  }
  for (const { path, code } of problems) text += `\0${code}\0${path}`
  return hash('sha256', text, 'buffer')
}
