import { appendFileSync, rmSync, utimesSync } from 'node:fs'
import t, { type Test } from 'tap'
import type { AnalysedFile } from '../../../../src/core/analysis/film/analysed-file.ts'
import { readFilm, type FilmReadRequest } from '../../../../src/core/analysis/film-reading/read-film.ts'
import { testServices } from '../../../support/services.ts'
import { sampleMedia } from '../../../support/media.ts'
import { analysedFilm } from '../analysed-film.ts'
import { cutFilm, shownSeconds, timeFilm, type TimeFilm } from '../time-films.ts'

const services = await testServices(t)
const signal = new AbortController().signal

/** Keeps the shown times of all pictures, and counts restarts. */
function recorder() {
  const seen = { times: [] as number[], restarts: 0 }
  const consumer = {
    frame(rgb: Buffer, index: number) {
      t.equal(index, seen.times.length, 'in order')
      seen.times.push(shownSeconds(rgb))
    },
    restart() {
      seen.times = []
      seen.restarts += 1
    },
  }
  return { seen, consumer }
}

const SOUND = { language: null }

async function read(t: Test, source: string, wants: Partial<FilmReadRequest> = {}) {
  const file = await analysedFilm(t, services, source)
  const { seen, consumer } = recorder()
  const all = { pictures: [consumer], sound: SOUND, ...wants }
  const reading = await readFilm(services, { file, wants: all, niceness: 0 }, signal)
  return { reading, seen, file }
}

/** Quantisation of brightness, and a frame. */
const TOLERANCE_SECONDS = 0.7

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN

const FILMS: [kind: TimeFilm, keyFrameSeconds: number, restarts: number][] = [
  ['constant', 4, 0],
  ['moved', 5, 0],
  ['variable', 4, 0],
  ['interlaced', 4, 0],
  ['offset', 4, 0],
  ['sparse', 25, 0],
  ['single', 0, 1],
]

void t.test('a film whose key frames cannot be selected is read by all its key frames', async (t) => {
  const { reading, seen } = await read(t, await timeFilm('open'), { sound: null })
  t.strictSame(reading, { pictures: { outcome: 'done', reason: null }, sound: null })
  t.equal(seen.times.length, 7)
  for (const [index, seconds] of seen.times.entries()) {
    const error = index * 10 - seconds
    t.ok(error >= -TOLERANCE_SECONDS && error <= 4 + TOLERANCE_SECONDS, `picture ${index}: ${error} s`)
  }
})

for (const [kind, keyFrameSeconds, restarts] of FILMS) {
  void t.test(`no picture is later than its time, and most are near it: ${kind}`, async (t) => {
    const { reading, seen } = await read(t, await timeFilm(kind), { sound: null })
    t.strictSame(reading, { pictures: { outcome: 'done', reason: null }, sound: null })
    t.ok(seen.times.length >= 6 && seen.times.length <= 7, `${seen.times.length} pictures`)
    const errors = seen.times.map((seconds, index) => index * 10 - seconds)
    for (const [index, error] of errors.entries()) {
      t.ok(error >= -TOLERANCE_SECONDS, `picture ${index} is at most at its time: ${error}`)
      t.ok(error <= keyFrameSeconds + TOLERANCE_SECONDS, `picture ${index} is near: ${error}`)
    }
    t.ok(median(errors) <= keyFrameSeconds / 2 + TOLERANCE_SECONDS, `median ${median(errors)}`)
    t.equal(seen.restarts, restarts)
  })
}

void t.test('a video that starts late shows its first picture until then', async (t) => {
  const { reading, seen } = await read(t, await timeFilm('late'))
  t.match(reading, { pictures: { outcome: 'done' }, sound: { result: { outcome: 'done' } } })
  t.equal(seen.times.length, 7)
  // Its own clock begins 12.5 s after the film.
  for (const [index, seconds] of seen.times.entries())
    t.ok(seconds <= Math.max(0, index * 10 - 12.5) + TOLERANCE_SECONDS, `${index}: ${seconds}`)
})

void t.test('pictures and sound are read together, and the language of the sound is known', async (t) => {
  const { reading, seen } = await read(t, await timeFilm('constant'))
  t.match(reading, { pictures: { outcome: 'done' }, sound: { result: { outcome: 'done' }, language: null } })
  t.equal(seen.times.length, 7)
  t.ok((reading.sound?.fingerprint?.length ?? 0) > 400 * 4)
  const german = await read(t, await sampleMedia('film-tracks-mkv'), { pictures: [], sound: { language: 'ger' } })
  t.match(german.reading, { pictures: null, sound: { language: 'de' } })
})

void t.test('a short film has one picture, and too little sound for a fingerprint is no failure', async (t) => {
  const { reading, seen } = await read(t, await timeFilm('short'))
  t.match(reading.pictures, { outcome: 'done' })
  t.equal(seen.times.length, 1)
  t.match(reading.sound?.result.outcome, /^(?:done|none)$/)
  const tiny = await read(t, await sampleMedia('film-tiny-mp4'))
  t.match(tiny.reading.sound, { result: { outcome: 'none', reason: 'the sound is too short' }, fingerprint: null })
})

void t.test('a film that shows one picture is accepted after its complete decoding', async (t) => {
  const { reading, seen } = await read(t, await timeFilm('still'))
  t.match(reading, { pictures: { outcome: 'done' }, sound: { result: { outcome: 'done' } } })
  t.strictSame([seen.times.length, seen.restarts], [5, 1])
})

