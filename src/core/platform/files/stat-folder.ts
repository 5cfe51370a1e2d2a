import { withTimeLimit } from '../concurrency/index.ts'
import type { DiskThreads } from './disk-threads.ts'
import { systemErrorCode } from '../errors/index.ts'
import { fileErrors } from './errors.ts'
import type {
  FileStat,
  FolderStat,
  StatRequest,
  StatReply,
  SubfolderStat,
  SubfolderStatRequest,
} from './stat-messages.ts'

/** The default time limit for a disk operation: a network mount that hangs never responds. */
export const DISK_TIMEOUT_MILLISECONDS = 60_000

/** Links are resolved while a user waits. Without an answer the unresolved path is used. */
const TARGET_LIMIT_MILLISECONDS = 2000

/** Repeated requests of users must not leave a blocked thread each time. No further calls while this number of threads hangs. */
const MAX_HANGING = 3

/** Number of files per message to the thread, and so per time limit. */
const FILES_PER_REQUEST = 100

type Services = { diskThreads: DiskThreads }

/**
 * Reads facts about a folder in its own thread: a mount that hangs would block one of the few threads of Node's pool.
 * @throws AppError `folder_unavailable` when it is not a folder, cannot be listed or does not answer in time
 */
export async function statFolder(
  services: Services,
  path: string,
  silenceLimitMilliseconds = DISK_TIMEOUT_MILLISECONDS,
): Promise<FolderStat> {
  const report = await ask(services, { kind: 'folder', path }, { place: path, silenceLimitMilliseconds })
  if (report.kind !== 'folder') throw fileErrors.folder_unavailable({ message: messageOf(report, path) })
  return report.result
}

/**
 * Reads facts about files in such a thread. Links are followed; the results are in the order of the paths.
 * @throws AppError `folder_unavailable` when a disk does not answer in time
 */
export async function statFiles(
  services: Services,
  paths: readonly string[],
  silenceLimitMilliseconds = DISK_TIMEOUT_MILLISECONDS,
): Promise<FileStat[]> {
  const results: FileStat[] = []
  for (let start = 0; start < paths.length; start += FILES_PER_REQUEST) {
    const some = paths.slice(start, start + FILES_PER_REQUEST)
    const place = some[0] ?? ''
    const report = await ask(services, { kind: 'files', paths: some }, { place, silenceLimitMilliseconds })
    if (report.kind !== 'files') throw fileErrors.folder_unavailable({ message: messageOf(report, place) })
    results.push(...report.results)
  }
  return results
}

/**
 * Resolves the links of a path in such a thread.
 * @returns the path unchanged when it does not exist or its disk does not answer within 2 s
 */
export async function resolveTarget(services: Services, path: string): Promise<string> {
  try {
    refuseMoreHanging(services, path)
    const report = await ask(
      services,
      { kind: 'target', path },
      { place: path, silenceLimitMilliseconds: TARGET_LIMIT_MILLISECONDS },
    )
    return report.kind === 'target' ? report.real : path
  } catch (error) {
    if (systemErrorCode(error) === fileErrors.folder_unavailable.definition.code) return path
    throw error
  }
}

/**
 * Lists the subfolders of a folder in such a thread; `code` is the errno code when that fails.
 * @throws AppError `folder_unavailable` when the disk does not answer in time, or while three previous calls hang
 */
export async function statSubfolders(
  services: Services,
  request: SubfolderStatRequest,
  silenceLimitMilliseconds = DISK_TIMEOUT_MILLISECONDS,
): Promise<SubfolderStat | { code: string }> {
  refuseMoreHanging(services, request.path)
  const report = await ask(
    services,
    { kind: 'subfolders', ...request },
    { place: request.path, silenceLimitMilliseconds },
  )
  if (report.kind === 'subfolders') return report.result
  if (report.kind === 'failure' && report.code !== undefined) return { code: report.code }
  throw fileErrors.folder_unavailable({ message: messageOf(report, request.path) })
}

function refuseMoreHanging({ diskThreads }: Services, path: string): void {
  if (diskThreads.countHanging('stat') < MAX_HANGING) return
  throw fileErrors.folder_unavailable({
    message: `${path} was not read: ${MAX_HANGING} disks or network mounts of earlier requests do not answer`,
  })
}

function messageOf(report: StatReply, place: string): string {
  return report.kind === 'failure' ? report.message : `${place} cannot be read`
}

type StatLimits = { place: string; silenceLimitMilliseconds: number }

async function ask(
  { diskThreads }: Services,
  request: StatRequest,
  { place, silenceLimitMilliseconds }: StatLimits,
): Promise<StatReply> {
  const thread = diskThreads.acquire('stat')
  const { promise, resolve, reject } = Promise.withResolvers<StatReply>()
  thread.worker.on('message', resolve)
  thread.worker.on('error', reject)
  try {
    thread.worker.postMessage(request)
    const report = await withTimeLimit(promise, {
      milliseconds: silenceLimitMilliseconds,
      onTimeout: () => {
        const message = `${place} has not answered for ${silenceLimitMilliseconds / 1000} s`
        throw fileErrors.folder_unavailable({ message })
      },
    })
    thread.worker.off('message', resolve).off('error', reject)
    thread.release()
    return report
  } catch (error) {
    thread.discard()
    throw error
  }
}
