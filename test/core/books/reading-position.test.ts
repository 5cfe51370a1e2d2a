import t from 'tap'
import { getReadingPosition, moveReadingPositions, saveReadingPosition } from '../../../src/core/books/index.ts'
import { fillInPosition } from '../../../src/core/books/reading-position.ts'
import { makeItems, makeUser } from '../../support/catalogue-items.ts'
import { testDatabase } from '../../support/database.ts'
import { movableClock } from '../../support/records.ts'

void t.test('absent fields are derived from the given ones', (t) => {
  for (const [reported, pageCount, pages, percent] of [
    [{ currentPage: 5 }, 20, 20, 25],
    [{ currentPage: 5, totalPages: 10 }, 20, 10, 50],
    [{ currentPage: 5, totalPages: 0 }, 0, 0, 0],
    [{ currentPage: 50 }, 20, 20, 100],
    [{ currentPage: 1, percentComplete: 99.999 }, 3, 3, 100],
    [{ percentComplete: 0 }, 3, 3, 0],
    [{}, 0, 0, 0],
  ] as const) {
    t.match(
      fillInPosition(reported, pageCount),
      { totalPages: pages, percentComplete: percent },
      JSON.stringify(reported),
    )
  }
  t.equal(fillInPosition({ currentPage: 50 }, 20).currentPage, 20)
  t.equal(fillInPosition({ currentPage: 50 }, 0).currentPage, 50)
  t.end()
})

void t.test('a book takes over the later position of each reader from its other row', async (t) => {
  const { pool: db } = await testDatabase(t)
  const clock = movableClock()
  const [fromId = '', toId = ''] = await makeItems(db, t.testdir(), [{ type: 'book' }, { type: 'book' }])
  const [early, late, only] = [await makeUser(db, 'early'), await makeUser(db, 'late'), await makeUser(db, 'only')]
  const save = (bookId: string, userId: string, currentPage: number) => {
    clock.advance(1)
    const place = { currentPage, locator: `epubcfi(/6/${currentPage})` }
    return saveReadingPosition({ db, clock }, { bookId, profileId: userId, place })
  }
  await save(fromId, early, 1)
  await save(toId, early, 2)
  await save(toId, late, 3)
  await save(fromId, late, 4)
  await save(fromId, only, 5)
  await db.transaction((connection) => moveReadingPositions(connection, { fromId, toId }))
  const pageOf = async (userId: string) =>
    (await getReadingPosition({ db }, { bookId: toId, profileId: userId })).currentPage
  t.strictSame([await pageOf(early), await pageOf(late), await pageOf(only)], [2, 4, 5])
  const { locator } = await getReadingPosition({ db }, { bookId: toId, profileId: late })
  t.equal(locator, 'epubcfi(/6/4)', 'with the point in the text')
  await db.transaction((connection) => moveReadingPositions(connection, { fromId, toId }))
  t.equal(await pageOf(early), 2, 'twice is once')
})
