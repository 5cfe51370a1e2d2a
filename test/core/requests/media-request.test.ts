import t from 'tap'
import { checkMediaRequest, type RequestInput } from '../../../src/core/requests/media-request.ts'

const MOVIE = { type: 'movie', catalogId: 603, title: 'The Matrix' }
const SERIES = { type: 'series', catalogId: 1396, title: 'Breaking Bad', season: 1, episode: 2 }
const STRICT = { allowWholeSeries: false }
const LENIENT = { allowWholeSeries: true }

function codeOf(input: RequestInput, rules = STRICT): string {
  try {
    checkMediaRequest(input, rules)
    return 'accepted'
  } catch (error) {
    return (error as { code: string }).code
  }
}

void t.test('a movie has no season and no episode, whatever was sent', async (t) => {
  const expected = { type: 'movie', catalogId: 603, title: 'The Matrix', posterUrl: null, seasonNumber: null }
  t.strictSame(checkMediaRequest({ ...MOVIE, season: 'x', episode: 7 }, STRICT), { ...expected, episodeNumber: null })
})

void t.test('a series names a season and an episode; specials are season 0', async (t) => {
  t.match(checkMediaRequest({ ...SERIES, season: 0 }, STRICT), { seasonNumber: 0, episodeNumber: 2 })
  t.equal(codeOf({ ...SERIES, season: null }), 'missing_season')
  t.equal(codeOf({ ...SERIES, episode: undefined }), 'missing_episode')
  t.equal(codeOf({ ...SERIES, episode: '2' }), 'invalid_request')
})

void t.test('with requests.allow_whole_series a whole series or season may be requested', async (t) => {
  t.equal(codeOf({ ...SERIES, season: null, episode: null }, LENIENT), 'accepted')
  t.equal(codeOf({ ...SERIES, episode: null }, LENIENT), 'accepted')
  t.equal(codeOf({ ...SERIES, season: null }, LENIENT), 'missing_season', 'an episode of no season is none')
})

void t.test('the first broken rule in the documented order is reported', async (t) => {
  t.equal(codeOf({}), 'invalid_type')
  t.equal(codeOf({ type: 'movie' }), 'invalid_catalog_id')
  t.equal(codeOf({ type: 'movie', catalogId: 1 }), 'missing_title')
})

void t.test('nothing is coerced', async (t) => {
  for (const type of ['Movie', 'tv', '', 1, null, ['movie']]) t.equal(codeOf({ ...MOVIE, type }), 'invalid_type')
  for (const catalogId of [0, -1, 1.5, '603', true, null, [603], Number.POSITIVE_INFINITY, 2 ** 31, Number.NaN]) {
    t.equal(codeOf({ ...MOVIE, catalogId }), 'invalid_catalog_id', String(catalogId))
  }
  for (const title of ['', '   ', 5, null, ['x']]) t.equal(codeOf({ ...MOVIE, title }), 'missing_title')
})

void t.test('texts that cannot be stored or that a page could execute are refused', async (t) => {
  for (const title of ['a\0b', '\uD800', 'x'.repeat(501)]) t.equal(codeOf({ ...MOVIE, title }), 'invalid_request')
  for (const posterUrl of ['javascript:alert(1)', 'data:image/png,', 'x.jpg', 5, 'https://', 'http://a b', '/a\nb']) {
    t.equal(codeOf({ ...MOVIE, posterUrl }), 'invalid_request', String(posterUrl))
  }
  t.equal(codeOf({ ...MOVIE, posterUrl: `https://x/${'y'.repeat(2048)}` }), 'invalid_request')
  for (const posterUrl of ['https://image.example/p.jpg', '/p.jpg', null, '']) {
    t.equal(codeOf({ ...MOVIE, posterUrl }), 'accepted', String(posterUrl))
  }
})
