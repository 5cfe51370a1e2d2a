import t from 'tap'
import { pick } from '../../../support/app.ts'
import { startFilmCatalogue } from '../../../support/film-catalogue.ts'

const UNKNOWN = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'

const filmCatalogue = await startFilmCatalogue(t)

void t.test('every filter narrows a list, in every notation that clients use', async (t) => {
  const { names, get, libraryId } = filmCatalogue
  const cases: [query: string, expected: string[]][] = [
    ['genres[]=Action', ['John Wick', 'The Matrix']],
    ['genres%5B%5D=ACTION', ['John Wick', 'The Matrix']],
    ['genres[0]=Romance&genres[1]=Thriller', ['Amélie', 'John Wick']],
    ['genres=Romance&genres=Thriller', ['Amélie', 'John Wick']],
    ['genres=Comedy', ['Amélie', 'Paddington']],
    ['genres[]=Action&genres[]=Comedy&actors[]=keanu%20reeves', ['John Wick', 'The Matrix']],
    ['genres[]=Comedy&actors[]=Keanu Reeves', []],
    ['actors[]=Keanu', []],
    ['companies[]=warner%20bros.', ['The Matrix']],
    ['companies[]=UGC', ['Amélie']],
    ['ratings[]=R', ['Amélie', 'John Wick', 'The Matrix']],
    ['ratings[]=G&ratings[]=PG', ['2001: A Space Odyssey', '君の名は']],
    ['yearFrom=2001', ['Amélie', 'John Wick', '君の名は']],
    ['yearTo=1999', ['2001: A Space Odyssey', 'The Matrix']],
    ['yearFrom=1999&yearTo=2001', ['Amélie', 'The Matrix']],
    ['yearFrom=2001&yearTo=1999', []],
    ['yearFrom=2000&genres[]=Action', ['John Wick']],
    ['minRating=7.5', ['Amélie', 'The Matrix']],
    ['minRating=7.4&maxRating=7.9', ['Amélie', 'John Wick']],
    ['maxRating=PG', ['2001: A Space Odyssey', '君の名は']],
    ['minRating=PG-13', ['Amélie', 'John Wick', 'The Matrix']],
    ['match=matched', ['The Matrix']],
    ['match=unmatched', ['2001: A Space Odyssey', 'Amélie', 'John Wick', 'Paddington', '君の名は']],
    ['types[]=movie&yearTo=1999', ['2001: A Space Odyssey', 'The Matrix']],
    ['types[]=series', []],
    ['types[]=nonsense', []],
    ['genres[]=&yearFrom=&minRating=', await names('')],
    [`libraryId=${libraryId}&topLevel=1&genres[]=Action`, ['John Wick', 'The Matrix']],
    [`library_id=${libraryId}&top_level=1&genres[]=Action`, ['John Wick', 'The Matrix']],
    ['library_id=0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11', []],
  ]
  for (const [query, expected] of cases) {
    t.strictSame(await names(query), expected, query)
    t.equal(pick((await get(`/media?${query}`)).json, 'total'), expected.length, `total of ${query}`)
  }
  t.match(await get('/media?minRating=high'), { status: 400, json: { code: 'invalid_request', field: 'minRating' } })
})

void t.test('orders that clients ask for hold in both directions, and items without a value come last', async (t) => {
  const { names } = filmCatalogue
  const byYear = ['2001: A Space Odyssey', 'The Matrix', 'Amélie', 'John Wick', '君の名は']
  t.strictSame(await names('sort=year'), [...byYear, 'Paddington'])
  t.strictSame(await names('sort=year&order=desc'), [...byYear.toReversed(), 'Paddington'])
  t.strictSame(await names('sort=runtime&order=desc&limit=3'), ['The Matrix', 'Amélie', 'John Wick'])
  t.equal((await names('sort=runtime')).at(-1), 'Paddington')
  t.strictSame((await names('sort=rating')).slice(0, 2), ['2001: A Space Odyssey', '君の名は'], 'from the youngest up')
  t.equal((await names('sort=rating&order=desc')).at(-1), 'Paddington')
  t.equal((await names('sort=random')).length, 6)
  t.strictSame(await names('sort=year&limit=2&offset=4'), ['君の名は', 'Paddington'], 'a page over the border')
})

void t.test('facets, the letter index and pages of a list', async (t) => {
  const { get, libraryId } = filmCatalogue
  const genres = ['Action', 'Animation', 'Comedy', 'Romance', 'Science Fiction', 'Thriller']
  const facets = (await get(`/media/facets?libraryId=${libraryId}`)).json
  t.strictSame(
    (pick(facets, 'genres') as string[]).map((word) => word.toLowerCase()),
    genres.map((word) => word.toLowerCase()),
  )
  t.strictSame(pick(facets, 'ratings'), ['G', 'PG', 'R'])
  t.strictSame((await get(`/media/facets?libraryId=${UNKNOWN}`)).json, { genres: [], ratings: [] })
  t.equal((await get('/media/facets?libraryId=x')).status, 400)
  const letters = [
    { letter: '#', offset: 0, count: 1 },
    { letter: 'A', offset: 1, count: 1 },
    { letter: 'J', offset: 2, count: 1 },
    { letter: 'M', offset: 3, count: 1 },
    { letter: 'P', offset: 4, count: 1 },
    { letter: '…', offset: 5, count: 1 },
  ]
  t.strictSame((await get('/media/letter-index?topLevel=1')).json, { letters, total: 6 })
  t.match((await get('/media/letter-index?genres[]=Action')).json, {
    letters: [
      { letter: 'J', offset: 0, count: 1 },
      { letter: 'M', offset: 1, count: 1 },
    ],
    total: 2,
  })
  t.match((await get('/media/index')).json, { field: 'name', total: 6, buckets: [{ key: '#', label: '#', offset: 0 }] })
  const buckets = async (query: string) => pick((await get(`/media/index?${query}`)).json, 'buckets')
  t.strictSame(await buckets('field=year&order=desc&yearFrom=2001'), [
    { key: '2016', label: '2016', offset: 0, count: 1 },
    { key: '2014', label: '2014', offset: 1, count: 1 },
    { key: '2001', label: '2001', offset: 2, count: 1 },
  ])
  t.match(((await buckets('field=year')) as unknown[]).at(-1), { key: '', label: 'Unknown', offset: 5, count: 1 })
  t.match(await buckets('field=rating'), [
    { label: 'G' },
    { label: 'PG' },
    { label: 'R', count: 3 },
    { label: 'Unknown' },
  ])
  t.match(await buckets('field=runtime&order=desc'), [{ label: '120–150 min', count: 2 }, { label: '90–120 min' }])
  t.match((await get('/media/index?field=date_added')).json, {
    field: 'date_added',
    buckets: [{ key: '2026-01', offset: 0, count: 6 }],
  })
})
