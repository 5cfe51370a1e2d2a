import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { filmWithDvdPictures, filmWithPictures } from './drawn-subtitles.ts'
import { engine } from './engine.ts'
import { planFor } from './support.ts'

/** Returns the seconds of a segment at which the middle of the box is white, in steps of half a second. */
async function shownIn(segment: string): Promise<number[]> {
  const filter = 'crop=iw/8:ih/10:iw*7/16:ih*7.2/9,fps=2,signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-'
  const words = ['-v', 'error', '-i', segment, '-map', '0:v', '-vf', filter, '-f', 'null', '-']
  const { stdout } = await promisify(execFile)('ffmpeg', words)
  const levels = Array.from(stdout.matchAll(/YAVG=([\d.]+)/g), ([, level]) => Number(level))
  return levels.flatMap((level, place) => (level > 120 ? [place / 2] : []))
}

const SPANS = [
  { from: 3, until: 9 },
  { from: 13, until: 14 },
]

const [FORWARDS, BACKWARDS] = [
  [0, 1, 2],
  [2, 1, 0],
]

/** Asserts the output of the lowest rung, for each order in which segments are made. */
async function showsBoxes(t: Test, path: string, orders: readonly number[][]): Promise<void> {
  const job = await planFor(path, 'mobile-low', undefined, 2)
  t.notOk(
    job.renditions.some((one) => one.kind === 'video' && one.isCopy),
    'a copy has none',
  )
  t.equal(job.copy, null)
  const lowest = job.renditions[0]?.id ?? ''
  for (const order of orders) {
    const { make } = await engine(t, job)
    const shown = new Map<number, number[]>()
    for (const index of order) shown.set(index, await shownIn(await make(lowest, index)))
    const name = `segments in the order ${order.join(' ')}`
    t.strictSame(shown.get(0), [3, 3.5, 4, 4.5, 5, 5.5], name)
    t.strictSame(shown.get(1), [0, 0.5, 1, 1.5, 2, 2.5], name)
    t.strictSame(shown.get(2), [1, 1.5], name)
  }
}

void t.test('DVD subtitles (VobSub) are burned in too, also after a seek', async (t) => {
  await showsBoxes(t, await filmWithDvdPictures(SPANS), [BACKWARDS])
})

void t.test('bitmap subtitles are burned into every rung, also across segments and after a seek', async (t) => {
  const path = await filmWithPictures(SPANS)
  await showsBoxes(t, path, [FORWARDS, BACKWARDS])
  const lowest = (await planFor(path)).renditions.find((one) => one.kind === 'video' && !one.isCopy)?.id ?? ''
  t.strictSame(await shownIn(await (await engine(t, await planFor(path))).make(lowest, 0)), [], 'none were requested')
})
