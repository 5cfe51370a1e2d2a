import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'slonik'
import t from 'tap'
import { findGaps, withJumps, withoutJumps, withoutSound } from '../../../src/core/streaming/clock-jumps.ts'
import { jobDirectory } from '../../../src/core/streaming/job-directory.ts'
import { startTranscode } from '../../../src/core/streaming/start-transcode.ts'
import { readStreamJob } from '../../../src/core/streaming/stream-job.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { engine, shuffled } from './engine.ts'
import { addFilm, streamingServices } from './film-item.ts'
import { packetsOfPieces } from './support.ts'
import { remuxFilm } from './test-films.ts'

/** Two recordings of 7 s in one transport stream; the clock of the second begins 1,000 s later. */
async function recording(directory: string): Promise<string> {
  const piece = (offset: string) => remuxFilm('film', '.ts', ['-t', '7', '-output_ts_offset', offset])
  const path = join(directory, 'recording.ts')
  const pieces = await Promise.all([await piece('0'), await piece('1007')].map((one) => readFile(one)))
  await writeFile(path, Buffer.concat(pieces))
  return path
}

void t.test('a recording whose clock jumps ahead lasts as long as it plays, and every segment is there', async (t) => {
  const services = await streamingServices(t)
  const { itemId } = await addFilm(t, services, await recording(reachableDirectory(t)))
  const seconds = async () =>
    Number(await services.db.oneFirst(sql.unsafe`select duration_seconds from media_items where id = ${itemId}`))
  t.ok((await seconds()) > 1000, 'the header tells the whole clock')
  const { job } = await startTranscode(services, { itemId })
  t.ok(Math.abs((await seconds()) - 14) < 0.5, `${await seconds()} s`)
  t.notOk(
    (job.variants ?? []).some(({ isCopy }) => isCopy),
    'a copy would keep the jump',
  )
  const plan = await readStreamJob(jobDirectory(services.config, job.id))
  if (plan === undefined) throw new Error('the job has no plan')
  const framesPerSegment = plan.grid.framesPerSegment / 2
  const { make, path, count } = await engine(t, { ...plan, grid: { ...plan.grid, framesPerSegment } })
  const id = job.variants?.at(-1)?.id ?? ''
  t.equal(count(id), 5)
  for (const index of shuffled(count(id))) await make(id, index)
  const places = Array.from({ length: count(id) }, (_, index) => path(id, index))
  const packets = (await packetsOfPieces(places, join(reachableDirectory(t), 'joined.ts'))).flat()
  for (const [kind, longest] of [
    ['video', 3754],
    ['audio', 1920],
  ] as const) {
    const times = packets.filter((packet) => packet.kind === kind).map(({ pts }) => pts)
    const sorted = times.toSorted((a, b) => a - b)
    const steps = sorted.slice(1).map((at, place) => at - (sorted[place] ?? 0))
    t.ok(
      steps.every((step) => step >= longest - 1 && step <= longest),
      `${kind}: no step is longer than ${Math.max(...steps)} ticks`,
    )
  }
})

void t.test('jumps are told from missing pictures, and times are moved over them and back', (t) => {
  const packet = (seconds: number) => ({
    microseconds: seconds * 1_000_000,
    durationMicroseconds: 40_000,
    isKey: true,
    bytes: 1000,
    position: null,
  })
  const picture = [0, 1, 2, 1002, 1003, 2003, 2004].map(packet)
  const gaps = findGaps(picture)
  t.strictSame(gaps, [
    { atMicroseconds: 502_000_000, byMicroseconds: 999_960_000 },
    { atMicroseconds: 1_503_000_000, byMicroseconds: 999_960_000 },
  ])
  t.strictSame(
    withoutSound(gaps, [1, 2, 900, 1002].map(packet)),
    gaps.slice(1),
    'sound goes on where a picture is missing',
  )
  t.equal(withoutJumps(2_003_000_000, gaps), 3_080_000)
  t.strictSame(
    picture.map(({ microseconds }) => withJumps(withoutJumps(microseconds, gaps), gaps)),
    picture.map(({ microseconds }) => microseconds),
  )
  t.strictSame(findGaps([0, 100, 50].map(packet)), [], 'times that go back do not tell what comes when')
  t.end()
})
