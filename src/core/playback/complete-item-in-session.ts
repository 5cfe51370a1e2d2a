import { catalogueErrors } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { publishAfterCommit, type PlayDependencies } from './publish-after-commit.ts'
import { markWatched } from '../user-items/index.ts'
import { findOwnSession, lockOwnSession, type SessionReference } from './find-own-session.ts'
import { lockPlaybackTarget, type PlaybackTarget } from './playback-target.ts'
import { sendPlayEnded } from './plays.ts'
import { upsertPlayRecord } from './queries/play-records.ts'
import { updateSessionItem } from './queries/playback-sessions.ts'
import { deletePlaybackState, selectPlaybackState, upsertPlaybackState } from './queries/playback-states.ts'

export type CompletedItem = SessionReference & {
  /** Undefined: the item that the session played last. */
  mediaItemId?: string | undefined
  /** Whether the item was played to its end. Otherwise the profile dismissed it, and its position is deleted. */
  hasReachedEnd: boolean
}

type Ending = { profileId: string; sessionId: string; mediaItemId: string; now: Date }

/**
 * Finishes an item in a session. At the end the position is reset to the start and the item counts as watched; otherwise the session
 * drops its state. The end of a part (`cd1`) is a position in its film. In both cases the play is counted once. Idempotent.
 * @throws AppError `session_not_found`, `not_session_owner`, `media_item_not_found`; `invalid_request` if no item is named and the
 * session has played none
 */
export async function completeItemInSession(
  { db, clock, events }: PlayDependencies,
  { mediaItemId: named, hasReachedEnd, ...address }: CompletedItem,
): Promise<void> {
  // Read before the locks: the item must be locked first, and its id is fixed by the request.
  const playedId = named ?? (await findOwnSession(db, address)).lastItemId
  if (playedId === null) throw noPlayedItem()
  const { profileId } = address
  await publishAfterCommit({ db, events }, async (connection, pending) => {
    const item = await lockPlaybackTarget(connection, { profileId, mediaItemId: playedId })
    const { lastItemId } = await lockOwnSession(connection, address)
    if (item === undefined) throw catalogueErrors.media_item_not_found()
    const { mediaItemId, part } = item
    const ending = { ...address, mediaItemId, now: clock.now() }
    if (hasReachedEnd && part !== null && !part.isLast) return continueAtNextPart(connection, ending, { ...item, part })
    const { sessionId, now } = ending
    await sendPlayEnded(connection, { sessionId, mediaItemId, isCompleted: hasReachedEnd, now }, pending)
    if (!hasReachedEnd) return dismissItem(connection, ending, lastItemId)
    await finishItem(connection, ending, item.durationTicks)
    return markWatched({ db: connection, clock }, { profileId, itemId: mediaItemId })
  })
}

/** Handles the end of a part that is not the last: the film is not finished, and the next part follows. */
async function continueAtNextPart(
  connection: Connection,
  ending: Ending,
  { durationTicks, part }: PlaybackTarget & { part: NonNullable<PlaybackTarget['part']> },
): Promise<void> {
  const place = { status: 'paused', positionTicks: part.endTicks, durationTicks, isIgnoredWhenStopped: false } as const
  await upsertPlaybackState(connection, { ...ending, ...place })
  await updateSessionItem(connection, { id: ending.sessionId, lastItemId: ending.mediaItemId, now: ending.now })
}

async function finishItem(connection: Connection, ending: Ending, knownTicks: number | null): Promise<void> {
  const before = await selectPlaybackState(connection, ending)
  const durationTicks = before?.durationTicks ?? knownTicks
  const stopped = { ...ending, status: 'stopped', positionTicks: 0, durationTicks, isIgnoredWhenStopped: true } as const
  const { startedAt } = await upsertPlaybackState(connection, stopped)
  const reachedTicks = durationTicks ?? before?.positionTicks ?? 0
  await upsertPlayRecord(connection, { ...ending, startedAt, durationTicks, reachedTicks, isCompleted: true })
  await updateSessionItem(connection, { id: ending.sessionId, lastItemId: ending.mediaItemId, now: ending.now })
}

async function dismissItem(connection: Connection, ending: Ending, lastItemId: string | null): Promise<void> {
  const before = await deletePlaybackState(connection, ending)
  if (before !== undefined && before.positionTicks > 0) {
    await upsertPlayRecord(connection, { ...ending, ...before, reachedTicks: before.positionTicks, isCompleted: false })
  }
  const rest = lastItemId === ending.mediaItemId ? null : lastItemId
  await updateSessionItem(connection, { id: ending.sessionId, lastItemId: rest, now: ending.now })
}

function noPlayedItem() {
  return catalogueErrors.invalid_request({
    message: 'media_item_id is required: nothing was played in this session',
    details: { field: 'media_item_id' },
  })
}
