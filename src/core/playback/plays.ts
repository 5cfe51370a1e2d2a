import { describeItems } from '../catalogue/index.ts'
import { enqueueEvent } from '../outbox/index.ts'
import type { Connection, Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import {
  continuePlay,
  deletePlay,
  deleteSilentPlays,
  insertPlay,
  selectPlayer,
  type OpenPlay,
  type PlayReport,
} from './queries/plays.ts'

/** Of the time between two reports at most so much counts as played: players report every 10 to 15 s. */
const MAX_GAP_MILLISECONDS = 120_000
/** A player that has said nothing for so long is gone (document 2, Limits, stale connection). */
const SILENCE_MILLISECONDS = 300_000
const SILENT_PER_TRANSACTION = 100

/**
 * Tells webhooks that something begins to play, when a report is the first of its item in the session that is not paused (document 2,
 * Events). Whatever else played there has ended.
 * @param connection the transaction of the report, which holds the session
 */
export async function followPlay(connection: Connection, report: PlayReport & { userId: string }): Promise<void> {
  if (await continuePlay(connection, { ...report, maxGapMilliseconds: MAX_GAP_MILLISECONDS })) return
  if (!report.isPlaying) return
  const { sessionId, userId, mediaItemId, hasReachedEnd, now } = report
  await closePlay(connection, { sessionId, isCompleted: false, now })
  const [item] = await describeItems({ db: connection }, [mediaItemId])
  if (item === undefined) return
  const player = await selectPlayer(connection, sessionId)
  const play = { userId, mediaItemId, mediaType: item.type, title: item.title, ...player }
  await insertPlay(connection, { sessionId, ...play, hasReachedEnd, now })
  await enqueueEvent(connection, { event: 'playback.started', ...play }, now)
}

type Closing = {
  sessionId: string
  /** Undefined: whatever plays there. */
  mediaItemId?: string
  /** The end was reached, whatever the reports said. */
  isCompleted: boolean
  now: Date
}

/** Tells webhooks that what plays in a session has ended; nothing when nothing plays. In the transaction that ends it. */
export async function closePlay(connection: Connection, { isCompleted, now, ...which }: Closing): Promise<void> {
  const play = await deletePlay(connection, which)
  if (play === undefined) return
  const sinceReport = play.isPlaying ? Math.max(now.getTime() - play.reportedAt.getTime(), 0) : 0
  const playedMs = play.playedMs + Math.min(sinceReport, MAX_GAP_MILLISECONDS)
  await announceEnd(connection, { ...play, playedMs, hasReachedEnd: play.hasReachedEnd || isCompleted }, now)
}

/**
 * Tells webhooks of plays whose player has said nothing for 5 minutes; what it says later begins a new one.
 * @returns how many
 */
export async function endSilentPlays({ db, clock }: { db: Database; clock: Clock }): Promise<number> {
  const now = clock.now()
  const before = new Date(now.getTime() - SILENCE_MILLISECONDS)
  return db.transaction(async (connection) => {
    const plays = await deleteSilentPlays(connection, { before, limit: SILENT_PER_TRANSACTION })
    for (const play of plays) await announceEnd(connection, play, now)
    return plays.length
  })
}

async function announceEnd(connection: Connection, play: OpenPlay, now: Date): Promise<void> {
  const { userId, userName, mediaItemId, mediaType, title, deviceId, deviceName, playedMs, hasReachedEnd } = play
  const about = { userId, userName, mediaItemId, mediaType, title, deviceId, deviceName }
  const end = { durationSeconds: Math.floor(playedMs / 1000), isCompleted: hasReachedEnd }
  await enqueueEvent(connection, { event: 'playback.ended', ...about, ...end }, now)
}
