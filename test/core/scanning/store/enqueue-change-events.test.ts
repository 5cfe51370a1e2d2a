import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'slonik'
import t from 'tap'
import { removeItem } from '../../../../src/core/catalogue/index.ts'
import { insertTarget } from '../../../../src/core/outbox/index.ts'
import { cancelScan, queueScan, runScanJob } from '../../../../src/core/scanning/index.ts'
import { putSample, scannedLibrary } from '../../../support/scanning.ts'

const { folder, library, services, scan } = await scannedLibrary(t, { name: 'Films' })
const { db, clock } = services
await insertTarget(db, { kind: 'webhook', name: 'x', events: ['library.updated'], now: clock.now() })

type Told = { change: string; itemCount: number; titles: string[]; mediaItemIds: string[] }

/** The announcements since the last call; names in any order. */
async function told(): Promise<Told[]> {
  const facts = (await db.anyFirst(sql.unsafe`
    select facts from deliveries order by facts ->> 'change'`)) as unknown as (Told & {
    libraryId: string
    libraryName: string
  })[]
  await db.query(sql.unsafe`delete from deliveries`)
  for (const { libraryId, libraryName } of facts) t.strictSame([libraryId, libraryName], [library.id, 'Films'])
  return facts.map(({ change, itemCount, titles, mediaItemIds }) => ({
    change,
    itemCount,
    titles: titles.toSorted(),
    mediaItemIds: mediaItemIds.toSorted(),
  }))
}

const idsOf = async (names: readonly string[]): Promise<string[]> =>
  [
    ...((await db.anyFirst(sql.unsafe`
      select id from media_items where name = any (${sql.array([...names], 'text')})`)) as readonly string[]),
  ].toSorted()

void t.test('a scan sends one event each for added, changed and removed items', async (t) => {
  for (const name of ['Alien (1979).mp4', 'Heat (1995).mp4', 'Ran (1985).mp4']) await putSample(folder, name)
  await scan()
  const all = await idsOf(['Alien', 'Heat', 'Ran'])
  const titles = ['Alien (1979)', 'Heat (1995)', 'Ran (1985)']
  t.strictSame(await told(), [{ change: 'item_added', itemCount: 3, titles, mediaItemIds: all }])
  await scan()
  await scan('rescan')
  t.strictSame(await told(), [], 'nothing has changed')

  const [alien, heat] = [await idsOf(['Alien']), await idsOf(['Heat'])]
  rmSync(join(folder, 'Alien (1979).mp4'))
  mkdirSync(join(folder, 'moved'))
  renameSync(join(folder, 'Heat (1995).mp4'), join(folder, 'moved/Heat (1995).mp4'))
  await putSample(folder, 'Stalker (1979).mp4')
  await scan('rescan')
  const rescan = await told()
  t.match(rescan, [
    { change: 'item_added', itemCount: 1, titles: ['Stalker (1979)'] },
    { change: 'item_removed', itemCount: 1, titles: ['Alien (1979)'], mediaItemIds: alien },
    { change: 'metadata_updated', mediaItemIds: heat },
  ])
  t.equal(await db.oneFirst(sql.unsafe`select count(*) from scan_removals`), 0)
})

void t.test('removing an item sends an event immediately, and a refused removal sends none', async (t) => {
  const [ran = ''] = await idsOf(['Ran'])
  await removeItem(services, ran)
  t.strictSame(await told(), [{ change: 'item_removed', itemCount: 1, titles: ['Ran (1985)'], mediaItemIds: [ran] }])
  await t.rejects(removeItem(services, ran), { code: 'media_item_not_found' })
  t.strictSame(await told(), [])
})

void t.test(
  'an event lists at most a hundred items and counts all; a cancelled job announces its changes',
  async (t) => {
    for (let index = 0; index < 130; index += 1) await putSample(folder, `Many ${index} (2001).mp4`)
    await scan()
    const [added] = await told()
    t.match(added, { change: 'item_added' })
    t.ok((added?.itemCount ?? 0) >= 130)
    t.strictSame([added?.mediaItemIds.length, added?.titles.length], [100, 5])
    for (let index = 0; index < 130; index += 1) rmSync(join(folder, `Many ${index} (2001).mp4`))
    await scan('rescan', { force: true })
    const [removed] = await told()
    t.match(removed, { change: 'item_removed', itemCount: 130 })
    t.strictSame([removed?.mediaItemIds.length, removed?.titles.length], [100, 5])

    for (let index = 0; index < 300; index += 1) await putSample(folder, `Later ${index} (2002).mp4`)
    const { id } = await queueScan(services, { libraryId: library.id, type: 'scan' })
    let cancelling: Promise<unknown> | undefined
    await runScanJob(services, { scanJobId: id, whenAborted: 'requeue' }, new AbortController().signal, (job) => {
      if (job.itemsAdded > 0) cancelling ??= cancelScan(services, { scanJobId: id })
    })
    await cancelling
    const [partly] = await told()
    t.match(partly, { change: 'item_added' })
  },
)
