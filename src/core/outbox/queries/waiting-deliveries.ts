import { sql, type FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import { IdRow, type Connection } from '../../platform/database/index.ts'
import { OutboxEventFacts, type OutboxEvent } from '../outbox-event.ts'
import { MAX_WAIT_MILLISECONDS, TARGET_KINDS, type Delivery, type AttemptResult, type TargetKind } from '../delivery.ts'

const TargetRow = z.strictObject({ targetId: z.string() })
const DroppedRow = z.strictObject({ id: z.string(), count: z.number() })

const ClaimedRow = z.strictObject({
  id: z.string(),
  targetId: z.string(),
  kind: z.enum(TARGET_KINDS),
  facts: OutboxEventFacts,
  occurredAt: z.date(),
  attempts: z.number(),
  attemptsAllowed: z.number().nullable(),
  targetFailures: z.number(),
  claimedUntil: z.date(),
})

const claimedColumns = sql.fragment`
  d.id, d.target_id, t.kind, d.facts, d.occurred_at, d.attempts, d.attempts_allowed,
  t.failures_in_a_row as target_failures, d.claimed_until`

/**
 * Attempts to report a play, about one in 32 seconds while the service is down: an outage of three days loses nothing. Nobody can send the
 * report again by hand.
 */
const SCROBBLE_ATTEMPTS = 10_000

/** Inserts one delivery for each active target that subscribes to the event. A target of an account receives only events of the main profile of that account. */
export async function insertDeliveriesForSubscribers(
  connection: Connection,
  { facts, now }: { facts: OutboxEvent; now: Date },
): Promise<void> {
  const at = sql.timestamp(now)
  const ownerId = 'userId' in facts && !('profileId' in facts) ? facts.userId : null
  await connection.query(sql.unsafe`
    insert into deliveries (target_id, facts, occurred_at, next_attempt_at, attempts_allowed)
    select id, ${JSON.stringify(facts)}::jsonb, ${at}, ${at}, case kind when 'scrobbler' then ${SCROBBLE_ATTEMPTS}::int end
    from delivery_targets
    where is_active and events @> array[${facts.event}] and (user_id is null or user_id::text = ${ownerId})
    order by created_at, id`)
}

/** Whether an active target subscribes to an event. */
export async function hasSubscribers(connection: Connection, event: OutboxEvent['event']): Promise<boolean> {
  return connection.exists(sql.unsafe`
    select 1 from delivery_targets where is_active and events @> array[${event}]`)
}

/** Inserts a claimed delivery to one target, regardless of its subscriptions, with one allowed attempt. */
export async function insertClaimedDelivery(
  connection: Connection,
  row: { targetId: string; facts: OutboxEvent; now: Date; claimedUntil: Date },
): Promise<Delivery> {
  const at = sql.timestamp(row.now)
  return connection.one(sql.type(ClaimedRow)`
    with d as (
      insert into deliveries (target_id, facts, occurred_at, attempts_allowed, next_attempt_at, claimed_until)
      values (${row.targetId}, ${JSON.stringify(row.facts)}::jsonb, ${at}, 1, ${at}, ${sql.timestamp(row.claimedUntil)})
      returning *)
    select ${claimedColumns} from d join delivery_targets t on t.id = d.target_id`)
}

/** Targets with a due, unclaimed delivery that are not paused, longest waiting first. */
export async function selectDueTargets(
  connection: Connection,
  { now, limit, except }: { now: Date; limit: number; except: readonly string[] },
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(TargetRow)`
    select target_id from deliveries
    where status = 'pending' and ${isDue(now)} and ${isUnclaimed(now)}
      and not target_id = any (${sql.array([...except], 'uuid')})
      and exists (select 1 from delivery_targets t where t.id = target_id and ${isNotPaused(now)})
    group by target_id order by min(next_attempt_at), target_id limit ${limit}`)
}

/** Claims the longest due delivery of a target; undefined when none is due or the target is paused. */
export async function claimDueDelivery(
  connection: Connection,
  { targetId, now, claimedUntil }: { targetId: string; now: Date; claimedUntil: Date },
): Promise<Delivery | undefined> {
  const row = await connection.maybeOne(sql.type(ClaimedRow)`
    update deliveries d set claimed_until = ${sql.timestamp(claimedUntil)} from delivery_targets t
    where t.id = d.target_id and ${isNotPaused(now)} and d.id = (
      select id from deliveries where target_id = ${targetId} and status = 'pending'
        and ${isDue(now)} and ${isUnclaimed(now)}
      order by next_attempt_at, position limit 1 for update skip locked)
    returning ${claimedColumns}`)
  return row ?? undefined
}

