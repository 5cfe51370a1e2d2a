import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'slonik'
import t from 'tap'
import { checkLibraryHealth, HEALTH_KINDS, type HealthKind } from '../../../src/core/maintenance/index.ts'
import { makeLibrary } from '../../support/records.ts'
import { putNoise, putSample, scannedLibrary } from '../../support/scanning.ts'

void t.test('every kind of problem is found and counted, only in its library', async (t) => {
  const { db, folder, library, scan, items } = await scannedLibrary(t)
  await putSample(folder, 'Fine (2001) [tmdbid-603].mp4', 'film-silent-mp4')
  await putSample(folder, 'Copy (2001).mp4')
  await putSample(folder, 'Copy again (2001).mp4')
  const gone = await putSample(folder, 'Gone (2003).mkv', 'film-tracks-mkv')
  putNoise(folder, 'Noise (2002).mp4')
  await scan()
  rmSync(gone)
  await scan()
  const other = await makeLibrary(db, join(folder, '..'), 'Other')
  const check = (kinds: readonly HealthKind[], limit = 10) =>
    checkLibraryHealth({ db }, { libraries: [library, other], kinds, limit })
  const all = await check(HEALTH_KINDS)
  t.strictSame(all.counts, { analysis: 0, bad: 1, duplicates: 2, missing: 1, unmatched: 3 })
  const bad = await check(['bad'])
  t.match(bad.findings, [
    { kind: 'bad', libraryId: library.id, path: join(folder, 'Noise (2002).mp4'), reason: String },
  ])
  const { findings: duplicates } = await check(['duplicates'])
  t.strictSame(
    duplicates.map(({ path, groupNumber }) => [path, groupNumber]),
    [
      [join(folder, 'Copy (2001).mp4'), 1],
      [join(folder, 'Copy again (2001).mp4'), 1],
    ],
  )
  t.match((await check(['missing'])).findings, [{ path: gone, missingSince: Date, itemId: String }])
  const unmatched = (await check(['unmatched'])).findings.map(({ path }) => path)
  t.notOk(unmatched.includes(join(folder, 'Fine (2001) [tmdbid-603].mp4')))
  const short = await check(HEALTH_KINDS, 1)
  t.strictSame(short.counts, all.counts, 'counts are of all')
  t.equal(short.findings.length, 4)
  t.equal((await items()).size, 5)
  t.strictSame(await checkLibraryHealth({ db }, { libraries: [other], kinds: HEALTH_KINDS, limit: 10 }), {
    counts: { analysis: 0, bad: 0, duplicates: 0, missing: 0, unmatched: 0 },
    findings: [],
  })
})

void t.test(
  'files that never became an item are found through the last scan: names, and missing folders',
  async (t) => {
    const { db, folder, library, scan } = await scannedLibrary(t)
    await putSample(folder, 'Fine (2001).mp4')
    putNoise(folder, 'Noise (2002).mp4')
    const strange = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe]), Buffer.from('.mp4')])
    renameSync(putNoise(folder, 'strange.mp4'), strange)
    const bad = async () => {
      const { counts, findings } = await checkLibraryHealth({ db }, { libraries: [library], kinds: ['bad'], limit: 10 })
      t.equal(counts.bad, findings.length)
      return findings
    }
    t.strictSame(await bad(), [], 'before the first scan nothing is known')
    await scan()
    const found = await bad()
    t.match(
      found.map(({ itemId }) => itemId === null),
      [false, true],
      'the file of an item is listed once',
    )
    t.match(found[1], { name: null, reason: 'name is not UTF-8' })
    const away = `${folder}-away`
    t.teardown(() => renameSync(away, folder))
    renameSync(folder, away)
    await scan()
    t.match(await bad(), [{ path: /Noise/ }, { path: folder, reason: /ENOENT/ }])
  },
)

void t.test('files without a hash are compared by name, size and type; empty ones not at all', async (t) => {
  const { db, folder, library, scan } = await scannedLibrary(t)
  putNoise(folder, 'a/Same (2001).mp4', 5000)
  putNoise(folder, 'b/Same (2001).mp4', 5000)
  putNoise(folder, 'c/Same (2001).mp4', 5001)
  await scan()
  await db.query(sql.unsafe`update media_items set content_hash = null`)
  const check = async () => checkLibraryHealth({ db }, { libraries: [library], kinds: ['duplicates'], limit: 10 })
  t.match(await check(), { counts: { duplicates: 2 } })
  await db.query(sql.unsafe`update media_items set size_bytes = 0`)
  t.match(await check(), { counts: { duplicates: 0 }, findings: { length: 0 } })
})
