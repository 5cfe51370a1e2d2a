import t from 'tap'
import { prunesOldJobs, makeGrowingLibrary, repeatChanges, scanUnchanged } from './table-growth.ts'

void t.test('repeated actions do not grow the tables of the database (F-44)', async (t) => {
  const library = await makeGrowingLibrary(t, { films: 4 })
  await t.test('scans without changes write only their jobs', (t) => scanUnchanged(t, library, 8))
  await t.test('a library keeps the newest 200 of its jobs', (t) => prunesOldJobs(t, library))
  await t.test('metadata and playlists that come and go leave their space to the next', (t) =>
    repeatChanges(t, library, { cycles: 4, playlists: 10 }),
  )
})
