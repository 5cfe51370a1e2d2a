import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import {
  readPicturesAndFingerprint,
  type AnalysisRequest,
} from '../../../../src/core/platform/media-tools/read-pictures-and-fingerprint.ts'
import { startStallTimer } from '../../../../src/core/platform/media-tools/stall-timer.ts'
import { createIsolation } from '../../../../src/core/platform/spawn/index.ts'
import { timeFilm } from '../../analysis/time-films.ts'
import { sampleMedia, type SampleKind } from '../../../support/media.ts'
import { processState } from '../../../support/processes.ts'
import { waitUntil } from '../../../support/wait-until.ts'

const FFMPEG = { program: 'ffmpeg', commonArguments: ['-nostdin', '-loglevel', 'error'], isolation: createIsolation() }
const OPTIONS = { niceness: 0, stallSeconds: 300 }
const PICTURE_BYTES = 160 * 90 * 3

type Pictures = NonNullable<AnalysisRequest['pictures']>

const wanted = (onPicture: Pictures['onPicture'] = () => {}): Pictures => ({
  streamIndex: 0,
  hdrTransfer: null,
  frames: 'key',
  maxPictures: 100,
  onPicture,
})

/** Luma, roughly, at a place of a picture. */
const green = (rgb: Buffer, { x, y }: { x: number; y: number }): number => rgb[(y * 160 + x) * 3 + 1] ?? -1

async function picturesOf(kind: SampleKind, request: Partial<Pictures> = {}): Promise<Buffer[]> {
  const pictures: Buffer[] = []
  const all = { ...wanted((rgb) => void pictures.push(rgb)), ...request }
  const result = await readPicturesAndFingerprint(
    FFMPEG,
    { input: await sampleMedia(kind), pictures: all, sound: null },
    OPTIONS,
  )
  t.match(result, { outcome: 'exited', isComplete: true, fault: null, fingerprint: null })
  t.equal(result.pictures, pictures.length)
  return pictures
}

void t.test('pictures and sound of a film are read together or alone', async (t) => {
  const input = await sampleMedia('film-mp4')
  const both = await readPicturesAndFingerprint(
    FFMPEG,
    { input, pictures: wanted(), sound: { streamIndex: 1 } },
    OPTIONS,
  )
  t.match(both, { outcome: 'exited', exitCode: 0, isComplete: true, fault: null, pictures: 2 })
  // 20 s with a hash for each 0.124 s; the first needs 2.7 s.
  t.ok((both.fingerprint?.length ?? 0) > 100 * 4, `${both.fingerprint?.length} bytes`)
  const sound = await readPicturesAndFingerprint(FFMPEG, { input, pictures: null, sound: { streamIndex: 1 } }, OPTIONS)
  t.match(sound, { isComplete: true, pictures: 0 })
  t.strictSame(sound.fingerprint, both.fingerprint)
  const pictures: number[] = []
  const video = wanted(({ length }, index) => void pictures.push(length, index))
  t.match(await readPicturesAndFingerprint(FFMPEG, { input, pictures: video, sound: null }, OPTIONS), {
    isComplete: true,
    pictures: 2,
  })
  t.strictSame(pictures, [PICTURE_BYTES, 0, PICTURE_BYTES, 1])
})

async function picturesIn(input: string, frames: Pictures['frames']) {
  const pictures: Buffer[] = []
  const request = { ...wanted((rgb) => void pictures.push(rgb)), frames }
  const result = await readPicturesAndFingerprint(FFMPEG, { input, pictures: request, sound: null }, OPTIONS)
  return { result, pictures }
}

void t.test('the selected key frames give the same pictures as all key frames, in each container', async (t) => {
  const kinds = ['constant', 'moved', 'variable', 'interlaced', 'sparse', 'late', 'offset', 'short'] as const
  const films = await Promise.all(kinds.map(timeFilm))
  for (const input of [...films, await sampleMedia('film-anamorphic-mkv')]) {
    const [selected, all] = [await picturesIn(input, 'shown_key'), await picturesIn(input, 'key')]
    t.match(selected.result, { outcome: 'exited', exitCode: 0, isComplete: true, fault: null, stderrTail: '' }, input)
    t.ok(all.pictures.length > 0)
    t.strictSame(selected.pictures, all.pictures)
  }
})

void t.test('a film whose key frames cannot be selected is incomplete, not wrong', async (t) => {
  const { result } = await picturesIn(await timeFilm('open'), 'shown_key')
  t.match(result, { outcome: 'exited', isComplete: false, fault: null })
})

