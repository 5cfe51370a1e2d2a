import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { scannedLibrary } from '../../../support/scanning.ts'

void t.test('a first scan starts its readers before it walks, a later one when a file has to be read', async (t) => {
  const { folder, services, scan } = await scannedLibrary(t, { type: 'music' })
  writeFileSync(join(folder, 'song.mp3'), 'no sound')
  const steps: string[] = []
  const { readers, diskThreads } = services
  services.readers = { ...readers, prepare: (as) => void steps.push(`prepare ${as}`) }
  services.diskThreads = {
    ...diskThreads,
    acquire(work) {
      steps.push(work)
      return diskThreads.acquire(work)
    },
  }
  t.equal((await scan()).status, 'completed')
  t.strictSame(steps.slice(0, 3), ['prepare audio', 'stat', 'walk'])
  steps.length = 0
  t.equal((await scan()).status, 'completed')
  t.strictSame(steps.slice(0, 2), ['stat', 'walk'])
  t.notOk(steps.includes('prepare audio'))
})
