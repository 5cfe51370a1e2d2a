import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { serve, type Encode } from './serve-segments.ts'

void t.test('a failure is tried twice, answered, and not tried again for a while', async (t) => {
  const { services, ask, counts, source } = await serve(t)
  await writeFile(source, 'this is no film any more')
  await t.rejects(ask(0), { code: 'segment_failed', kind: 'failed' })
  t.equal(counts.encodes, 2)
  await t.rejects(ask(0), { code: 'segment_failed' })
  t.equal(counts.encodes, 2)
  services.clock.advance(6)
  await t.rejects(ask(0), { code: 'segment_failed' })
  t.equal(counts.encodes, 4)
})

void t.test('a segment that is not whole is never shown, whatever the encoder says', async (t) => {
  const cut =
    (bytes: number) =>
    (encode: Encode): Encode =>
    async (what, options) => {
      const result = await encode(what, options)
      await truncate(what.output, bytes)
      return result
    }
  for (const bytes of [0, 100, 188 * 50, 188 * 50 + 1]) {
    const { ask, directory } = await serve(t, { around: cut(bytes) })
    await t.rejects(ask(0), { code: 'segment_failed' }, `${bytes} bytes`)
    t.notOk((await readdir(directory)).some((name) => name.endsWith('.ts')))
  }
})

void t.test('a disk that fills while encoding is told as such and not remembered', async (t) => {
  let isFull = true
  const around =
    (encode: Encode): Encode =>
    async (what, options) => {
      const result = await encode(what, options)
      if (!isFull) return result
      // ffmpeg's own behaviour on a full disk: exit code 0 (M1).
      return { ...result, isComplete: false, fault: { kind: 'disk_full', text: 'No space left on device' } }
    }
  const { ask } = await serve(t, { around })
  await t.rejects(ask(0), { code: 'disk_space_low', retryAfterSeconds: 3 })
  isFull = false
  t.ok(await ask(0))
})

void t.test('below the floor of free space nothing is encoded', async (t) => {
  const floor = String(Number.MAX_SAFE_INTEGER)
  const { ask, counts } = await serve(t, { flags: { 'hls.min_disk_space_bytes': floor } })
  await t.rejects(ask(0), { code: 'disk_space_low', kind: 'unavailable', retryAfterSeconds: 3 })
  t.equal(counts.encodes, 0)
})

void t.test('drafts of earlier processes are removed, finished segments stay', async (t) => {
  const { server, ask, directory, rendition } = await serve(t)
  const old = join(directory, '.drafts-of-a-process-that-was-killed')
  await mkdir(old)
  await writeFile(join(old, 'seg-v360p-00000.ts'), 'half')
  const finished = join(directory, `seg-v${rendition}-00003.ts`)
  await writeFile(finished, 'finished')
  await ask(0)
  t.equal(await ask(3), finished)
  await server.close()
  t.notOk(existsSync(old))
  t.ok(existsSync(finished))
})

void t.test('a link in place of a segment or of the job is not followed out of the cache', async (t) => {
  const { server, job, rendition, directory } = await serve(t)
  await symlink('/etc/passwd', join(directory, `seg-v${rendition}-00000.ts`))
  await t.rejects(server.open({ jobId: job.id, rendition, index: 0 }), { code: 'path_outside_root' })
})

void t.test('a source that has become a link out of its library is not read', async (t) => {
  const { ask, counts, source } = await serve(t)
  await rm(source)
  await symlink('/etc/passwd', source)
  await t.rejects(ask(0), { code: 'path_outside_root' })
  t.equal(counts.encodes, 0)
})
