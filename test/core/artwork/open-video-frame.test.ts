import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openVideoFrame } from '../../../src/core/artwork/open-video-frame.ts'
import type { MediaTools } from '../../../src/core/platform/media-tools/index.ts'
import { systemClock } from '../../../src/core/platform/time/index.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { makeLibrary } from '../../support/records.ts'
import { testServices } from '../../support/services.ts'

void t.test('all attempts at a frame share one time limit', async (t) => {
  const services = await testServices(t)
  const folder = reachableDirectory(t)
  const library = await makeLibrary(services.db, folder)
  const path = join(folder, 'film.mkv')
  writeFileSync(path, 'x')
  let milliseconds = 0
  const limits: number[] = []
  const extractFrame: MediaTools['extractFrame'] = async (_wish, { timeoutSeconds }) => {
    limits.push(timeoutSeconds)
    milliseconds += limits.length === 1 ? 10_000 : timeoutSeconds * 1000
    return { kind: 'none' }
  }
  const slow = {
    ...services,
    mediaTools: { ...services.mediaTools, extractFrame },
    clock: { ...systemClock, monotonicMilliseconds: () => milliseconds },
  }
  const source = {
    source: 'frame',
    ownerId: library.id,
    stamp: '1',
    path,
    libraryId: library.id,
    durationSeconds: 100,
  } as unknown as Parameters<typeof openVideoFrame>[1]
  await t.rejects(openVideoFrame(slow, source), { code: 'picture_unreadable' })
  t.strictSame(limits, [25, 15])
})
