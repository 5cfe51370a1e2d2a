import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { createWaveformCache } from '../../../src/core/audiobooks/waveform/waveform-cache.ts'
import { createWaveforms, type Waveforms } from '../../../src/core/audiobooks/index.ts'
import { ENVELOPE_HERTZ, computeWaveformPoints } from '../../../src/core/audiobooks/waveform/waveform-points.ts'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { createMediaTools } from '../../../src/core/platform/media-tools/index.ts'
import { movableClock } from '../../support/records.ts'
import { putAudio } from '../../support/tagged-audio.ts'
import { waitUntil } from '../../support/wait-until.ts'

const TEN_MINUTES = 600

void t.test('the waveform of a book covers its duration, the loudest point is 100, and silence is 0', (t) => {
  const loud = new Int8Array(50 * ENVELOPE_HERTZ).fill(80)
  const soft = new Int8Array(50 * ENVELOPE_HERTZ).fill(-40)
  const points = computeWaveformPoints(
    [
      { startSeconds: 0, samples: loud },
      { startSeconds: 50, samples: soft },
    ],
    200,
  )
  t.equal(points.length, 800)
  t.strictSame([...new Set(points)], [100, 50, 0])
  t.equal(points.indexOf(50), 200)
  t.equal(points.indexOf(0), 400, 'where nothing was measured')
  t.equal(computeWaveformPoints([], 1).length, 100)
  t.equal(computeWaveformPoints([{ startSeconds: 0, samples: new Int8Array(10).fill(-128) }], 1e6).length, 4800)
  t.strictSame(
    computeWaveformPoints([{ startSeconds: 5, samples: loud }], 1),
    Array.from({ length: 100 }, () => 0),
    'more than there should be',
  )
  t.end()
})

async function setup(t: { testdir: () => string; teardown: (work: () => Promise<void>) => void }, ffmpeg = 'ffmpeg') {
  const dataDirectory = t.testdir()
  const config = loadConfig({ dataDirectory, environment: {}, flags: { 'media.ffmpeg': ffmpeg } })
  const log = await createLogger(config, { level: 'emergency' })
  const tools = createMediaTools({ config, log })
  const clock = movableClock()
  let runs = 0
  const mediaTools: Parameters<typeof createWaveforms>[0]['mediaTools'] = {
    encode: (...words) => {
      runs += 1
      return tools.encode(...words)
    },
  }
  const waveforms = createWaveforms({ config, log, clock, mediaTools })
  t.teardown(() => waveforms.close())
  const files = [{ path: await putAudio(dataDirectory, 'a.mp3'), startSeconds: 0, endSeconds: 2 }]
  const folder = join(dataDirectory, 'cache', 'waveforms')
  return { waveforms, clock, folder, book: { files, durationSeconds: 2 }, runs: () => runs }
}

async function made(waveforms: Waveforms, ...[key, book]: Parameters<Waveforms['find']>): Promise<number[]> {
  let points: number[] | undefined
  await waitUntil('the outline is made', async () => {
    points = await waveforms.find(key, book)
    return points !== undefined
  })
  return points ?? []
}

void t.test('a book is measured once for concurrent requests, and only the waveform remains', async (t) => {
  const { waveforms, folder, book, runs } = await setup(t)
  const asked = await Promise.all(Array.from({ length: 20 }, () => waveforms.find('a', book)))
  t.ok(asked.every((points) => points === undefined))
  t.equal((await made(waveforms, 'a', book)).length, 100)
  t.equal(runs(), 1)
  t.strictSame(await readdir(folder), ['a.json'])
  writeFileSync(join(folder, 'a.json'), '[1, 2, 999]')
  t.equal(await waveforms.find('a', book), undefined, 'a damaged one is made again')
  await made(waveforms, 'a', book)
  t.equal(runs(), 2)
})

void t.test('a failed measurement is tried again after ten minutes, not before', async (t) => {
  const { waveforms, clock, folder, book, runs } = await setup(t)
  writeFileSync(book.files[0]?.path ?? '', 'noise')
  await t.rejects(made(waveforms, 'a', book), { code: 'waveform_unavailable' })
  clock.advance(TEN_MINUTES - 1)
  await t.rejects(waveforms.find('a', book), { code: 'waveform_unavailable' })
  t.equal(runs(), 1)
  clock.advance(1)
  t.equal(await waveforms.find('a', book), undefined)
  await t.rejects(made(waveforms, 'a', book), { code: 'waveform_unavailable' })
  t.strictSame(await readdir(folder), [], 'no draft is left')
})

void t.test('without ffmpeg there is no waveform, and closing does not wait', async (t) => {
  const { waveforms, book } = await setup(t, '/nonexistent/ffmpeg')
  await t.rejects(made(waveforms, 'a', book), { code: 'waveform_unavailable' })
  t.equal(await waveforms.find('b', book), undefined)
  await waveforms.close()
})

void t.test('of more than a thousand waveforms the least recently used are evicted', async (t) => {
  const folder = join(t.testdir(), 'waveforms')
  mkdirSync(folder)
  for (let index = 0; index < 1000; index += 1) {
    writeFileSync(join(folder, `${index}.json`), '[]')
    utimesSync(join(folder, `${index}.json`), index, index)
  }
  const cache = createWaveformCache(folder, () => new Date('2026-01-01'))
  t.strictSame(await cache.read('0'), [], 'reading is using')
  await cache.write('new', [1])
  const names = readdirSync(folder)
  t.equal(names.length, 900)
  t.ok(names.includes('0.json') && names.includes('new.json') && names.includes('999.json'))
  t.notOk(names.includes('1.json'))
})