void t.test('a film whose end is missing has the pictures up to there, or none when most is missing', async (t) => {
  const most = await read(t, await cutFilm('constant', t.testdir({}), 0.8))
  t.match(most.reading, { pictures: { outcome: 'done' } })
  t.ok(most.seen.times.length >= 4 && most.seen.times.length <= 6)
  for (const [index, seconds] of most.seen.times.entries()) t.ok(seconds <= index * 10 + TOLERANCE_SECONDS)
  const little = await read(t, await cutFilm('constant', t.testdir({}), 0.2))
  t.match(little.reading.pictures, { outcome: 'failed', reason: /^the pictures end after \d+ s of 64 s$/ })
})

void t.test('a film without sound or without video has a stated result for each', async (t) => {
  const silent = await read(t, await sampleMedia('film-silent-mp4'))
  t.match(silent.reading, {
    pictures: { outcome: 'done' },
    sound: { result: { outcome: 'none', reason: 'the film has no sound' }, fingerprint: null },
  })
  const song = await read(t, await sampleMedia('tagged-m4a'))
  t.match(song.reading, {
    pictures: { outcome: 'none', reason: 'the film has no video' },
    sound: { result: { outcome: 'done' } },
  })
  const refused = await read(t, await sampleMedia('film-refused-mkv'))
  t.match(refused.reading, { pictures: { outcome: 'failed', reason: 'magicyuv is not decoded' } })
})

void t.test('a file that changed, disappeared or lies elsewhere is not read', async (t) => {
  const original = await sampleMedia('film-tiny-mp4')
  const failsWith = async (file: AnalysedFile, reason: RegExp) => {
    const { seen, consumer } = recorder()
    const wants = { pictures: [consumer], sound: SOUND }
    const reading = await readFilm(services, { file, wants, niceness: 0 }, signal)
    const failed = { outcome: 'failed', reason }
    t.match(reading, { pictures: failed, sound: { result: failed, fingerprint: null } })
    t.equal(seen.times.length, 0)
  }
  const longer = await analysedFilm(t, services, original)
  appendFileSync(longer.path, 'x')
  await failsWith(longer, /was changed/)
  const touched = await analysedFilm(t, services, original)
  utimesSync(touched.path, 1, 1)
  await failsWith(touched, /was changed/)
  const gone = await analysedFilm(t, services, original)
  rmSync(gone.path)
  await failsWith(gone, /./)
  const outside = await analysedFilm(t, services, original)
  await failsWith({ ...outside, path: '/etc/passwd' }, /./)
})

void t.test('a file that changes while it is read has failed, after its pictures were received', async (t) => {
  const file = await analysedFilm(t, services, await timeFilm('short'))
  const consumer = { frame: () => appendFileSync(file.path, 'x'), restart: () => {} }
  const wants = { pictures: [consumer], sound: null }
  const reading = await readFilm(services, { file, wants, niceness: 0 }, signal)
  t.match(reading, { pictures: { outcome: 'failed', reason: /was changed/ } })
})

void t.test('the error of a consumer and an abort are thrown', async (t) => {
  const file = await analysedFilm(t, services, await timeFilm('short'))
  const failing = { frame: () => Promise.reject(new Error('disk full')), restart: () => {} }
  await t.rejects(
    readFilm(services, { file, wants: { pictures: [failing], sound: null }, niceness: 0 }, signal),
    /disk full/,
  )
  const stop = new AbortController()
  const stopping = { frame: () => stop.abort(new Error('stopped')), restart: () => {} }
  const wants = { pictures: [stopping], sound: SOUND }
  await t.rejects(readFilm(services, { file, wants, niceness: 0 }, stop.signal), /stopped/)
})

void t.test(
  'an item that was removed is an error, and an ffmpeg without chromaprint still gives pictures',
  async (t) => {
    const file = await analysedFilm(t, services, await timeFilm('short'))
    const { consumer } = recorder()
    const wants = { pictures: [consumer], sound: SOUND }
    const gone = { ...file, itemId: '00000000-0000-4000-8000-000000000000' }
    await t.rejects(readFilm(services, { file: gone, wants, niceness: 0 }, signal), { code: 'media_item_not_found' })
    const mediaTools = { ...services.mediaTools, componentsOf: () => Promise.resolve(new Set<string>()) }
    const reading = await readFilm({ ...services, mediaTools }, { file, wants, niceness: 0 }, signal)
    t.match(reading, {
      pictures: { outcome: 'done' },
      sound: { result: { outcome: 'failed', reason: 'this ffmpeg has no chromaprint' } },
    })
  },
)

void t.test('an ffmpeg without tone mapping still gives the pictures of high dynamic range', async (t) => {
  const file = await analysedFilm(t, services, await sampleMedia('film-hdr-mkv'))
  for (const filters of [[], ['zscale', 'tonemap']]) {
    const transfers: unknown[] = []
    const mediaTools: typeof services.mediaTools = {
      ...services.mediaTools,
      componentsOf: () => Promise.resolve(new Set(filters)),
      readPicturesAndFingerprint(request, options) {
        transfers.push(request.pictures?.hdrTransfer)
        return services.mediaTools.readPicturesAndFingerprint(request, options)
      },
    }
    const { consumer } = recorder()
    const wants = { pictures: [consumer], sound: null }
    const reading = await readFilm({ ...services, mediaTools }, { file, wants, niceness: 0 }, signal)
    t.match(reading, { pictures: { outcome: 'done' } })
    t.strictSame(transfers, [filters.length === 0 ? null : 'smpte2084'])
  }
})
