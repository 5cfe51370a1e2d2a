import { sql } from 'slonik'
import t, { type Test } from 'tap'
import { getAudiobookProgress, moveProgress, openAudiobook, saveProgress } from '../../../src/core/audiobooks/index.ts'
import {
  mapProgressToChapters,
  measureProgress,
  positionInBook,
  positionInChapter,
} from '../../../src/core/audiobooks/progress.ts'
import { makeItems, makeUser } from '../../support/catalogue-items.ts'
import { testDatabase } from '../../support/database.ts'
import { movableClock } from '../../support/records.ts'

const UNKNOWN = '0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11'

const chapter = (startSeconds: number, endSeconds: number) => ({ startSeconds, endSeconds, title: null })
const BOOK = { chapters: [chapter(0, 100), chapter(100, 300), chapter(300, 400)], durationSeconds: 400 }

async function setup(t: Test) {
  const { pool: db } = await testDatabase(t)
  const clock = movableClock()
  const userId = await makeUser(db, 'listener')
  const [audiobookId = '', film = ''] = await makeItems(db, t.testdir(), [{ type: 'audiobook', ...BOOK }, {}])
  const save = (currentChapterIndex: number, positionMs: number, who = userId) =>
    saveProgress({ db, clock }, { audiobookId, profileId: who, currentChapterIndex, positionMs })
  return { db, clock, userId, audiobookId, film, save }
}

void t.test('chapters and percentage follow from the position alone', (t) => {
  const at = (currentChapterIndex: number, seconds: number) =>
    measureProgress(BOOK, { currentChapterIndex, positionMs: seconds * 1000 })
  t.strictSame(at(0, 0), { positionMs: 0, completedChapters: [], percentComplete: 0 })
  t.strictSame(at(0, 50), { positionMs: 50_000, completedChapters: [], percentComplete: 12.5 })
  t.strictSame(at(1, 0), { positionMs: 0, completedChapters: [0], percentComplete: 25 })
  t.strictSame(at(2, 33.333), { positionMs: 33_333, completedChapters: [0, 1], percentComplete: 83.33 })
  t.strictSame(at(1, 199.5), { positionMs: 199_500, completedChapters: [0, 1], percentComplete: 74.88 }, 'at its end')
  t.strictSame(at(1, 9000), { positionMs: 200_000, completedChapters: [0, 1], percentComplete: 75 }, 'cut at its end')
  t.strictSame(at(2, 99.2), { positionMs: 99_200, completedChapters: [0, 1, 2], percentComplete: 100 })
  t.end()
})

void t.test(
  'the chapter decides what a position counts from, and the percentage of the client in ambiguous cases',
  (t) => {
    const at = (currentChapterIndex: number, positionMs: number, percentComplete?: unknown) => {
      const place = positionInChapter(BOOK, { currentChapterIndex, positionMs, percentComplete })
      return [place.currentChapterIndex, place.positionMs, place.countsWholeBook]
    }
    t.strictSame(at(0, 50_000), [0, 50_000, false], 'in the first chapter both are the same')
    t.strictSame(at(2, 60_000, 15), [2, 60_000, false], 'the position is unambiguous')
    t.strictSame(at(2, 350_000), [2, 50_000, true], 'beyond the length of the chapter')
    t.strictSame(at(0, 350_000), [2, 50_000, true], 'a client that sends the wrong chapter')
    t.strictSame(at(2, 150_000), [1, 50_000, true], 'and one with a later chapter')
    t.strictSame(at(0, 100_800), [0, 100_800, false], 'rounded beyond the end by less than a second')
    t.strictSame(at(0, 101_001), [1, 1001, true])
    t.strictSame(at(2, Number.MAX_SAFE_INTEGER), [2, Number.MAX_SAFE_INTEGER - 300_000, true])
    // 150 s: half a minute before the middle of the chapter, or 150 s into it.
    t.strictSame(at(1, 150_000), [1, 150_000, false], 'the contract decides')
    t.strictSame(at(1, 150_000, 37.5), [1, 50_000, true], 'the percentage fits the position in the whole book')
    t.strictSame(at(1, 150_000, 38.4), [1, 50_000, true], 'not exactly')
    t.strictSame(at(1, 150_000, 62.5), [1, 150_000, false], 'the percentage fits the position in the chapter')
    for (const nothing of [0, -1, 101, 75, NaN, Infinity, '37.5', null, [37.5], {}, true]) {
      t.strictSame(at(1, 150_000, nothing), [1, 150_000, false], `${JSON.stringify(nothing)} says nothing`)
    }
    for (const times of [
      { chapters: [], durationSeconds: null },
      { chapters: [chapter(0, 0), chapter(0, 0)], durationSeconds: 0 },
    ]) {
      t.equal(
        positionInChapter(times, { currentChapterIndex: 0, positionMs: 5, percentComplete: 50 }).countsWholeBook,
        false,
      )
    }
    t.end()
  },
)

