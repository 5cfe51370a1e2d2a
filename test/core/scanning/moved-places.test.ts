import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'slonik'
import t from 'tap'
import {
  completeItemInSession,
  listContinueWatching,
  recordProgress,
  startPlaybackSession,
} from '../../../src/core/playback/index.ts'
import { readUserData } from '../../../src/core/user-items/index.ts'
import { makeUser } from '../../support/catalogue-items.ts'
import { putSample, scannedLibrary } from '../../support/scanning.ts'

const HOUR = 36_000_000_000

void t.test('plays of a moved film before the rescan are merged with those from before the move', async (t) => {
  const { db, services, folder, scan, items } = await scannedLibrary(t)
  const old = await putSample(folder, 'old/Moved.mp4')
  await scan()
  const userId = await makeUser(db, 'viewer')
  const start = async () =>
    (await startPlaybackSession(services, { profileId: userId, deviceId: null, deviceName: null, deviceType: null })).id
  const [both, before, after] = [await start(), await start(), await start()]
  const report = (sessionId: string, mediaItemId: string, hours: number) => {
    const place = { positionTicks: hours * HOUR, durationTicks: 10 * HOUR, isPaused: true }
    return recordProgress(services, { profileId: userId, sessionId, mediaItemId, ...place })
  }
  const first = (await items()).get('old/Moved.mp4')?.id ?? ''
  await report(both, first, 9)
  await report(before, first, 1)
  mkdirSync(join(folder, 'new'))
  renameSync(old, join(folder, 'new/Moved.mp4'))
  await scan()
  const second = (await items()).get('new/Moved.mp4')?.id ?? ''
  t.not(second, first)
  await completeItemInSession(services, {
    profileId: userId,
    sessionId: both,
    mediaItemId: second,
    hasReachedEnd: true,
  })
  await report(after, second, 3)
  t.match(await scan('rescan'), { status: 'completed', itemsRemoved: 0 })
  t.match(await listContinueWatching(services, { profileId: userId }), [
    { item: { id: first, missingSince: null }, state: { sessionId: after, positionTicks: 3 * HOUR } },
  ])
  const states = await db.any(
    sql.unsafe`select session_id, status, media_item_id from playback_states order by updated_at`,
  )
  t.match(states, [
    { sessionId: before, status: 'paused', mediaItemId: first },
    { sessionId: both, status: 'stopped', mediaItemId: first },
    { sessionId: after, status: 'paused', mediaItemId: first },
  ])
  t.match(await db.any(sql.unsafe`select session_id, media_item_id from playback_records`), [
    { sessionId: both, mediaItemId: first },
  ])
  t.match(await db.anyFirst(sql.unsafe`select last_item_id from playback_sessions`), [first, first, first])
  t.match(await readUserData({ db }, { profileId: userId, itemId: first }), { isWatched: true })
})
