import { sql } from 'slonik'
import t from 'tap'
import { z } from 'zod'
import { createReplyCache } from '../../../src/core/metadata/provider-client/reply-cache.ts'
import { retryAfterMilliseconds } from '../../../src/core/metadata/provider-client/retry-after.ts'
import { createRateLimiter } from '../../../src/core/metadata/provider-client/rate-limiter.ts'
import {
  LenientNumber,
  LenientDate,
  LenientFlag,
  LenientId,
  lenientList,
  lenientObject,
  LenientText,
  parseDateYear,
} from '../../../src/core/metadata/providers/lenient-schemas.ts'
import { createPictureUrlBuilder } from '../../../src/core/metadata/providers/tmdb/images.ts'
import { TmdbConfiguration, TitleReply } from '../../../src/core/metadata/providers/tmdb/replies.ts'
import { titleFacts } from '../../../src/core/metadata/providers/tmdb/title-facts.ts'
import { chooseTrailer } from '../../../src/core/metadata/providers/tmdb/trailer.ts'
import { testDatabase } from '../../support/database.ts'
import { movableClock } from '../../support/records.ts'

const never = new AbortController().signal

void t.test('twenty requests a second: twenty immediately, then one every 50 ms, and none while held', async (t) => {
  const clock = movableClock()
  const waits: number[] = []
  const rateLimiter = createRateLimiter({
    clock,
    perSecond: 20,
    wait: async (milliseconds) => void waits.push(Math.round(milliseconds)),
  })
  for (let count = 0; count < 23; count += 1) await rateLimiter.take(never)
  t.strictSame(waits, [50, 100, 150])
  clock.advance(10)
  waits.length = 0
  for (let count = 0; count < 21; count += 1) await rateLimiter.take(never)
  t.strictSame(waits, [50], 'unused permits accumulate for at most a second')
  clock.advance(10)
  waits.length = 0
  rateLimiter.hold(3000)
  await rateLimiter.take(never)
  t.strictSame(waits, [3000])
  clock.advance(3)
  await rateLimiter.take(never)
  t.strictSame(waits, [3000])
  await t.rejects(rateLimiter.take(AbortSignal.abort(new Error('left'))), { message: 'left' })
})

