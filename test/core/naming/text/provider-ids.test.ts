import t from 'tap'
import { parseMovieName } from '../../../../src/core/naming/index.ts'
import { rowsOf, scoreRows } from '../../../support/naming-rows.ts'

type Row = { name: string; attribute: 'imdbid' | 'tmdbid' | 'tvdbid'; expect: string | null; src: string }
const KEYS = { imdbid: 'imdb', tmdbid: 'tmdb', tvdbid: 'tvdb' } as const

void t.test('provider ids are read in every spelling with matching brackets', (t) => {
  scoreRows(t, 'provider_ids', rowsOf<Row>('provider_ids'), ({ name, attribute, expect }) => {
    const actual = parseMovieName(name).providerIds[KEYS[attribute]] ?? null
    return actual === expect ? undefined : `${name} -> ${actual}, not ${expect}`
  })
  t.end()
})

void t.test('ids are no part of the title, and those of the folder apply to its film', (t) => {
  const folder = 'Amélie (2001) [tmdbid-194]'
  t.match(parseMovieName(`${folder}/Amélie (2001) {imdb-tt0211915}.mkv`), {
    title: 'Amélie',
    year: 2001,
    providerIds: { tmdb: '194', imdb: 'tt0211915' },
  })
  t.strictSame(parseMovieName(`${folder}/Other Film (1999).mkv`).providerIds, {}, 'but not for another')
  t.strictSame(parseMovieName('Film [tmdbid-abc] [imdb-1].mkv').providerIds, {}, 'an invalid value is no id')
  t.end()
})
