import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { MediaItem } from '../../src/core/catalogue/index.ts'
import { createLibrary } from '../../src/core/libraries/index.ts'
import { queueScan, runScanJob } from '../../src/core/scanning/index.ts'
import { pick, startApp, type Answer } from '../support/app.ts'
import { reachableDirectory } from '../support/directories.ts'
import { listWholeItems } from '../support/whole-items.ts'
import { damaged, readSample } from './damaged-media.ts'

const KINDS = ['film-tiny-mp4', 'film-tracks-mkv'] as const

/** Accepted errors for a file that cannot be played. */
const REFUSALS: Readonly<Record<string, number>> = {
  not_transcodable: 422,
  segment_failed: 500,
}

/** Plays the first segment of the smallest, encoded rendition of damaged films. The seeds are consecutive numbers from `firstSeed`. */
export async function streamDamagedFiles(
  t: Test,
  { firstSeed, files }: { firstSeed: number; files: number },
): Promise<void> {
  const { ask, registerUser, services } = await startApp(t)
  const { token } = await registerUser()
  const folder = reachableDirectory(t)
  const originals = await Promise.all(KINDS.map(readSample))
  for (let seed = firstSeed; seed < firstSeed + files; seed += 1) {
    const original = originals[seed % originals.length]
    if (original === undefined) continue
    mkdirSync(join(folder, `Film ${seed} (2001)`))
    writeFileSync(join(folder, `Film ${seed} (2001)`, `film${original.extension}`), damaged(original.bytes, seed))
  }
  const library = await createLibrary(services, { name: 'Damaged', type: 'movie', path: folder })
  const { id } = await queueScan(services, { libraryId: library.id, type: 'scan' })
  await runScanJob(services, { scanJobId: id, whenAborted: 'cancel' }, new AbortController().signal)
  const items: MediaItem[] = []
  // A page of the catalogue has at most 100 items.
  for (let offset = 0; offset < files; offset += 100) {
    items.push(...(await listWholeItems(services, { libraryId: library.id, limit: 100, offset })).items)
  }
  t.equal(items.length, files)

  /** The first segment, or the first error before it. */
  const play = async (itemId: string): Promise<Answer> => {
    const started = await ask('POST', `/api/v1/media/${itemId}/transcode?profile=web`, { token })
    if (started.status !== 200) return started
    const jobId = String(pick(started.json, 'job_id'))
    const master = await ask('GET', String(pick(started.json, 'master_url')))
    if (master.status !== 200) return master
    const list = await ask('GET', `/hls/${jobId}/${lastAddress(master.text)}`)
    if (list.status !== 200) return list
    return ask('GET', `/hls/${jobId}/${/^seg-.*$/m.exec(list.text)?.[0]}`)
  }
  const outcomes: Record<string, number> = {}
  for (const { id: itemId, path } of items) {
    const answer = await play(itemId)
    const code = answer.status === 200 ? 'played' : String(pick(answer.json, 'code'))
    outcomes[code] = (outcomes[code] ?? 0) + 1
    if (answer.status !== 200) t.equal(answer.status, REFUSALS[code], `${code}: ${path}`)
  }
  t.comment(`${JSON.stringify(outcomes)}; seeds ${firstSeed} to ${firstSeed + files - 1}`)
  t.equal((await ask('GET', '/readyz')).status, 200)
}

function lastAddress(master: string): string {
  return master.split('\n').findLast((line) => line.startsWith('media_v')) ?? ''
}