void t.test('a client reads back the position that it saved, in the same form', (t) => {
  const chapters = [0, 7.5, 63.3335, 64, 200.0004, 360.25].map((start, index, all) =>
    chapter(start, all[index + 1] ?? 400),
  )
  const odd = { chapters, durationSeconds: 400 }
  const totalMs = 400_000
  for (const [currentChapterIndex, { startSeconds, endSeconds }] of chapters.entries()) {
    const [startMs, endMs] = [Math.round(startSeconds * 1000), Math.round(endSeconds * 1000)]
    for (const offset of [0, 1, 333, Math.floor((endMs - startMs) / 2), endMs - startMs - 1, endMs - startMs]) {
      const bookMs = startMs + offset
      const percentComplete = (bookMs / totalMs) * 100
      for (const positionMs of [offset, bookMs]) {
        const place = positionInChapter(odd, { currentChapterIndex, positionMs, percentComplete })
        const saved = {
          audiobookId: '',
          profileId: '',
          lastPlayedAt: new Date(),
          ...place,
          ...measureProgress(odd, place),
        }
        const read = positionInBook(odd, mapProgressToChapters(odd, saved))
        const reported = read.countsWholeBook ? read.bookPositionMs : read.positionMs
        t.strictSame(
          [reported, read.bookPositionMs],
          [positionMs, bookMs],
          `${currentChapterIndex}: ${positionMs} of ${bookMs}`,
        )
      }
    }
  }
  t.end()
})

void t.test('books without chapter marks, without length, and with marks that end early', (t) => {
  const halfway = { currentChapterIndex: 0, positionMs: 50_000 }
  const none = measureProgress({ chapters: [], durationSeconds: 100 }, halfway)
  t.strictSame(none, { positionMs: 50_000, completedChapters: [], percentComplete: 50 })
  const endless = measureProgress({ chapters: [], durationSeconds: null }, halfway)
  t.strictSame(endless, { positionMs: 50_000, completedChapters: [], percentComplete: 0 })
  const short = { chapters: [chapter(0, 10), chapter(10, 20)], durationSeconds: 100 }
  const late = measureProgress(short, { currentChapterIndex: 1, positionMs: 40_000 })
  t.strictSame(late, { positionMs: 40_000, completedChapters: [0], percentComplete: 50 }, 'the last reaches to the end')
  const hollow = { chapters: [chapter(0, 0), chapter(0, 0)], durationSeconds: 0 }
  const nothing = measureProgress(hollow, { currentChapterIndex: 1, positionMs: 5 })
  t.strictSame(nothing, { positionMs: 5, completedChapters: [0], percentComplete: 0 })
  const pause = measureProgress({ chapters: [chapter(0, 0), chapter(0, 10)], durationSeconds: 10 }, halfway)
  t.strictSame(pause, { positionMs: 0, completedChapters: [], percentComplete: 0 }, 'a chapter of no length')
  t.end()
})

