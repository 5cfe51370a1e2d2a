import t from 'tap'
import { providerLookupIds, type MatchableItem } from '../../../src/core/metadata/matchable-item.ts'

const item = (part: Partial<MatchableItem>): MatchableItem => ({
  id: 'a',
  type: 'movie',
  name: 'A',
  year: null,
  path: null,
  storedIds: { tmdb: '1', imdb: 'tt1' },
  storedKind: null,
  localIds: {},
  localOriginalTitle: null,
  refreshedAt: null,
  questionHash: Buffer.of(),
  ...part,
})

void t.test('an item is looked up by ids of one kind', async (t) => {
  const series = { type: 'series', storedKind: 'tv' } as const
  for (const [claim, part, written, numbers] of [
    ['without stored values the kind is that of the item', {}, {}, { kind: 'movie', ids: { tmdb: '1', imdb: 'tt1' } }],
    ['ids that are stored have priority', {}, { tmdb: '2' }, { kind: 'movie', ids: { tmdb: '2', imdb: 'tt1' } }],
    ['also of series', series, { tvdb: '3' }, { kind: 'tv', ids: { tmdb: '1', imdb: 'tt1', tvdb: '3' } }],
    ['a match says its kind', { storedKind: 'tv' }, {}, { kind: 'tv', ids: { tmdb: '1', imdb: 'tt1' } }],
    ['as do ids that were written', { storedKind: 'tv' }, { tmdb: '2' }, { kind: 'movie', ids: { tmdb: '2' } }],
    [
      'ids from other sources do not override a match',
      { type: 'series', storedKind: 'movie' },
      { imdb: 'tt2', tvdb: '3' },
      { kind: 'movie', ids: { tmdb: '1', imdb: 'tt1' } },
    ],
  ] as const) {
    t.strictSame(providerLookupIds(item(part), written), numbers, claim)
  }
})
