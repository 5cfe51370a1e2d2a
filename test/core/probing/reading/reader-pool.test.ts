import { execFileSync } from 'node:child_process'
import { copyFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createReaderPool, type ReaderPoolOptions } from '../../../../src/core/probing/reading/reader-pool.ts'
import type { ReadRequest } from '../../../../src/core/probing/reading/read-request.ts'
import { mountThatHangs } from '../../../support/hanging-mount.ts'
import { sampleMedia } from '../../../support/media.ts'
import { unpackingPdf } from '../books/pdf-writer.ts'

function poolOf(t: Test, input: Partial<ReaderPoolOptions> = {}) {
  const pool = createReaderPool({ threads: 2, ...input })
  t.teardown(() => pool.close())
  return pool
}

const request = (root: string, name: string, sizeBytes = 0): ReadRequest => ({
  root,
  path: join(root, name),
  as: 'video',
  sizeBytes,
  sidecars: [],
})

void t.test('hundreds of files are read concurrently, each with its own result', async (t) => {
  const root = t.testdir()
  copyFileSync(await sampleMedia('film-tiny-mp4'), join(root, 'film.mp4'))
  writeFileSync(join(root, 'noise.mkv'), Buffer.alloc(500, 7))
  writeFileSync(join(root, 'empty.mkv'), '')
  const pool = poolOf(t)
  const names = Array.from(
    { length: 400 },
    (_, index) => ['film.mp4', 'noise.mkv', 'empty.mkv', 'gone.mkv'][index % 4] ?? '',
  )
  const readings = await Promise.all(names.map((name) => pool.read(request(root, name))))
  const kinds = readings.map(({ kind }) => kind)
  t.strictSame(
    kinds,
    names.map((_, index) => ['read', 'needs-ffprobe', 'unreadable', 'gone'][index % 4]),
  )
  t.match(readings[0], { facts: { media: { source: { videoCodec: 'h264' } } }, contentHash: Uint8Array })
  t.match(readings[2], { code: 'empty_file', reason: 'the file is empty' })
})

void t.test('prepared threads read the files that follow; no others are started', async (t) => {
  const root = t.testdir({ 'song.mp3': 'no sound' })
  const pool = poolOf(t)
  let started = 0
  const count = (): void => void (started += 1)
  process.on('worker', count)
  t.teardown(() => process.off('worker', count))
  const names = Array.from({ length: 100 }, () => 'song.mp3')
  pool.prepare('audio')
  pool.prepare('audio')
  await turn()
  t.equal(started, 2)
  const readings = await Promise.all(names.map((name) => pool.read({ ...request(root, name), as: 'audio' })))
  t.strictSame(new Set(readings.map(({ kind }) => kind)), new Set(['unreadable']))
  t.equal(started, 2)
})

void t.test('a file of another size than during the walk counts as changed', async (t) => {
  const root = t.testdir()
  copyFileSync(await sampleMedia('film-tiny-mp4'), join(root, 'film.mp4'))
  truncateSync(join(root, 'film.mp4'), 3000)
  t.match(await poolOf(t).read(request(root, 'film.mp4', 5)), { hasChanged: true })
  t.match(await poolOf(t).read(request(root, 'film.mp4', 3000)), { hasChanged: false })
})

void t.test('nothing outside of the library folder is opened', async (t) => {
  const root = t.testdir({ inside: {}, 'outside.mkv': 'x' })
  const answer = await poolOf(t).read({ ...request(join(root, 'inside'), 'x'), path: join(root, 'outside.mkv') })
  t.match(answer, { kind: 'unreadable', code: 'path_outside_root' })
})

