import {
  backupErrors,
  backupFolder,
  hasBucket,
  listBucketNames,
  newestArchive,
  openBucket,
} from '../../backups/index.ts'
import { AppError, describeError } from '../../platform/errors/index.ts'
import { objectStorageErrors } from '../../platform/object-storage/index.ts'
import type { DoctorCheck, DoctorContext } from '../doctor-context.ts'
import { okResult, warningResult, type CheckResult } from '../finding.ts'
import { shellQuote } from '../shell-quote.ts'

const LIMIT_MILLISECONDS = 4000
/** How long the newest backup may be missing in the bucket: a server checks every ten minutes. */
const TOLERANCE_MILLISECONDS = 3_600_000

/** Whether the bucket of `backups.s3` responds, and has the newest backup with its size. */
export const backupBucketCheck: DoctorCheck = {
  id: 'backup-bucket',
  async run(context) {
    const { config, clock, phlix } = context
    if (!hasBucket(config)) return okResult('no bucket is configured')
    try {
      const names = await listBucketNames(
        openBucket(context, { retryMilliseconds: 100 }),
        AbortSignal.timeout(LIMIT_MILLISECONDS),
      )
      const newest = await newestArchive(backupFolder(config), clock)
      if (newest === undefined || names.get(newest.name) === newest.bytes)
        return okResult('the bucket has the newest backup')
      if (clock.now().getTime() - newest.time.getTime() < TOLERANCE_MILLISECONDS) return okResult('the bucket answers')
      const fix = phlix(`backup:upload ${newest.name} --quiet`)
      const problem = names.has(newest.name) ? 'has only a part of' : 'does not have'
      return [warningResult(`the bucket ${problem} the newest backup ${newest.name}`, fix)]
    } catch (error) {
      return problemOf(context, error)
    }
  },
}

function problemOf({ config, phlix }: DoctorContext, error: unknown): CheckResult[] {
  const text = `backups cannot be copied to the bucket ${config.options['backups.s3.bucket']}: ${describeError(error)}`
  return [warningResult(text, fixOf(error) ?? phlix('backup:list --remote'))]
}

/**
 * The command that fixes an error. Undefined if only an administrator can decide: then the command that shows the error again is printed.
 */
function fixOf(error: unknown): string | undefined {
  if (!(error instanceof AppError)) return undefined
  if (error.code === objectStorageErrors.storage_clock.definition.code) return 'timedatectl set-ntp true'
  const { region } = error.details
  if (error.code === objectStorageErrors.storage_wrong_region.definition.code && typeof region === 'string') {
    return `export PHLIX_S3_REGION=${shellQuote(region)}`
  }
  if (error.code === backupErrors.backup_no_bucket.definition.code) return `export PHLIX_S3_BUCKET=''`
  return undefined
}
