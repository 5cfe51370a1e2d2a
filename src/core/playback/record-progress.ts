import { catalogueErrors } from '../catalogue/index.ts'
import type { Connection, Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { markWatched } from '../user-items/index.ts'
import { lockOwnSession, type SessionAddress } from './own-session.ts'
import { lockPlayedItem, type PlayedItem } from './played-item.ts'
import { followPlay } from './plays.ts'
import { upsertRecord } from './queries/records.ts'
import { touchSession } from './queries/sessions.ts'
import { selectState, upsertState } from './queries/states.ts'
import { isNearEnd } from './session.ts'

export type ProgressReport = SessionAddress & {
  mediaItemId: string
  /** Whole and not negative; beyond the duration it counts as the duration. */
  positionTicks: number
  /** As the player knows it; undefined or 0: as the catalogue does, else as it was reported for the item in this session before. */
  durationTicks?: number | undefined
  isPaused: boolean
}

/**
 * Notes where an item is in a session; a version or a part counts as its film. From 90 % on the play counts as completed, once, and the item as watched.
 * After the end was reached, a report from the last tenth changes nothing: it was overtaken on its way; an earlier one begins anew.
 * @throws AppError `session_not_found`, `not_session_owner`, `media_item_not_found`
 */
export async function recordProgress(
  { db, clock }: { db: Database; clock: Clock },
  report: ProgressReport,
): Promise<void> {
  const { userId, sessionId } = report
  const now = clock.now()
  await db.transaction(async (connection) => {
    const item = await lockPlayedItem(connection, report)
    await lockOwnSession(connection, report)
    if (item === undefined) throw catalogueErrors.media_item_not_found()
    const { mediaItemId, part } = item
    const durationTicks = await durationOf(connection, report, item)
    const positionTicks = Math.min((part?.startTicks ?? 0) + report.positionTicks, durationTicks ?? Infinity)
    const isCompleted = isNearEnd(positionTicks, durationTicks)
    const status = report.isPaused ? 'paused' : 'playing'
    const write = { userId, sessionId, mediaItemId, status, positionTicks, durationTicks, now } as const
    const { startedAt, status: noted } = await upsertState(connection, { ...write, isEcho: isCompleted })
    await touchSession(connection, { id: sessionId, lastItemId: mediaItemId, now })
    if (noted !== 'stopped')
      await followPlay(connection, { ...write, isPlaying: !report.isPaused, hasReachedEnd: isCompleted })
    if (!isCompleted) return
    const isNew = await upsertRecord(connection, { ...write, startedAt, reachedTicks: positionTicks, isCompleted })
    // Not every player says when it is done. Once per play, so that a mark taken away by hand does not come back at each report.
    if (isNew) await markWatched({ db: connection, clock }, { accountId: userId, itemId: mediaItemId })
  })
}

/**
 * Position and end are judged by the duration that comes with them: what the player says, else what the catalogue knows, else what an
 * earlier report said, which the state keeps. The player of a part knows how long that is, not the film.
 */
async function durationOf(
  connection: Connection,
  { sessionId, durationTicks: told }: ProgressReport,
  { mediaItemId, durationTicks, part }: PlayedItem,
): Promise<number | null> {
  const known = (part === null ? told : undefined) || durationTicks
  return known || ((await selectState(connection, { sessionId, mediaItemId }))?.durationTicks ?? null)
}