void t.test('Retry-After is seconds or a date; more than five minutes is ignored', (t) => {
  const now = new Date('2026-03-01T12:00:00Z')
  for (const [header, milliseconds] of [
    [undefined, undefined],
    ['3', 3000],
    [' 0 ', 0],
    ['300', 300_000],
    ['301', undefined],
    ['99999999999999999999', undefined],
    ['-1', undefined],
    ['soon', undefined],
    ['', undefined],
    ['Sun, 01 Mar 2026 12:00:10 GMT', 10_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['Sun, 01 Mar 2099 11:00:00 GMT', undefined],
  ] as const) {
    t.equal(retryAfterMilliseconds(header, now), milliseconds, String(header))
  }
  t.end()
})

void t.test('replies are cached for a day and up to a limit', async (t) => {
  const { pool: db } = await testDatabase(t)
  const clock = movableClock()
  const cache = createReplyCache({ db, clock, maxReplies: 10, repliesPerTrim: 5 })
  await cache.store('a', { text: 'with \0 and \ud800' })
  t.strictSame((await cache.find('a', undefined))?.reply, { text: 'with  and \ufffd' })
  await cache.store('gone', null)
  t.match(await cache.find('gone', undefined), { reply: null }, 'a missing resource is cached too')
  t.equal(await cache.find('b', undefined), undefined)
  clock.advance(60)
  t.equal(await cache.find('a', clock.now()), undefined, 'not if a newer one is required')
  clock.advance(24 * 60 * 60)
  t.equal(await cache.find('a', undefined), undefined)
  for (let count = 0; count < 48; count += 1) {
    clock.advance(1)
    await cache.store(`more ${count}`, { count })
  }
  t.equal(await db.oneFirst(sql.unsafe`select count(*) from provider_replies`), 10)
  t.match(await cache.find('more 47', undefined), { reply: { count: 47 } }, 'the newest stay')
})

void t.test('values of another form count as absent, and cached values can be parsed again', (t) => {
  const Reply = z.object({
    text: LenientText,
    amount: LenientNumber,
    id: LenientId,
    day: LenientDate,
    flag: LenientFlag,
    list: lenientList(z.object({ name: z.string() }), 2),
    inner: lenientObject({ text: LenientText }),
  })
  const nothing = { text: null, amount: null, id: null, day: null, flag: false, list: [], inner: { text: null } }
  for (const wrong of [
    {},
    { text: 1, amount: '1', id: 'x', day: '2026', flag: 'true', list: {}, inner: [] },
    { text: '  ', amount: Number.NaN, id: -1, day: 20_260_301, flag: 1, list: [{ name: 1 }, null], inner: 'x' },
    { id: 0, day: '2026-03-01T00:00:00Z', list: 'x', inner: null },
  ]) {
    t.strictSame(Reply.parse(wrong), nothing, JSON.stringify(wrong))
  }
  const right = Reply.parse({
    text: ' a ',
    amount: 1,
    id: 12,
    day: '2026-03-01',
    flag: true,
    list: [{ name: 'a' }, 1, { name: 'b' }, { name: 'c' }],
    inner: { text: 'b' },
  })
  t.strictSame(right, {
    text: 'a',
    amount: 1,
    id: '12',
    day: '2026-03-01',
    flag: true,
    list: [{ name: 'a' }, { name: 'b' }],
    inner: { text: 'b' },
  })
  t.strictSame(Reply.parse(right), right)
  t.equal(LenientText.parse('a'.repeat(1_000_000))?.length, 10_000)
  t.strictSame([parseDateYear('0000-01-01'), parseDateYear(null), parseDateYear('1999-12-31')], [null, null, 1999])
  t.end()
})

void t.test('keys like __proto__ are data, and a hostile reply poisons nothing (IN-11)', (t) => {
  const hostile: unknown = JSON.parse(
    '{"id": 1, "title": "x", "__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}, "credits": {"__proto__": {"cast": 1}}}',
  )
  const reply = TitleReply.parse(hostile)
  const addressOf = createPictureUrlBuilder(TmdbConfiguration.parse({}).images)
  titleFacts('movie', reply, { addressOf, language: 'en', country: 'US' })
  t.equal(({} as Record<string, unknown>)['polluted'], undefined)
  t.notOk(Object.hasOwn(reply, 'constructor'))
  t.end()
})

void t.test('only valid picture paths become addresses', (t) => {
  const addressOf = createPictureUrlBuilder(
    TmdbConfiguration.parse({ images: { secure_base_url: 'https://i.test/', poster_sizes: ['w780'] } }).images,
  )
  t.equal(addressOf('poster', '/a_B-1.jpg'), 'https://i.test/w780/a_B-1.jpg')
  t.equal(
    addressOf('backdrop', '/a.png'),
    'https://i.test/original/a.png',
    'a size that is not offered is not requested',
  )
  for (const path of [
    null,
    '',
    'a.jpg',
    '/../a.jpg',
    '//evil/a.jpg',
    '/a.svg',
    '/a.jpg?x',
    '/a b.jpg',
    `/${'a'.repeat(200)}.jpg`,
  ]) {
    t.equal(addressOf('poster', path), null, String(path))
  }
  t.end()
})

void t.test('the trailer is the official one in the language; invalid keys give no address', (t) => {
  const video = { site: 'YouTube', type: 'Trailer', key: 'abcdefghijk', official: true, iso_639_1: 'en' }
  t.match(
    chooseTrailer([{ ...video, key: 'secondvideo', official: false }, { ...video, type: 'Teaser' }, video], 'en'),
    {
      trailer_key: 'abcdefghijk',
    },
  )
  t.match(chooseTrailer([video, { ...video, key: 'deutsch1234', iso_639_1: 'de' }], 'de'), {
    trailer_key: 'deutsch1234',
  })
  t.match(chooseTrailer([{ ...video, site: 'Vimeo', key: '123456' }], 'en'), {
    trailer_url: 'https://vimeo.com/123456',
  })
  for (const wrong of [
    { key: 'a&b=javascript:' },
    { key: null },
    { site: 'constructor' },
    { site: null },
    { type: 'Clip' },
  ]) {
    t.strictSame(chooseTrailer([{ ...video, ...wrong }], 'en'), {}, JSON.stringify(wrong))
  }
  t.end()
})
