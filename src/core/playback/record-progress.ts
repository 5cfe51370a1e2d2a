import { catalogueErrors } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { publishAfterCommit, type PlayDependencies } from './publish-after-commit.ts'
import { markWatched } from '../user-items/index.ts'
import { lockOwnSession, type SessionReference } from './find-own-session.ts'
import { lockPlaybackTarget, type PlaybackTarget } from './playback-target.ts'
import { sendPlayStarted } from './plays.ts'
import { upsertPlayRecord } from './queries/play-records.ts'
import { updateSessionItem } from './queries/playback-sessions.ts'
import { selectPlaybackState, upsertPlaybackState } from './queries/playback-states.ts'
import { isNearEnd } from './playback-session.ts'

export type ProgressReport = SessionReference & {
  mediaItemId: string
  /** Whole and not negative; clamped to the duration. */
  positionTicks: number
  /**
   * Duration that the player reports. If it is undefined or 0, the duration from the catalogue is used; without one, the duration of an
   * earlier report in this session.
   */
  durationTicks?: number | undefined
  isPaused: boolean
}

/**
 * Stores the position of an item in a session; the position of a version or part is stored for its film. From 90 % on, the play counts as
 * completed, once, and the item as watched. After the end was reached, a report from the last tenth is ignored because it was delayed on
 * its way; an earlier position starts a new play.
 * @throws AppError `session_not_found`, `not_session_owner`, `media_item_not_found`
 */
export async function recordProgress({ db, clock, events }: PlayDependencies, report: ProgressReport): Promise<void> {
  const { profileId, sessionId } = report
  const now = clock.now()
  await publishAfterCommit({ db, events }, async (connection, pending) => {
    const item = await lockPlaybackTarget(connection, report)
    await lockOwnSession(connection, report)
    if (item === undefined) throw catalogueErrors.media_item_not_found()
    const { mediaItemId, part } = item
    const durationTicks = await durationOf(connection, report, item)
    const positionTicks = Math.min((part?.startTicks ?? 0) + report.positionTicks, durationTicks ?? Infinity)
    const isCompleted = isNearEnd(positionTicks, durationTicks)
    const status = report.isPaused ? 'paused' : 'playing'
    const write = { profileId, sessionId, mediaItemId, status, positionTicks, durationTicks, now } as const
    const { startedAt, status: storedStatus } = await upsertPlaybackState(connection, {
      ...write,
      isIgnoredWhenStopped: isCompleted,
    })
    await updateSessionItem(connection, { id: sessionId, lastItemId: mediaItemId, now })
    if (storedStatus !== 'stopped')
      await sendPlayStarted(connection, { ...write, isPlaying: !report.isPaused, hasReachedEnd: isCompleted }, pending)
    if (!isCompleted) return
    const isNew = await upsertPlayRecord(connection, { ...write, startedAt, reachedTicks: positionTicks, isCompleted })
    // Some players never report the end. Only once per play, so that a manually removed mark is not set again by each report.
    if (isNew) await markWatched({ db: connection, clock }, { profileId, itemId: mediaItemId })
  })
}

/**
 * The duration for position and end: from the player, else from the catalogue, else from an earlier report in the stored state. The
 * player of a part reports the duration of the part, not of the film.
 */
async function durationOf(
  connection: Connection,
  { sessionId, durationTicks: reportedTicks }: ProgressReport,
  { mediaItemId, durationTicks, part }: PlaybackTarget,
): Promise<number | null> {
  const known = (part === null ? reportedTicks : undefined) || durationTicks
  return known || ((await selectPlaybackState(connection, { sessionId, mediaItemId }))?.durationTicks ?? null)
}
