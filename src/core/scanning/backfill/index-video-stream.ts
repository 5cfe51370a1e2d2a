import { AppError, describeError } from '../../platform/errors/index.ts'
import { mediaToolErrors } from '../../platform/media-tools/index.ts'
import { openInsideRoot } from '../../platform/files/index.ts'
import { ensureStreamIndex } from '../../streaming/index.ts'
import type { JobRun } from '../job/job-run.ts'

/** A background job may read a file of a hundred gigabytes completely. */
const INDEX_TIMEOUT_SECONDS = 1800

/**
 * Determines and stores the stream index of one video. Missing and unreadable files are skipped, because the index is only required for
 * copying.
 * @throws AppError `tool_missing`; the signal's reason
 */
export async function indexVideoStream(
  { services, roots, signal }: JobRun,
  {
    itemId,
    path,
    streamIndex,
    container,
  }: { itemId: string; path: string; streamIndex: number; container: string | null },
): Promise<void> {
  const root = roots.find((one) => path.startsWith(`${one.path}/`))?.path
  if (root === undefined) return
  try {
    const { size, mtimeNs } = await statInside(root, path)
    const file = { path, root, sizeBytes: Number(size), modifiedAtNanoseconds: mtimeNs.toString() }
    await ensureStreamIndex(
      services,
      { itemId, file, streamIndex, container, timeoutSeconds: INDEX_TIMEOUT_SECONDS },
      signal,
    )
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof AppError && error.code === mediaToolErrors.tool_missing.definition.code) throw error
    services.log.notice({ itemId, reason: describeError(error) }, 'the key frames could not be determined')
  }
}

async function statInside(root: string, path: string): Promise<{ size: bigint; mtimeNs: bigint }> {
  await using handle = await openInsideRoot(root, path)
  return handle.stat({ bigint: true })
}
