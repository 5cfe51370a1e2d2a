import t from 'tap'
import { queueScan, runScanJob } from '../../../../src/core/scanning/index.ts'
import { putSample, scannedLibrary } from '../../../support/scanning.ts'

void t.test(
  'a deletion of all items that is cancelled between two batches leaves nothing that a scan misses',
  async (t) => {
    const { folder, library, services, scan, items } = await scannedLibrary(t)
    await putSample(folder, 'First (2001).mp4')
    await putSample(folder, 'Second (2002)/Second (2002).mp4')
    await scan()
    const { id } = await queueScan(services, { libraryId: library.id, type: 'delete_all' })
    const cancelling = new AbortController()
    const ended = await runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, cancelling.signal, () =>
      cancelling.abort(),
    )
    t.match(ended, { status: 'cancelled', itemsRemoved: 2 })
    t.equal((await items()).size, 0)
    t.match(await scan(), { status: 'completed', itemsAdded: 2 })
    t.strictSame([...(await items()).keys()].toSorted(), ['First (2001).mp4', 'Second (2002)/Second (2002).mp4'])
  },
)
