import t from 'tap'
import { findIdsInAddresses } from '../../../../src/core/probing/sidecars/provider-ids.ts'

void t.test('each form of an address of TVDB gives its number, the last one where there are several', (t) => {
  const addresses: [string, string | undefined][] = [
    ['https://thetvdb.com/?tab=series&id=71663', '71663'],
    ['http://www.thetvdb.com/index.php?tab=episode&seriesid=1&seasonid=2&id=3&lid=7', '3'],
    ['https://thetvdb.com/series/some-show?seriesid=81189', '81189'],
    ['https://www.thetvdb.com/dereferrer/movie/42', '42'],
    ['https://thetvdb.com/series/some-show', undefined],
    ['https://thetvdb.com/?tab=series& id=5', undefined],
    ['https://thetvdb.com/&id=5', undefined],
  ]
  for (const [address, tvdb] of addresses) {
    t.strictSame(findIdsInAddresses(`See ${address} "there"`), tvdb === undefined ? {} : { tvdb }, address)
  }
  t.end()
})
