import t from 'tap'
import { RATING_NAMES } from '../../../src/core/catalogue/filter/facet-filter.ts'
import { convertRankToAge, convertAgeToRank } from '../../../src/core/profiles/rating-rank.ts'

void t.test('a rank is the place of a word in the list of ratings, and stands for its age', (t) => {
  for (const [rank, age] of [0, 0, 0, 7, 10, 10, 13, 14, 17, 17, 18, 18, null].entries())
    t.equal(convertRankToAge(rank), age)
  for (const rank of [-1, 13, 0.5, Number.NaN, Infinity])
    t.throws(() => convertRankToAge(rank), { code: 'profile.invalid' })
  for (const [age, rank] of [
    [0, 0],
    [6, 0],
    [7, 3],
    [12, 4],
    [13, 6],
    [16, 7],
    [17, 8],
    [21, 10],
    [null, 12],
  ] as const) {
    t.strictSame(convertAgeToRank(age), { rank, word: RATING_NAMES[rank] }, String(age))
  }
  t.end()
})
