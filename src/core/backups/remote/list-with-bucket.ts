import type { Config } from '../../platform/config/index.ts'
import { describeError } from '../../platform/errors/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { Outbound } from '../../platform/outbound/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { originalName } from '../folder/backup-file.ts'
import { listBackups, type ListedBackup } from '../folder/list-backups.ts'
import { hasBucket, openBucket } from './bucket.ts'
import { listBucketNames } from './list-bucket.ts'

type Dependencies = { config: Config; clock: Clock; log: Logger; outbound: Outbound }

const BUCKET_MILLISECONDS = 5000

/**
 * The backups of the server's folder, with a mark on backups that the bucket contains too. If the bucket does not answer within 5 s, no
 * backup is marked, so that the list does not depend on the bucket.
 */
export async function listWithBucket(needs: Dependencies, signal?: AbortSignal): Promise<ListedBackup[]> {
  const [backups, names] = await Promise.all([
    listBackups({ config: needs.config, signal }),
    hasBucket(needs.config) ? namesInBucket(needs, signal) : undefined,
  ])
  for (const backup of backups) backup.isInBucket = names?.get(originalName(backup)) === backup.bytes
  return backups
}

async function namesInBucket(needs: Dependencies, signal?: AbortSignal): Promise<Map<string, number> | undefined> {
  const limit = AbortSignal.timeout(BUCKET_MILLISECONDS)
  try {
    return await listBucketNames(openBucket(needs), AbortSignal.any([limit, ...(signal === undefined ? [] : [signal])]))
  } catch (error) {
    signal?.throwIfAborted()
    needs.log.warning({ reason: describeError(error) }, 'the backups of the bucket cannot be listed')
    return undefined
  }
}
