import t from 'tap'
import { createCollection } from '../../../../src/core/collections/index.ts'
import { pick, startApp } from '../../../support/app.ts'
import { makeItems } from '../../../support/catalogue-items.ts'
import { makeSongs } from '../../../support/music-library.ts'

const GROUPS = [
  'movies',
  'series',
  'episodes',
  'tracks',
  'audiobooks',
  'books',
  'photos',
  'artists',
  'albums',
  'collections',
]

void t.test('one search finds the best matches of each kind', async (t) => {
  const { ask, registerAdmin, registerUser, services } = await startApp(t)
  const [{ token, account }, other] = [await registerAdmin(), await registerUser()]
  const folder = t.testdir()
  const named = (name: string, type: string, file: string) => ({
    name,
    sortTitle: name,
    type,
    path: `${folder}/${file}`,
  })
  const films = Array.from({ length: 7 }, (_, index) => named(`Harbour Lights ${index}`, 'movie', `${index}.mkv`))
  const [film = ''] = await makeItems(services.db, folder, [
    ...films,
    named('Harbour News', 'episode', 'e.mkv'),
    named('The Harbour Book', 'book', 'a.epub'),
    named('Harbour Sounds', 'audiobook', 'a.m4b'),
    named('harbour.jpg', 'image', 'harbour.jpg'),
  ] as Parameters<typeof makeItems>[2])
  await makeSongs(services.db, folder, [{ name: 'Harbour Song', artist: 'Harbour Quartet', album: 'Low Tide' }])
  const libraryId = String(pick((await ask('GET', `/api/v1/media/${film}`, { token })).json, 'library_id'))
  await createCollection(services, { by: account, input: { name: 'Harbour Films', libraryId } })
  await ask('POST', `/api/v1/media/${film}/favorite`, { token })

  const search = (query: string, bearer = token) => ask('GET', `/api/v1/search?${query}`, { token: bearer })
  const found = await search('q=harbour')
  t.equal(found.status, 200, found.text)
  const names = (group: string): unknown[] =>
    (pick(found.json, group, 'items') as { name: string }[]).map(({ name }) => name)
  t.equal(names('movies').length, 5)
  t.equal(pick(found.json, 'movies', 'has_more'), true)
  t.strictSame(names('episodes'), ['Harbour News'])
  t.strictSame(names('books'), ['The Harbour Book'])
  t.strictSame(names('audiobooks'), ['Harbour Sounds'])
  t.strictSame(names('photos'), ['harbour.jpg'])
  t.strictSame(names('tracks'), ['Harbour Song'])
  t.strictSame(names('artists'), ['Harbour Quartet'])
  t.strictSame(names('albums'), ['Low Tide'], 'by its artist')
  t.strictSame(names('collections'), ['Harbour Films'])
  t.strictSame(names('series'), [])
  for (const group of GROUPS.slice(1)) t.equal(pick(found.json, group, 'has_more'), false, group)

  t.match((await search('q=TIDE%20low')).json, { albums: { items: [{ name: 'Low Tide', tracks: [] }] } })
  const typo = await search('q=harbuor')
  t.ok((pick(typo.json, 'movies', 'items') as unknown[]).length > 0, 'a typing error finds similar names')
  const exact = await search('q=quartet')
  t.strictSame(pick(exact.json, 'movies', 'items'), [], 'similar names are not mixed with exact ones')
  const all = await search('q=harbour&limit=20')
  const marked = pick(all.json, 'movies', 'items') as { id: string; user_data: { favorite: boolean } }[]
  t.equal(marked.length, 7)
  t.strictSame(
    marked.filter(({ user_data: data }) => data.favorite).map(({ id }) => id),
    [film],
  )
  t.notMatch((await search('q=harbour&limit=20', other.token)).text, '"favorite":true')
  t.notMatch((await search('q=harbour&limit=20', other.token)).text, folder, 'no path of the machine')
  t.equal(pick((await search('q=harbour&limit=999')).json, 'limit'), 20)
  t.equal(pick((await search('q=harbour&limit=0')).json, 'limit'), 1)

  for (const query of ['', 'q=', 'q=%20', 'q=%00', 'q=%CC%81']) {
    t.match(await search(query), { status: 400, json: { code: 'invalid_request', field: 'q' } }, query)
  }
  const hostile = [
    '%',
    '_',
    "'",
    '"',
    '\\',
    '%25%25',
    'a%00b',
    '%F0%9F%98%80',
    'x'.repeat(2000),
    'a '.repeat(500),
    '*',
    '(',
    '--',
  ]
  for (const text of hostile) {
    const answer = await search(`q=${text.startsWith('%') && text.length > 1 ? text : encodeURIComponent(text)}`)
    t.equal(answer.status, 200, `${text.slice(0, 20)} ${answer.text.slice(0, 100)}`)
    if (text === '%' || text === '_')
      for (const group of ['artists', 'collections']) t.strictSame(pick(answer.json, group, 'items'), [])
  }
  t.equal((await ask('GET', '/api/v1/search?q=harbour')).status, 401)
})
