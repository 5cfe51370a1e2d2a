import { enqueueEvent, type OutboxEvent } from '../../outbox/index.ts'
import type { Database } from '../../platform/database/index.ts'
import { describeError } from '../../platform/errors/index.ts'
import type { Logger } from '../../platform/logging/index.ts'
import type { Clock } from '../../platform/time/index.ts'

type Dependencies = { db: Database; clock: Clock; log: Logger }

type Place = 'folder' | 'bucket'

const MAX_REASON = 500

/** Tells webhooks and channels that a backup was made, or copied to the bucket. */
export async function reportCompleted(
  needs: Dependencies,
  { id, label, bytes, place }: { id: string; label: string | null; bytes: number; place: Place },
): Promise<void> {
  await report(needs, { event: 'backup.completed', backupId: id, label, sizeBytes: bytes, place })
}

/** Tells them that it failed. */
export async function reportFailed(
  needs: Dependencies,
  { place, error }: { place: Place; error: unknown },
): Promise<void> {
  await report(needs, { event: 'backup.failed', place, reason: describeError(error).slice(0, MAX_REASON) })
}

/** The backup counts, not its report: the schema may be older than this release, and the database may be what has failed. */
async function report({ db, clock, log }: Dependencies, facts: OutboxEvent): Promise<void> {
  try {
    await enqueueEvent(db, facts, clock.now())
  } catch (error) {
    log.warning({ event: facts.event, reason: describeError(error) }, 'an event of a backup could not be stored')
  }
}
