import { truncate } from 'node:fs/promises'
import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { createShare } from '../../../../src/core/shares/index.ts'
import { createProfile, deleteProfile, updateProfile } from '../../../../src/core/profiles/index.ts'
import { addSchedule, setStreamLimits } from '../../../../src/core/playback-limits/index.ts'
import { pick, scanFilms, startApp, type TestApp } from '../../../support/app.ts'
import { movableClock } from '../../../support/records.ts'
import { testServices } from '../../../support/services.ts'
import { codeOf, openLink, share, type GuestBrowser } from '../../../support/shares.ts'
import { waitUntil } from '../../../support/wait-until.ts'

const FILMS = { 'One (2001).mp4': 'film-mp4', 'Two (2002).mp4': 'film-mp4', 'Three (2003).mkv': 'film-mkv' } as const

/** A user with a profile that has made a link to two films, and another one to the first of them. */
async function setup(t: Test) {
  const clock = movableClock()
  const app = await startApp(t, { services: await testServices(t, { clock }) })
  const { services } = app
  const user = await app.registerUser()
  const { idOf } = await scanFilms(t, services, FILMS)
  const [one, two, three] = [idOf('One'), idOf('Two'), idOf('Three')]
  const profile = await createProfile(services, {
    accountId: user.account.id,
    fields: { name: 'Ann', mayDownload: true },
  })
  const linkOf = async (itemId: string, allowsDownload = false) => {
    const { token } = await createShare(services, {
      account: user.account,
      profile,
      subject: { itemId },
      expiresAt: null,
      password: null,
      maxUses: null,
      allowsDownload,
    })
    return token
  }
  const limit = (maxStreams: number | null, maxKbps: number | null = null) =>
    setStreamLimits(services, {
      owner: { accountId: user.account.id },
      accountId: user.account.id,
      changes: { maxStreams, maxKbps },
    })
  return { ...app, clock, user, one, two, three, profile, linkOf, limit }
}

const play = (guest: GuestBrowser, id: string) => guest.ask(`/items/${id}/stream`, 'GET', { range: 'bytes=0-9' })

void t.test('guests play within the number of streams of the account, each browser as a device', async (t) => {
  const world = await setup(t)
  const { one, two, linkOf, limit, clock } = world
  const [first, second] = [await openLink(world, await linkOf(one)), await openLink(world, await linkOf(two))]
  await limit(1)
  t.equal((await play(first, one)).status, 206)
  t.equal((await play(first, one)).status, 206, 'seeking')
  t.equal(codeOf(await play(second, two)), '429 StreamLimitExceeded')
  t.equal(codeOf(await second.ask(`/items/${two}/transcode`, 'POST')), '429 StreamLimitExceeded')
  const again = await openLink(world, await linkOf(one))
  t.equal(codeOf(await play(again, one)), '429 StreamLimitExceeded', 'the same film in another browser')
  const own = await world.ask('GET', `/media/${two}/stream`, { token: world.user.token })
  t.equal(codeOf(own), '429 StreamLimitExceeded', 'the user and the guests count together')
  t.equal((await second.ask('')).status, 200, 'looking is free')
  clock.advance(31)
  t.equal((await play(second, two)).status, 206)
})

void t.test('two browsers at one link are two devices, and one that opens it again stays one', async (t) => {
  const world = await setup(t)
  const token = await world.linkOf(world.one)
  const [first, other] = [await openLink(world, token), await openLink(world, token)]
  t.not(first.cookie, other.cookie)
  await world.limit(1)
  t.equal((await play(first, world.one)).status, 206)
  t.equal(codeOf(await play(other, world.one)), '429 StreamLimitExceeded')
  const opened = await world.ask('POST', '/s/open', { body: { token }, headers: { cookie: first.cookie } })
  t.match(opened.headers.get('set-cookie'), first.cookie)
})

void t.test('guests play within the bandwidth, and a higher quality is refused', async (t) => {
  const world = await setup(t)
  const { one, linkOf, limit } = world
  const guest = await openLink(world, await linkOf(one))
  const started = await guest.ask(`/items/${one}/transcode`, 'POST')
  const master = String(pick(started.json, 'master_url')).replace(`/s/${guest.id}`, '')
  const variants = async () =>
    [...(await guest.ask(master)).text.matchAll(/^media_v\w+\.m3u8$/gm)].map(([name]) => name)
  const all = await variants()
  t.ok(all.length > 1)
  await limit(null, 100)
  world.clock.advance(10)
  t.strictSame(await variants(), all.slice(-1))
  const folder = master.slice(0, master.lastIndexOf('/'))
  t.equal(codeOf(await guest.ask(`${folder}/${all[0] ?? ''}`)), '429 StreamLimitExceeded')
  t.equal((await guest.ask(`${folder}/${all.at(-1) ?? ''}`)).status, 200)
  t.equal(codeOf(await play(guest, one)), '429 StreamLimitExceeded')
})