void t.test('a picture has the aspect ratio of the film on a screen, with black bars', async (t) => {
  const [wide] = await picturesOf('film-tiny-mp4')
  t.ok(wide !== undefined && wide.some((byte) => byte > 100))
  const [upright = Buffer.alloc(0)] = await picturesOf('film-rotated-mp4')
  // 9:16 fills the middle 50 columns.
  for (const x of [0, 50, 109, 159]) t.equal(green(upright, { x, y: 45 }), 0, `column ${x}`)
  t.ok([60, 70, 80, 90, 100].some((x) => green(upright, { x, y: 45 }) > 0))
  const [anamorphic = Buffer.alloc(0)] = await picturesOf('film-anamorphic-mkv')
  const isDark = (x: number) => Array.from({ length: 90 }, (_, y) => green(anamorphic, { x, y })).every((g) => g === 0)
  t.notOk(isDark(2) || isDark(157), 'it is as wide as the screen')
})

void t.test('high dynamic range is converted if wanted', async (t) => {
  const [flat = Buffer.alloc(0)] = await picturesOf('film-hdr-mkv')
  const [mapped = Buffer.alloc(0)] = await picturesOf('film-hdr-mkv', { hdrTransfer: 'smpte2084' })
  t.equal(mapped.length, PICTURE_BYTES)
  t.notSame(mapped, flat)
  t.ok(mapped.some((byte) => byte > 20))
})

void t.test('a file that is no film yields a result, not an error', async (t) => {
  for (const kind of ['noise-mp4', 'empty-mp4', 'playlist-as-mp4', 'concat-as-mp4'] as const) {
    const request = { input: await sampleMedia(kind), pictures: wanted(), sound: { streamIndex: 1 } }
    t.match(
      await readPicturesAndFingerprint(FFMPEG, request, OPTIONS),
      { isComplete: false, pictures: 0, fingerprint: null },
      kind,
    )
  }
  const gone = await readPicturesAndFingerprint(
    FFMPEG,
    { input: '/nowhere/a.mkv', pictures: wanted(), sound: null },
    OPTIONS,
  )
  t.match(gone, { isComplete: false, outcome: 'exited', stderrTail: /No such file/ })
})

/** A script in place of ffmpeg; `${folder}/pid` has its process id. */
function fake(folder: string, script: string) {
  const program = join(folder, 'fake-program')
  writeFileSync(program, `#!/bin/sh\necho $$ > ${folder}/pid\n${script}\n`)
  chmodSync(program, 0o755)
  return { ...FFMPEG, program }
}

async function ends(folder: string): Promise<void> {
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
  await waitUntil('the program has ended', () => ['', 'Z'].includes(processState(pid)))
}

const REQUEST = { input: '/films/a.mkv', pictures: wanted(), sound: { streamIndex: 1 } }

void t.test('endless output ends the analysis, whichever pipe it is (F-18)', async (t) => {
  const outputs = { pictures: 'cat /dev/zero', sound: 'cat /dev/zero >&3' }
  for (const [which, script] of Object.entries(outputs)) {
    const folder = t.testdir({})
    const result = await readPicturesAndFingerprint(fake(folder, script), REQUEST, OPTIONS)
    t.match(result, { outcome: 'too_much_output', isComplete: false, fingerprint: null }, which)
    await ends(folder)
  }
  const unwanted = { ...REQUEST, pictures: null }
  t.match(await readPicturesAndFingerprint(fake(t.testdir({}), 'cat /dev/zero'), unwanted, OPTIONS), {
    outcome: 'too_much_output',
  })
  const reports = fake(t.testdir({}), 'head -c 5000000 /dev/zero >&4; head -c 5000000 /dev/zero >&2')
  const result = await readPicturesAndFingerprint(reports, REQUEST, OPTIONS)
  t.match(result, { outcome: 'exited', isComplete: true })
  t.ok(result.stderrTail.length <= 64 * 1024)
})

void t.test('an incomplete picture is dropped, and each complete one is given before the next is read', async (t) => {
  let running = 0
  const seen: number[] = []
  const program = fake(t.testdir({}), `head -c ${PICTURE_BYTES * 9 + 1} /dev/zero`)
  const onPicture = async (rgb: Buffer, index: number) => {
    t.equal((running += 1), 1)
    t.equal(rgb.length, PICTURE_BYTES)
    seen.push(index)
    await new Promise(setImmediate)
    running -= 1
  }
  const result = await readPicturesAndFingerprint(program, { ...REQUEST, pictures: wanted(onPicture) }, OPTIONS)
  t.match(result, { isComplete: true, pictures: 9 })
  t.strictSame(seen, [0, 1, 2, 3, 4, 5, 6, 7, 8])
})