/** Claims a finished delivery for one more attempt; undefined if there is no finished delivery with this id. */
export async function claimFinishedDelivery(
  connection: Connection,
  { id, kind, now, claimedUntil }: { id: string; kind: TargetKind; now: Date; claimedUntil: Date },
): Promise<Delivery | undefined> {
  const row = await connection.maybeOne(sql.type(ClaimedRow)`
    update deliveries d set status = 'pending', attempts_allowed = attempts + 1, next_attempt_at = ${sql.timestamp(now)},
      claimed_until = ${sql.timestamp(claimedUntil)}
    from delivery_targets t
    where t.id = d.target_id and t.kind = ${kind} and d.id = ${id} and d.status <> 'pending'
    returning ${claimedColumns}`)
  return row ?? undefined
}

/** Releases the claim without an attempt. */
export async function releaseClaim(connection: Connection, delivery: Delivery): Promise<void> {
  await connection.query(sql.unsafe`update deliveries set claimed_until = null where ${isClaimOf(delivery)}`)
}

type Outcome = {
  result: AttemptResult
  status: 'pending' | 'success' | 'failed'
  nextAttemptAt: Date | null
  restUntil: Date | null
  now: Date
}

/** Stores the result of an attempt, if the caller still holds the claim. */
export async function writeAttemptResult(
  connection: Connection,
  delivery: Delivery,
  { result, status, nextAttemptAt, restUntil, now }: Outcome,
): Promise<void> {
  const next = nextAttemptAt === null ? sql.fragment`null` : sql.timestamp(nextAttemptAt)
  const backoff = restUntil === null ? sql.fragment`null` : sql.timestamp(restUntil)
  const failures = result.isDelivered ? sql.fragment`0` : sql.fragment`failures_in_a_row + 1`
  await connection.query(sql.unsafe`
    with written as (
      update deliveries set status = ${status}, attempts = attempts + 1,
        next_attempt_at = ${next}, claimed_until = null, attempted_at = ${sql.timestamp(now)}, status_code = ${result.statusCode},
        response_body = ${result.responseBody}, error_message = ${result.error}
      where ${isClaimOf(delivery)} returning target_id)
    update delivery_targets t set last_triggered_at = ${sql.timestamp(now)},
      failure_count = failure_count + ${status === 'failed' ? 1 : 0}, failures_in_a_row = ${failures}, rest_until = ${backoff}
    from written w where t.id = w.target_id`)
}

/** Deletes the oldest waiting deliveries beyond `kept` per target and counts them there. */
export async function deleteOldestWaitingDeliveries(
  connection: Connection,
  { kept, now }: { kept: number; now: Date },
): Promise<readonly { id: string; count: number }[]> {
  return connection.any(sql.type(DroppedRow)`
    with ranked as (
      select id, claimed_until, row_number() over (partition by target_id order by position desc) as place
      from deliveries where target_id in (
        select target_id from deliveries where status = 'pending' group by 1 having count(*) > ${kept}) and status = 'pending'),
    dropped as (
      delete from deliveries where id in (select id from ranked where place > ${kept} and ${isUnclaimed(now)}) returning target_id)
    update delivery_targets t set dropped_count = dropped_count + o.count
    from (select target_id, count(*) as count from dropped group by target_id) o where t.id = o.target_id
    returning t.id, o.count`)
}

/** Deletes deliveries older than `before`, and finished deliveries beyond the newest `kept` of each target. */
export async function deleteOldDeliveries(
  connection: Connection,
  { before, kept }: { before: Date; kept: number },
): Promise<void> {
  await connection.query(sql.unsafe`delete from deliveries where occurred_at < ${sql.timestamp(before)}`)
  await connection.query(sql.unsafe`
    delete from deliveries d using delivery_targets t where d.target_id = t.id and d.status <> 'pending' and d.position <= (
      select position from deliveries e where e.target_id = t.id order by position desc offset ${kept} limit 1)`)
}

/** Whether a delivery to a target of this kind exists. */
export async function existsDelivery(
  connection: Connection,
  { id, kind }: { id: string; kind: TargetKind },
): Promise<boolean> {
  const row = await connection.maybeOne(sql.type(IdRow)`
    select d.id from deliveries d join delivery_targets t on t.id = d.target_id where d.id = ${id} and t.kind = ${kind}`)
  return row !== null
}

function isDue(now: Date) {
  return isReached(sql.fragment`next_attempt_at`, now)
}

function isUnclaimed(now: Date) {
  return sql.fragment`(claimed_until is null or ${isReached(sql.fragment`claimed_until`, now)})`
}

function isNotPaused(now: Date) {
  return sql.fragment`(t.rest_until is null or ${isReached(sql.fragment`t.rest_until`, now)})`
}

/** A stored time further in the future than the longest wait is treated as reached. */
function isReached(time: FragmentSqlToken, now: Date) {
  const latest = new Date(now.getTime() + MAX_WAIT_MILLISECONDS)
  return sql.fragment`(${time} <= ${sql.timestamp(now)} or ${time} > ${sql.timestamp(latest)})`
}

function isClaimOf({ id, claimedUntil }: Delivery) {
  return sql.fragment`id = ${id} and status = 'pending' and claimed_until = ${sql.timestamp(claimedUntil)}`
}
