import type { Config } from '../../platform/config/index.ts'
import { openObjectStorage, type ObjectStorage } from '../../platform/object-storage/index.ts'
import type { Outbound } from '../../platform/outbound/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { backupErrors } from '../errors.ts'

/** The bucket for copies of backups. */
export type Bucket = {
  storage: ObjectStorage
  /** Beginning of all keys. */
  prefix: string
  /** How long the removal of the parts of a failed upload may take. */
  cleanupMilliseconds: number
  /** `s3://BUCKET/KEY`, for people. */
  locationOf: (key: string) => string
}

type Dependencies = { config: Pick<Config, 'options'>; outbound: Outbound; clock: Clock }

/** Whether backups are copied to a bucket. */
export function hasBucket({ options }: Pick<Config, 'options'>): boolean {
  return options['backups.s3.bucket'] !== ''
}

/** Shorter times for tests and checks. */
type Times = { retryMilliseconds?: number; cleanupMilliseconds?: number }

/** An ending process waits for it. */
const CLEANUP_MILLISECONDS = 5000

/** @throws AppError `backup_no_bucket` if it is not configured */
export function openBucket(
  { config: { options }, outbound, clock }: Dependencies,
  { retryMilliseconds, cleanupMilliseconds = CLEANUP_MILLISECONDS }: Times = {},
): Bucket {
  const bucket = options['backups.s3.bucket']
  const accessKeyId = options['backups.s3.access_key_id']
  const secretAccessKey = options['backups.s3.secret_access_key'] ?? ''
  if (bucket === '') throw backupErrors.backup_no_bucket({ hint: 'Set backups.s3.bucket.' })
  if (accessKeyId === '' || secretAccessKey === '') {
    throw backupErrors.backup_no_bucket({
      message: `The access key of the bucket ${bucket} is not complete`,
      hint: 'Set backups.s3.access_key_id and backups.s3.secret_access_key.',
    })
  }
  const storage = openObjectStorage({
    outbound,
    clock,
    endpoint: options['backups.s3.endpoint'],
    region: options['backups.s3.region'],
    bucket,
    accessKeyId,
    secretAccessKey,
    retryMilliseconds,
  })
  return {
    storage,
    prefix: options['backups.s3.prefix'],
    cleanupMilliseconds,
    locationOf: (key) => `s3://${bucket}/${key}`,
  }
}