void t.test('a position in a chapter that no longer exists is converted by its time in the whole book', (t) => {
  const lastPlayedAt = new Date()
  const place = { audiobookId: 'book', profileId: 'listener', countsWholeBook: false, lastPlayedAt }
  const before = { currentChapterIndex: 2, positionMs: 50_000 }
  const saved = { ...place, ...before, ...measureProgress(BOOK, before) }
  t.equal(saved.percentComplete, 87.5)
  t.strictSame(mapProgressToChapters(BOOK, saved), saved, 'an assembled book is not written again')
  const longer = { chapters: [...BOOK.chapters, chapter(400, 800)], durationSeconds: 800 }
  t.strictSame(mapProgressToChapters(longer, saved), saved, 'nor of a chapter that is followed by others')
  const isAt = (book: typeof BOOK, currentChapterIndex: number, positionMs: number, completed: number[]) =>
    t.strictSame(mapProgressToChapters(book, saved), {
      ...place,
      currentChapterIndex,
      positionMs,
      completedChapters: completed,
      percentComplete: 87.5,
    })
  isAt({ chapters: [], durationSeconds: 400 }, 0, 350_000, [])
  isAt({ chapters: [], durationSeconds: 200 }, 0, 175_000, [])
  isAt({ chapters: [chapter(0, 340), chapter(340, 400)], durationSeconds: 400 }, 1, 10_000, [0])
  const short = [0, 100, 200, 230, 300].map((start, index, all) => chapter(start, all[index + 1] ?? 400))
  isAt({ chapters: short, durationSeconds: 400 }, 4, 50_000, [0, 1, 2, 3])
  t.end()
})

void t.test('a finished book stays finished, and one of unknown duration starts at its beginning', (t) => {
  const end = { currentChapterIndex: 2, positionMs: 100_000 }
  const done = {
    audiobookId: '',
    profileId: '',
    countsWholeBook: false,
    lastPlayedAt: new Date(),
    ...end,
    ...measureProgress(BOOK, end),
  }
  t.match(mapProgressToChapters({ chapters: [], durationSeconds: 333.333 }, done), {
    currentChapterIndex: 0,
    positionMs: 333_333,
    completedChapters: [0],
    percentComplete: 100,
  })
  t.match(mapProgressToChapters({ chapters: [], durationSeconds: null }, done), { positionMs: 0, percentComplete: 0 })
  const late = { chapters: [chapter(10, 20)], durationSeconds: 20 }
  const early = mapProgressToChapters(late, { ...done, percentComplete: 1 })
  t.match(early, { currentChapterIndex: 0, positionMs: 0 }, 'before the first chapter')
  t.end()
})

void t.test('a position outlives the chapters it was saved with, and reading never writes it', async (t) => {
  const { db, userId, audiobookId, save } = await setup(t)
  const saved = await save(2, 50_000)
  const setChapters = (chapters: object[]) =>
    db.query(sql.unsafe`update media_items set chapters = ${JSON.stringify(chapters)}::jsonb where id = ${audiobookId}`)
  await setChapters([])
  const expected = {
    ...saved,
    currentChapterIndex: 0,
    positionMs: 350_000,
    bookPositionMs: 350_000,
    completedChapters: [],
  }
  t.strictSame(await getAudiobookProgress({ db }, { audiobookId, profileId: userId }), expected)
  t.strictSame((await openAudiobook({ db }, { id: audiobookId, profileId: userId })).progress, expected)
  await setChapters(BOOK.chapters)
  t.strictSame(await getAudiobookProgress({ db }, { audiobookId, profileId: userId }), saved)
})