void t.test('a hanging file ends only its thread; it fails, and the others are read', async (t) => {
  const mount = mountThatHangs(t)
  if (mount === undefined) {
    t.comment('this account may not mount')
    return
  }
  const root = t.testdir({ 'empty.mkv': '' })
  const pool = poolOf(t, { threads: 1, fileLimitMilliseconds: 3000 })
  const answers = await Promise.all([
    pool.read(request(root, 'empty.mkv')),
    pool.read(request(mount, 'film.mkv')),
    pool.read(request(root, 'empty.mkv')),
  ])
  t.match(answers, [
    { code: 'empty_file' },
    { kind: 'unreadable', code: 'reader_failed', reason: 'not read within 3 s' },
    { code: 'empty_file' },
  ])
})

void t.test('an aborted call does not wait for the disk, and the other files are read', async (t) => {
  const mount = mountThatHangs(t)
  if (mount === undefined) {
    t.comment('this account may not mount')
    return
  }
  const root = t.testdir({ 'empty.mkv': '' })
  const pool = poolOf(t, { threads: 1 })
  // The only thread is running, so it takes the first request immediately.
  t.match(await pool.read(request(root, 'empty.mkv')), { code: 'empty_file' })
  const abandon = new AbortController()
  const hanging = Array.from({ length: 100 }, () => pool.read(request(mount, 'film.mkv'), abandon.signal))
  const meanwhile = pool.read(request(root, 'empty.mkv'))
  await turn()
  abandon.abort(new Error('enough'))
  for (const { status, reason } of (await Promise.allSettled(hanging)) as PromiseRejectedResult[]) {
    t.equal(`${status}: ${reason}`, 'rejected: Error: enough')
  }
  t.match(await meanwhile, { code: 'empty_file' }, 'by another thread')
  await t.rejects(pool.read(request(root, 'empty.mkv'), abandon.signal), { message: 'enough' })
})

void t.test('closing does not wait for a thread that hangs', async (t) => {
  const mount = mountThatHangs(t)
  if (mount === undefined) {
    t.comment('this account may not mount')
    return
  }
  const pool = createReaderPool({ threads: 1 })
  const root = t.testdir({ 'empty.mkv': '' })
  t.match(await pool.read(request(root, 'empty.mkv')), { code: 'empty_file' }, 'its only thread is up')
  const hanging = pool.read(request(mount, 'film.mkv'))
  await turn()
  await pool.close()
  t.match(await hanging, { code: 'reader_failed', reason: 'reading was ended' })
})

void t.test('audio without a declared duration is left to ffprobe', async (t) => {
  const root = t.testdir()
  const path = join(root, 'radio.aac')
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'sine=440:duration=1', '-c:a', 'aac', path])
  const answer = await poolOf(t).read({ ...request(root, 'radio.aac', statSync(path).size), as: 'audio' })
  t.match(answer, { kind: 'needs-ffprobe', tags: null })
})

void t.test('a document that exceeds the memory of a thread fails, and the others are read', async (t) => {
  const root = t.testdir({ 'empty.mkv': '' })
  writeFileSync(join(root, 'bomb.pdf'), unpackingPdf(1_000_000_000))
  const pool = poolOf(t, { threads: 1, bufferLimitBytes: 32 * 1024 * 1024 })
  const answers = await Promise.all([
    pool.read({ ...request(root, 'bomb.pdf'), as: 'book' }),
    pool.read(request(root, 'empty.mkv')),
  ])
  t.match(answers, [
    { kind: 'unreadable', code: 'reader_failed', reason: 'it takes too much memory to read' },
    { code: 'empty_file' },
  ])
})

void t.test('closing answers pending and later calls', async (t) => {
  const root = t.testdir({ 'empty.mkv': '' })
  const pool = createReaderPool({ threads: 1 })
  const waiting = Promise.all(Array.from({ length: 300 }, () => pool.read(request(root, 'empty.mkv'))))
  await pool.close()
  t.ok((await waiting).every(({ kind }) => kind === 'unreadable'))
  t.match(await pool.read(request(root, 'empty.mkv')), { code: 'reader_failed', reason: 'reading was ended' })
})
