import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { setAccess } from '../../../src/core/accounts/index.ts'
import { createProfile, deleteProfile } from '../../../src/core/profiles/index.ts'
import { placeOf, requestOf } from '../../support/access-matrix/places.ts'
import { startRealWorld, type Hidden, type RealWorld } from '../../support/access-matrix/real-world.ts'
import { askAs, eachOf, isPersonal } from '../../support/access-matrix/replies.ts'
import { openLink, share } from '../../support/shares.ts'
import { waitUntil } from '../../support/wait-until.ts'

/** Signed addresses from the replies of all routes about items, and from the playlists and lists of pictures behind them. */

const SIGNED = /\/[^\s"'<>#]*[?&]exp=\d+&sig=[\w.-]+[^\s"'<>#]*/g

/** All signed addresses that a viewer finds, one for each form of path. */
async function collect(world: RealWorld, token: string): Promise<string[]> {
  const { app, hidden } = world
  const found = new Map<string, string>()
  const note = (text: string): void => {
    for (const [address] of text.replaceAll('&amp;', '&').matchAll(SIGNED)) {
      const path = address.split('?')[0] ?? ''
      found.set(path, address)
    }
  }
  const routes = app.declaredRoutes.filter(
    (route) => isPersonal(route) && route.access === 'user' && route.method === 'GET' && route.url.includes(':'),
  )
  await eachOf(routes, async (route) => {
    const place = placeOf(route)
    const value = place === undefined ? undefined : (hidden as Partial<Record<string, string>>)[place.hidden]
    if (place === undefined || value === undefined || place.hidden === 'libraryId') return
    const request = requestOf(route, { place, value, hidden })
    if (request !== undefined) note((await askAs(world, { token }, request)).text)
  })
  const ofFilm = `/api/v1/media/${hidden.film}`
  note((await askAs(world, { token }, { method: 'POST', path: `${ofFilm}/transcode` })).text)
  note((await askAs(world, { token }, { method: 'GET', path: `${ofFilm}/download?quality=${hidden.rung}` })).text)
  // Playlists and storyboards have addresses of their own, two levels deep.
  for (let level = 0; level < 2; level += 1) {
    for (const [path, address] of found) {
      if (!/\.(?:m3u8|vtt)$/.test(path)) continue
      const { text } = await world.ask('GET', address)
      for (const [, line = ''] of text.matchAll(/^([^#\s]\S*[?&]sig=\S+)$/gm)) note(resolved(line, path))
      for (const [, line = ''] of text.matchAll(/URI="([^"]*[?&]sig=[^"]*)"/g)) note(resolved(line, path))
    }
  }
  return [...found.values()]
}

function resolved(address: string, base: string): string {
  const { pathname, search } = new URL(address, `http://server${base}`)
  return `${pathname}${search}`
}

const KINDS = ['film', 'series', 'episode', 'track', 'photo', 'book', 'audiobook'] as const satisfies (keyof Hidden)[]

async function rateAll({ rate, hidden }: RealWorld, rating: 'G' | 'NC-17'): Promise<void> {
  for (const kind of KINDS) await rate(hidden[kind], rating)
}

/** Every address is answered with one of these statuses, at once or when what is remembered for a second is read again. */
async function allAnswer(t: Test, { ask }: RealWorld, addresses: readonly string[], statuses: readonly number[]) {
  await eachOf(addresses, async (address) => {
    let status = 0
    await waitUntil(`${address.split('?')[0]} answers ${statuses.join(' or ')}`, async () => {
      ;({ status } = await ask('GET', address, { headers: { range: 'bytes=0-9' } }))
      return statuses.includes(status)
    })
    t.ok(statuses.includes(status), `${address.split('?')[0]} answers ${status}`)
  })
}

void t.test('signed addresses end when their item is hidden (AZ-11)', { timeout: 300_000 }, async (t) => {
  const world = await startRealWorld(t)
  const { services, blind, hidden, seeing } = world
  await rateAll(world, 'G')
  const addresses = await collect(world, blind.token)
  const paths = addresses.map((address) => address.split('?')[0] ?? '')
  for (const form of [
    /^\/media\/[^/]+\/stream$/,
    /^\/media\/[^/]+\/download\//,
    /^\/hls\/.*\.ts$|^\/hls\/.*\.m4s$|^\/hls\/.*\.mp4$/,
    /^\/hls\/.*\.vtt$/,
    /^\/trickplay\/.*\.jpg$/,
    /\/subtitles\/0$/,
    /\/chapters\/0\/thumbnail$/,
    /^\/api\/v1\/artwork\//,
    /\/photos\/[^/]+\/thumbnail$/,
    /\/photos\/[^/]+\/full$/,
    /\/books\/[^/]+\/download$/,
    /\/audiobooks\/[^/]+\/stream$/,
  ])
    t.ok(
      paths.some((path) => form.test(path)),
      `an address like ${form.source} was found`,
    )

  await t.test('they are answered while the item is visible', (t) => allAnswer(t, world, addresses, [200, 206]))

  await t.test('a rating above the ceiling of the viewer makes them unknown', async (t) => {
    await rateAll(world, 'NC-17')
    await allAnswer(t, world, addresses, [404])
    await rateAll(world, 'G')
    await allAnswer(t, world, addresses, [200, 206])
  })

  await t.test(
    'the addresses of a link end when it is revoked, and when its account may not see the item',
    async (t) => {
      const link = await share(world, blind, { item_id: hidden.film, allow_download: true })
      const guest = await openLink(world, link.token)
      const asked = [
        '',
        `/items/${hidden.film}/playback`,
        `/items/${hidden.film}/picture`,
        `/items/${hidden.film}/download`,
      ]
      const answers = async (expected: readonly number[]) => {
        const statuses = []
        for (const path of asked) statuses.push((await guest.ask(path)).status)
        return statuses.every((status, at) => status === (expected[at] ?? expected[0])) || statuses
      }
      t.equal(await answers([200]), true)
      await world.rate(hidden.film, 'NC-17')
      t.equal(await answers([200, 404, 404, 404]), true, 'the link is open, and empty')
      t.notMatch((await guest.ask('')).text, hidden.film)
      await world.rate(hidden.film, 'G')
      t.equal(await answers([200]), true)
      await world.ask('DELETE', `/api/v1/me/shares/${link.id}`, { token: blind.token })
      await waitUntil('the link has ended', async () => (await answers([410])) === true)
    },
  )

  await t.test('a deleted profile ends its addresses', async (t) => {
    const fields = { name: 'Guest', limits: { maxAge: 15, allowsUnrated: true } }
    const { id } = await createProfile(services, { accountId: seeing.account.id, fields })
    const own = await collect(world, await world.signIn(seeing.account.id, id))
    t.ok(own.length > 10)
    await allAnswer(t, world, own.slice(0, 3), [200, 206])
    await deleteProfile(services, { id })
    await allAnswer(t, world, own, [403])
  })

  await t.test('fewer libraries end them', async (t) => {
    const libraryIds = (
      await services.db.anyFirst(sql.unsafe`
      select id from libraries where id not in (select library_id from media_items where id = any (${sql.array(
        KINDS.map((kind) => hidden[kind]),
        'uuid',
      )}))`)
    ).map(String)
    await setAccess(services, { accountId: blind.account.id, changes: { libraryIds } })
    await allAnswer(t, world, addresses, [403])
  })
})