void t.test('guests play in the hours of the profile that made the link', async (t) => {
  const world = await setup(t)
  const { one, linkOf, clock, services, profile, user } = world
  const guest = await openLink(world, await linkOf(one, true))
  const ofMain = await openLink(world, (await share(world, user, { item_id: one })).token)
  t.equal((await play(guest, one)).status, 206)
  t.match(await guest.ask('/state'), { status: 200, json: { allow_download: true } })
  const hour = (ahead: number) => `${String((clock.now().getUTCHours() + ahead) % 24).padStart(2, '0')}:00`
  await addSchedule(services, { profile, fields: { startTime: hour(2), endTime: hour(3), zone: 'UTC' } })
  for (const [path, method] of [
    [`/items/${one}/stream`, 'GET'],
    [`/items/${one}/download`, 'GET'],
    [`/items/${one}/transcode`, 'POST'],
    [`/items/${one}/playback`, 'GET'],
    ['/state', 'GET'],
  ] as const)
    t.equal(codeOf(await guest.ask(path, method)), '403 AccessSchedule', path)
  t.equal((await guest.ask('')).status, 200)
  t.equal((await play(ofMain, one)).status, 206, 'a link of another profile')
})

/** Begins to read a long file of a link. */
async function openLong({ baseUrl, services: { db } }: TestApp, guest: GuestBrowser, path: string) {
  const [, id = ''] = /^\/items\/([^/]+)/.exec(path) ?? []
  await truncate(String(await db.oneFirst(sql.unsafe`select path from media_items where id = ${id}`)), 200_000_000)
  const reply = await fetch(`${baseUrl}/s/${guest.id}${path}`, { headers: { cookie: guest.cookie } })
  const reader = reply.body?.getReader()
  await reader?.read()
  const isCutOff = () =>
    waitUntil('it is cut off', async () => {
      try {
        for (;;) if ((await reader?.read())?.done !== false) return false
      } catch {
        return true
      }
    })
  return { isCutOff }
}

void t.test('guests save no more when the profile that made the link may not, also in the middle', async (t) => {
  const world = await setup(t)
  const { one, linkOf, services, profile, user } = world
  const guest = await openLink(world, await linkOf(one, true))
  t.match((await guest.ask('')).json, { allow_download: true })
  const saving = await openLong(world, guest, `/items/${one}/download`)
  await updateProfile(services, { id: profile.id, accountId: user.account.id, fields: { mayDownload: false } })
  t.match((await guest.ask('')).json, { allow_download: false, items: [{ download_url: null }] })
  t.equal(codeOf(await guest.ask(`/items/${one}/download`)), '403 share_file_not_offered')
  await saving.isCutOff()
})

void t.test('a file that browsers do not play ends with the permission to download', async (t) => {
  const world = await setup(t)
  const { one, three, linkOf, services, profile, user } = world
  const [guest, other] = [
    await openLink(world, await linkOf(three, true)),
    await openLink(world, await linkOf(one, true)),
  ]
  const film = await openLong(world, guest, `/items/${three}/stream`)
  await updateProfile(services, { id: profile.id, accountId: user.account.id, fields: { mayDownload: false } })
  await film.isCutOff()
  t.equal(codeOf(await play(guest, three)), '403 share_file_not_offered')
  t.equal((await play(other, one)).status, 206, 'what browsers play goes on')
})

void t.test('a link follows the limits of the profile that made it, and ends with it', async (t) => {
  const world = await setup(t)
  const { one, linkOf, services, profile, user } = world
  const guest = await openLink(world, await linkOf(one))
  t.equal((await play(guest, one)).status, 206)
  await updateProfile(services, { id: profile.id, accountId: user.account.id, fields: { isKids: true } })
  t.equal(codeOf(await play(guest, one)), '404 share_item_not_found', 'it has no rating')
  await deleteProfile(services, { id: profile.id, accountId: user.account.id })
  t.equal(codeOf(await guest.ask('')), '410 share_revoked')
})