void t.test('pictures that were written before the exit of the program reach a slow consumer', async (t) => {
  const folder = t.testdir({})
  const program = fake(folder, `head -c ${PICTURE_BYTES * 2} /dev/zero; printf hash >&3`)
  const onPicture = () => ends(folder)
  const result = await readPicturesAndFingerprint(program, { ...REQUEST, pictures: wanted(onPicture) }, OPTIONS)
  t.match(result, { isComplete: true, pictures: 2 })
  t.equal(result.fingerprint?.toString(), 'hash')
})

void t.test('the error of a consumer is thrown and ends the program', async (t) => {
  const folder = t.testdir({})
  const failing = () => Promise.reject(new Error('no space'))
  const request = { ...REQUEST, pictures: wanted(failing) }
  await t.rejects(readPicturesAndFingerprint(fake(folder, 'cat /dev/zero'), request, OPTIONS), /no space/)
  await ends(folder)
})

void t.test('a program without progress is ended, also if it repeats the same report (F-16)', async (t) => {
  const scripts = ['exec sleep 600', 'while echo "speed=1x" >&4; do echo frame=7 >&4; sleep 0.05; done']
  for (const script of scripts) {
    const folder = t.testdir({})
    const result = await readPicturesAndFingerprint(fake(folder, script), REQUEST, { niceness: 0, stallSeconds: 1 })
    t.match(result, { outcome: 'stalled', exitCode: null, isComplete: false })
    if (existsSync(join(folder, 'pid'))) await ends(folder)
  }
})

void t.test('the time of a consumer is not a stall, and progress begins the time again', async (t) => {
  let stalls = 0
  const timer = startStallTimer(20, () => (stalls += 1))
  await timer.whileWaiting(() => pause(100))
  t.equal(stalls, 0)
  timer.stop()
  await pause(100)
  t.equal(stalls, 0, 'stopped')
  const stopped = startStallTimer(20, () => (stalls += 1))
  await stopped.whileWaiting(() => stopped.stop())
  stopped.progress()
  await pause(100)
  t.equal(stalls, 0, 'stopped while waiting')
  startStallTimer(1, () => (stalls += 1))
  await waitUntil('it stalls', () => stalls === 1)
})

void t.test(
  'the end of the program that reads the film is the end of the analysis, and that of the other is not lost',
  async (t) => {
    const pictures = { ...wanted(), frames: 'shown_key' } as const
    const decoding = '*"pipe:0"*'
    const scripts = {
      'the reader fails': `case "$*" in ${decoding}) cat >&2;; *) echo broken >&2; exit 3;; esac`,
      'the decoder fails': `case "$*" in ${decoding}) echo broken >&2; exit 3;; *) exec head -c 3000000 /dev/zero;; esac`,
    }
    for (const [which, script] of Object.entries(scripts)) {
      const result = await readPicturesAndFingerprint(fake(t.testdir({}), script), { ...REQUEST, pictures }, OPTIONS)
      t.match(result, { outcome: 'exited', exitCode: 3, isComplete: false, stderrTail: /^broken/, pictures: 0 }, which)
    }
  },
)

void t.test('an aborted analysis ends its program', async (t) => {
  const folder = t.testdir({})
  const stop = new AbortController()
  const running = readPicturesAndFingerprint(fake(folder, 'exec sleep 600'), REQUEST, {
    ...OPTIONS,
    signal: stop.signal,
  })
  await waitUntil('it runs', () => existsSync(join(folder, 'pid')) && readFileSync(join(folder, 'pid')).length > 1)
  stop.abort()
  t.match(await running, { outcome: 'aborted', isComplete: false })
  await ends(folder)
  t.match(
    await readPicturesAndFingerprint(FFMPEG, REQUEST, { ...OPTIONS, signal: stop.signal }),
    { outcome: 'aborted' },
    'before',
  )
})

void t.test('an error of the disk is a fault, and a missing program an error', async (t) => {
  const failing = fake(t.testdir({}), 'echo "/films/a.mkv: Input/output error" >&2')
  t.match(await readPicturesAndFingerprint(failing, REQUEST, OPTIONS), {
    isComplete: false,
    fault: { kind: 'read' },
    fingerprint: null,
  })
  const missing = { ...FFMPEG, program: '/nowhere/ffmpeg' }
  await t.rejects(readPicturesAndFingerprint(missing, REQUEST, OPTIONS), { code: 'tool_missing' })
})
