import { truncate } from 'node:fs/promises'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { setAccess } from '../../../src/core/accounts/index.ts'
import { addSchedule, setStreamLimits, type StreamLimits } from '../../../src/core/playback-limits/index.ts'
import { createProfile, updateProfile } from '../../../src/core/profiles/index.ts'
import { pick, scanFilms, startApp } from '../../support/app.ts'
import { movableClock } from '../../support/records.ts'
import { testServices } from '../../support/services.ts'
import { waitUntil } from '../../support/wait-until.ts'

/** Longer than a connection can read before the server has looked at its replies. The file has no content on the disk. */
const FILE_BYTES = 50_000_000_000

/** More than a connection buffers. */
const MORE_BYTES = 50_000_000

/** A film that is longer than what a connection buffers, and a profile that plays it. */
async function setup(t: Test) {
  const clock = movableClock()
  const app = await startApp(t, { services: await testServices(t, { clock }) })
  const { services, ask } = app
  const { account } = await app.registerUser()
  const id = (await scanFilms(t, services, { 'Film (2005).mp4': 'film-mp4' })).idOf('Film')
  const kbps = Number(
    await services.db.oneFirst(
      sql.unsafe`select ceil(greatest(bitrate, size_bytes * 8 / duration_seconds) / 1000)::int from media_items where id = ${id}`,
    ),
  )
  await truncate(
    String(await services.db.oneFirst(sql.unsafe`select path from media_items where id = ${id}`)),
    FILE_BYTES,
  )
  const profile = await createProfile(services, { accountId: account.id, fields: { name: 'Kim', mayDownload: true } })
  const token = await app.signIn(account.id, profile.id)
  /** Starts to read the file. `isCutOff` reads on until the server ends the reply. */
  const play = async (query = '') => {
    const { json } = await ask('GET', `/api/v1/media/${id}`, { token })
    const reply = await fetch(`${app.baseUrl}${String(pick(json, 'stream_url'))}${query}`)
    const reader = reply.body?.getReader()
    await reader?.read()
    return {
      status: reply.status,
      /** False if the file was sent to its end. */
      async isCutOff(): Promise<boolean> {
        for (;;) {
          const read = await reader?.read().catch(() => undefined)
          if (read === undefined) return true
          if (read.done) return false
        }
      },
      /** Whether far more can be read. */
      async goesOn(): Promise<boolean> {
        for (let bytes = 0; bytes < MORE_BYTES;) {
          const read = await reader?.read().catch(() => undefined)
          if (read === undefined || read.done) return false
          bytes += read.value.length
        }
        await reader?.cancel()
        return true
      },
    }
  }
  const limit = (owner: { accountId: string } | { profileId: string }, changes: Partial<StreamLimits>) =>
    setStreamLimits(services, { owner, accountId: account.id, changes })
  return { services, clock, account, profile, id, kbps, play, limit }
}

void t.test('a file that is sent ends when a limit of bandwidth is set or lowered below its rate', async (t) => {
  const { services, account, profile, id, kbps, play, limit } = await setup(t)
  for (const owner of [{ accountId: account.id }, { profileId: profile.id }]) {
    const playing = await play()
    await limit(owner, { maxKbps: kbps + 50 })
    await waitUntil('its rate counts', async () =>
      services.db.exists(sql.unsafe`select from open_streams where media_item_id = ${id} and kbps > 0`),
    )
    await limit(owner, { maxKbps: kbps - 5 })
    t.ok(await playing.isCutOff(), 'with a limit that was lowered')
    await services.db.query(sql.unsafe`delete from open_streams`)
    await limit(owner, { maxKbps: null })
    const unlimited = await play()
    await limit(owner, { maxKbps: kbps - 5 })
    t.ok(await unlimited.isCutOff(), 'without a limit before')
    await limit(owner, { maxKbps: null })
  }
})

void t.test('a file that is saved ends when downloads are forbidden, and one that is played goes on', async (t) => {
  const { services, account, profile, play } = await setup(t)
  const playing = await play()
  const saving = await play('&download=1')
  t.equal(saving.status, 200)
  await setAccess(services, { accountId: account.id, changes: {}, mayDownload: false })
  t.ok(await saving.isCutOff(), 'by the account')
  await setAccess(services, { accountId: account.id, changes: {}, mayDownload: true })
  const again = await play('&download=1')
  await updateProfile(services, { id: profile.id, accountId: account.id, fields: { mayDownload: false } })
  t.ok(await again.isCutOff(), 'by the profile')
  t.ok(await playing.goesOn())
})

void t.test(
  'a file that is played ends with the hours of its profile, and when a schedule excludes the moment',
  async (t) => {
    const { services, clock, profile, play } = await setup(t)
    const hours = (startTime: string, endTime: string) =>
      addSchedule(services, { profile, fields: { startTime, endTime, zone: 'UTC' } })
    await hours('11:00', '12:10')
    const playing = await play()
    clock.advance(600)
    t.ok(await playing.isCutOff(), 'by the clock')
    await hours('12:10', '13:00')
    const again = await play()
    t.equal(again.status, 200)
    await services.db.query(sql.unsafe`delete from profile_schedules`)
    await hours('15:00', '16:00')
    t.ok(await again.isCutOff(), 'by a change')
  },
)