void t.test('the last saved position is read, per user', async (t) => {
  const { db, clock, userId, audiobookId, save } = await setup(t)
  const other = await makeUser(db, 'other')
  const read = (who: string) => getAudiobookProgress({ db }, { audiobookId, profileId: who })
  await t.rejects(read(userId), { code: 'audiobook_progress_not_found' })
  const saved = await save(1, 60_000)
  t.strictSame(saved, {
    audiobookId,
    profileId: userId,
    positionMs: 60_000,
    currentChapterIndex: 1,
    completedChapters: [0],
    percentComplete: 40,
    countsWholeBook: false,
    bookPositionMs: 160_000,
    lastPlayedAt: clock.now(),
  })
  t.strictSame(await read(userId), saved)
  await t.rejects(read(other), { code: 'audiobook_progress_not_found' })
  await save(2, 0, other)
  clock.advance(10)
  await save(0, 10_000)
  t.match(await read(userId), { currentChapterIndex: 0, completedChapters: [], percentComplete: 2.5 }, 'back again')
  t.match(await read(other), { currentChapterIndex: 2 })
})

void t.test('chapters that the book does not have, other items and unknown ids are refused', async (t) => {
  const { db, clock, userId, audiobookId, film, save } = await setup(t)
  await t.rejects(save(3, 0), { code: 'invalid_request', details: { field: 'current_chapter_index' } })
  for (const id of [film, UNKNOWN, 'x', '']) {
    const input = { audiobookId: id, profileId: userId, positionMs: 0, currentChapterIndex: 0 }
    await t.rejects(saveProgress({ db, clock }, input), { code: 'audiobook_not_found' }, id)
    await t.rejects(
      getAudiobookProgress({ db }, { audiobookId: id, profileId: userId }),
      { code: 'audiobook_not_found' },
      id,
    )
  }
  const gone = { audiobookId, profileId: UNKNOWN, positionMs: 0, currentChapterIndex: 0 }
  await t.rejects(
    saveProgress({ db, clock }, gone),
    { code: 'audiobook_not_found' },
    'a user who was removed meanwhile',
  )
})

void t.test(
  'parallel saves leave one complete position, which is deleted with the book and with the user',
  async (t) => {
    const { db, userId, audiobookId, save } = await setup(t)
    const saves = Array.from({ length: 30 }, (_, index) => save(index % 3, index * 1000))
    const answers = await Promise.all(saves)
    const stored = await getAudiobookProgress({ db }, { audiobookId, profileId: userId })
    t.ok(answers.some((answer) => JSON.stringify(answer) === JSON.stringify(stored)))
    await Promise.allSettled([
      ...Array.from({ length: 10 }, () => save(1, 5)),
      db.query(sql.unsafe`delete from media_items where id = ${audiobookId}`),
      ...Array.from({ length: 10 }, () => save(1, 5)),
    ]).then((outcomes) => {
      const reasons = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => String(reason))
      t.strictSame(new Set(reasons), new Set(['AppError: Audiobook not found']))
    })
    t.equal(await db.oneFirst(sql.unsafe`select count(*) from audiobook_progress`), 0)
  },
)

void t.test('a book takes over the later position of each listener from a row that is deleted', async (t) => {
  const { db, clock, userId, save, audiobookId: toId } = await setup(t)
  const [fromId = ''] = await makeItems(db, t.testdir(), [{ type: 'audiobook', ...BOOK }])
  const other = await makeUser(db, 'other')
  const saveFrom = (who: string, currentChapterIndex: number) =>
    saveProgress({ db, clock }, { audiobookId: fromId, profileId: who, currentChapterIndex, positionMs: 0 })
  await saveFrom(userId, 1)
  await save(0, 0, other)
  clock.advance(1)
  await save(2, 0)
  await saveFrom(other, 1)
  await moveProgress(db, { fromId, toId })
  t.match(await getAudiobookProgress({ db }, { audiobookId: toId, profileId: userId }), { currentChapterIndex: 2 })
  t.match(await getAudiobookProgress({ db }, { audiobookId: toId, profileId: other }), { currentChapterIndex: 1 })
})
