import { describeItems } from '../catalogue/index.ts'
import { enqueueEvent } from '../outbox/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { publishAfterCommit, type PendingPluginEvents, type PlayDependencies } from './publish-after-commit.ts'
import { selectPlaybackState } from './queries/playback-states.ts'
import {
  extendPlay,
  deletePlay,
  deleteStalePlays,
  insertPlay,
  selectSessionOwner,
  type CurrentPlay,
  type PlayReport,
} from './queries/plays.ts'

/** Maximum time between two reports that counts as played. Players report every 10 to 15 s. */
const MAX_GAP_MILLISECONDS = 120_000
/** A player without a report for this time is considered disconnected. */
const STALE_AFTER_MILLISECONDS = 300_000
const STALE_PER_TRANSACTION = 100

/**
 * Sends the event for a started play, if the report is the first of its item in the session that is not paused. Another play of the
 * session ends.
 * @param connection the transaction of the report, which holds the lock of the session
 */
export async function sendPlayStarted(
  connection: Connection,
  report: PlayReport & { profileId: string; positionTicks: number },
  pending: PendingPluginEvents,
): Promise<void> {
  const { sessionId, profileId, mediaItemId, hasReachedEnd, now } = report
  const wasPlaying = await extendPlay(connection, { ...report, maxGapMilliseconds: MAX_GAP_MILLISECONDS })
  if (wasPlaying !== undefined) {
    if (wasPlaying !== report.isPlaying) await noteChange(connection, report, pending)
    return
  }
  if (!report.isPlaying) return
  await sendPlayEnded(connection, { sessionId, isCompleted: false, now }, pending)
  const [item] = await describeItems({ db: connection }, [mediaItemId])
  if (item === undefined) return
  const player = await selectSessionOwner(connection, sessionId)
  const play = { profileId, mediaItemId, mediaType: item.type, title: item.title, ...player }
  await insertPlay(connection, { sessionId, ...play, hasReachedEnd, now })
  await enqueueEvent(connection, { event: 'playback.started', ...factsOf(play) }, now)
  const { userId, deviceId } = player
  pending.push({
    name: 'playback.started',
    payload: { sessionId, userId, mediaItemId, deviceId, positionTicks: report.positionTicks },
  })
}

async function noteChange(
  connection: Connection,
  { sessionId, mediaItemId, isPlaying, positionTicks }: PlayReport & { positionTicks: number },
  pending: PendingPluginEvents,
): Promise<void> {
  const { userId, deviceId } = await selectSessionOwner(connection, sessionId)
  const name = isPlaying ? 'playback.resumed' : 'playback.paused'
  pending.push({ name, payload: { sessionId, userId, mediaItemId, deviceId, positionTicks } })
}

type PlayEnd = {
  sessionId: string
  /** Undefined: the current play, whichever it is. */
  mediaItemId?: string
  /** Whether the end was reached, regardless of the reports. */
  isCompleted: boolean
  now: Date
}

/** Sends the event for the end of the play of a session; does nothing without one. Runs in the transaction that ends it. */
export async function sendPlayEnded(
  connection: Connection,
  { isCompleted, now, ...which }: PlayEnd,
  pending: PendingPluginEvents,
): Promise<void> {
  const play = await deletePlay(connection, which)
  if (play === undefined) return
  const sinceReport = play.isPlaying ? Math.max(now.getTime() - play.reportedAt.getTime(), 0) : 0
  const playedMs = play.playedMs + Math.min(sinceReport, MAX_GAP_MILLISECONDS)
  await announceEnd(connection, { ...play, playedMs, hasReachedEnd: play.hasReachedEnd || isCompleted }, now, pending)
}

/**
 * Ends plays whose player has not reported for 5 minutes, and sends their events; a later report starts a new play.
 * @returns the number of ended plays
 */
export async function endStalePlays({ db, clock, events }: PlayDependencies): Promise<number> {
  const now = clock.now()
  const before = new Date(now.getTime() - STALE_AFTER_MILLISECONDS)
  return publishAfterCommit({ db, events }, async (connection, pending) => {
    const plays = await deleteStalePlays(connection, { before, limit: STALE_PER_TRANSACTION })
    for (const play of plays) await announceEnd(connection, play, now, pending)
    return plays.length
  })
}

async function announceEnd(
  connection: Connection,
  play: CurrentPlay,
  now: Date,
  pending: PendingPluginEvents,
): Promise<void> {
  const { sessionId, userId, mediaItemId, deviceId, playedMs, hasReachedEnd } = play
  const end = { durationSeconds: Math.floor(playedMs / 1000), isCompleted: hasReachedEnd }
  await enqueueEvent(connection, { event: 'playback.ended', ...factsOf(play), ...end }, now)
  const state = await selectPlaybackState(connection, { sessionId, mediaItemId })
  const stop = { finalPositionTicks: state?.positionTicks ?? null, reachedEnd: hasReachedEnd }
  pending.push({ name: 'playback.stopped', payload: { sessionId, userId, mediaItemId, deviceId, ...stop } })
}

/** What events say of a play. The profile is left out if it is the main one, which is the account itself. */
function factsOf(play: Omit<CurrentPlay, 'sessionId' | 'reportedAt' | 'playedMs' | 'isPlaying' | 'hasReachedEnd'>) {
  const { userId, userName, profileId, profileName, mediaItemId, mediaType, title, deviceId, deviceName } = play
  const profile = profileName === null ? {} : { profileId, profileName }
  return { userId, userName, ...profile, mediaItemId, mediaType, title, deviceId, deviceName }
}
