import t from 'tap'
import { FILMS, startFilmCatalogue } from '../../../support/film-catalogue.ts'

const filmCatalogue = await startFilmCatalogue(t, [
  ...FILMS,
  { name: 'Keanu', sortTitle: 'Keanu', year: 2016 },
  { name: 'Keanu Reeves: A Life', sortTitle: 'Keanu Reeves: A Life', year: 2020 },
])

void t.test('search: title before people, words in any order, typing errors, 400 without words', async (t) => {
  const { get, names } = filmCatalogue
  const found = await get('/media/search?q=%20AMELIE%20')
  t.match(found, {
    status: 200,
    json: { query: 'AMELIE', total: 1, limit: 50, offset: 0, items: [{ name: 'Amélie' }] },
  })
  for (const q of ['', '%20%20', '%00', '%CC%81', '%20%E2%83%9D%00'])
    t.match(await get(`/media/search?q=${q}`), { status: 400, json: { code: 'invalid_request', field: 'q' } }, q)
  t.strictSame(await names('search=keanu reeves'), ['Keanu Reeves: A Life', 'John Wick', 'The Matrix'])
  t.strictSame(await names('search=keanu'), ['Keanu', 'Keanu Reeves: A Life'])
  t.strictSame(await names('search=odyssey space'), ['2001: A Space Odyssey'])
  for (const typo of ['matirx', 'the matrx', 'mattrix', 'matrux'])
    t.strictSame(await names(`search=${typo}`), ['The Matrix'], typo)
  t.strictSame(await names('search=jonh wick'), ['John Wick'])
  t.strictSame(await names('search=padington&yearFrom=2000'), [], 'filters apply to similar titles, too')
  t.strictSame(await names('search=' + encodeURIComponent('名')), ['君の名は'])
  t.strictSame(await names('search=the&topLevel=1'), ['The Matrix'], 'topLevel has no effect on a search')
})

void t.test('one or two letters match anywhere in the sort name, or at the start of words', async (t) => {
  const { names } = filmCatalogue
  t.strictSame(await names('search=th'), ['The Matrix'], 'also behind an article')
  t.strictSame(await names('search=ma th'), ['The Matrix'], 'every word')
  t.strictSame(await names('search=k r'), ['Keanu Reeves: A Life'])
  t.strictSame(await names('search=at'), ['The Matrix'], 'inside a word')
  t.equal((await names('search=a')).length, 6)
  t.strictSame((await names('search=a')).slice(0, 1), ['Amélie'], 'names that begin so come first')
  t.strictSame(await names('search=' + encodeURIComponent('の名')), ['君の名は'], 'scripts without gaps')
  for (const odd of ['%', '_', '!', "'", '(', '\\', '--', 'a%']) {
    t.strictSame(await names('search=' + encodeURIComponent(odd)), [], odd)
  }
})
