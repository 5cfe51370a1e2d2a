import t from 'tap'
import {
  chooseCandidate,
  chooseUncertainCandidate,
  isConfirmedByTitles,
} from '../../../src/core/metadata/choose-candidate.ts'
import type { TitleCandidate } from '../../../src/core/metadata/provider-facts.ts'
import { titleKey } from '../../../src/core/metadata/title-key.ts'

const candidate = (
  id: string,
  title: string,
  year: number | null,
  more: Partial<TitleCandidate> = {},
): TitleCandidate => ({
  id,
  kind: 'movie',
  title,
  originalTitle: null,
  year,
  overview: null,
  posterUrl: null,
  backdropUrl: null,
  voteAverage: null,
  popularity: 1,
  ...more,
})

void t.test('titles are equal regardless of accents, case, punctuation and articles', (t) => {
  for (const [one, other] of [
    ['Amélie', 'amelie'],
    ['The Matrix', 'Matrix'],
    ['Fast & Furious', 'Fast and Furious'],
    ['Mission: Impossible', 'Mission Impossible'],
    ["Ocean's Eleven", 'Oceans Eleven'],
    ['Spider-Man', 'spider man'],
    ['Straße ÆON Łódź', 'strasse aeon lodz'],
    ['ｆｕｌｌ', 'full'],
  ] as const) {
    t.equal(titleKey(one), titleKey(other), one)
  }
  for (const [one, other] of [
    ['Alien', 'Aliens'],
    ['The', 'A'],
    ['???', '!!!'],
    ['君の名は', '君の膵臓をたべたい'],
  ] as const) {
    t.not(titleKey(one), titleKey(other), one)
  }
  t.equal(titleKey('a'.repeat(1_000_000)).length, 500, 'a text of a provider may have any length')
  t.end()
})

void t.test('the same title at most a year apart is chosen: the nearest year, then the most popular', (t) => {
  const rows = [
    candidate('1', 'Heat', 1986, { popularity: 90 }),
    candidate('2', 'Heat', 1995, { popularity: 5 }),
    candidate('3', 'HEAT', 1996, { popularity: 80 }),
    candidate('4', 'Heat Wave', 1995, { popularity: 99 }),
    candidate('5', 'Heat', null, { popularity: 99 }),
  ]
  for (const [wanted, id] of [
    [{ title: 'heat', year: 1995 }, '2'],
    [{ title: 'heat', year: 1997 }, '3'],
    [{ title: 'heat', year: 1985 }, '1'],
    [{ title: 'heat', year: null }, '5'],
    [{ title: 'heat', year: 1990 }, undefined],
    [{ title: 'heat wave', year: 1995 }, '4'],
    [{ title: 'nothing', year: 1995 }, undefined],
    [{ title: 'heat', year: null, knownId: '1' }, '1'],
  ] as const) {
    t.equal(chooseCandidate(rows, wanted)?.id, id, JSON.stringify(wanted))
  }
  const foreign = [candidate('7', 'Spirited Away', 2001, { originalTitle: '千と千尋の神隠し' })]
  t.equal(chooseCandidate(foreign, { title: '千と千尋の神隠し', year: 2002 })?.id, '7', 'the original title counts too')
  t.equal(chooseCandidate([], { title: 'x', year: null }), undefined)
  t.end()
})

void t.test('an uncertain candidate of the right year needs a second confirmation', (t) => {
  const rows = [candidate('1', 'Dr. Strangelove or: How I Learned', 1964), candidate('2', 'Strange', 1950)]
  const wanted = { title: 'Dr Strangelove', year: 1964 }
  t.equal(chooseUncertainCandidate(rows, wanted)?.id, '1')
  t.equal(chooseUncertainCandidate(rows, { ...wanted, year: null }), undefined)
  t.ok(isConfirmedByTitles(['Dr. Strangelove or: How I Learned'], 1964, wanted), 'it continues where the other ends')
  t.ok(isConfirmedByTitles(['Something', 'Dr Strangelove'], 1965, wanted), 'it is called so somewhere')
  t.notOk(isConfirmedByTitles(['Dr. Strangelove or: How I Learned'], 1965, wanted))
  t.notOk(isConfirmedByTitles(['It Follows'], 2014, { title: 'It', year: 2014 }), 'two letters begin too many titles')
  t.notOk(isConfirmedByTitles(['Strangelovely'], 1964, { title: 'Strangelove', year: 1964 }))
  t.end()
})
