import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { serve, type Encode } from './serve-segments.ts'
import { packetsOf } from './support.ts'

/** Encoders that wait for a sign before they begin, as slow ones do, and that can be stopped meanwhile. */
function gated() {
  const gate = Promise.withResolvers<void>()
  const around =
    (encode: Encode): Encode =>
    async (what, options) => {
      const stopped = options.signal === undefined ? gate.promise : once(options.signal, 'abort')
      if (options.signal?.aborted !== true) await Promise.race([gate.promise, stopped])
      return encode(what, options)
    }
  return { around, open: () => gate.resolve() }
}

/** Waits until the event loop has let everything happen that can happen by itself. */
async function settle(isDone: () => boolean): Promise<void> {
  while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 5))
}

void t.test('a segment is encoded when it is asked for, once', async (t) => {
  const { ask, counts, directory, rendition } = await serve(t)
  const path = await ask(2)
  t.equal(path, join(directory, `seg-v${rendition}-00002.ts`))
  const first = (await packetsOf(path)).find((packet) => packet.kind === 'video')
  t.match(first, { pts: 900_000 + 2 * 6 * 90_000, isKey: true })
  const { mtimeMs } = await stat(path)
  t.equal(await ask(2), path)
  t.equal((await stat(path)).mtimeMs, mtimeMs)
  t.equal(counts.encodes, 1)
  const names = await readdir(directory)
  t.equal(names.filter((name) => name.endsWith('.ts')).length, 1, 'only what was asked for')
})

void t.test('all who ask for the same segment wait for one encoder', async (t) => {
  const { ask, counts } = await serve(t)
  const paths = await Promise.all(Array.from({ length: 20 }, () => ask(1)))
  t.equal(new Set(paths).size, 1)
  t.equal(counts.encodes, 1)
})

void t.test('beyond the cap of different segments the next one is told to come again', async (t) => {
  const { around, open } = gated()
  const { ask, counts } = await serve(t, { around, limits: { wantedSegments: 2 } })
  const held = [ask(0), ask(1)]
  await settle(() => counts.running === 2)
  await t.rejects(ask(2), { code: 'segment_busy', kind: 'busy', retryAfterSeconds: 2 })
  const joined = ask(1)
  open()
  await Promise.all([...held, joined])
  t.ok(await ask(2), 'later it is served')
  t.equal(counts.encodes, 3)
})

void t.test('no more encoders run at the same time than configured', async (t) => {
  const { ask, counts } = await serve(t, { flags: { 'hls.max_concurrent_transcodes': '2' } })
  await Promise.all([3, 2, 1, 0].map((index) => ask(index)))
  t.equal(counts.encodes, 4)
  t.equal(counts.most, 2)
})

void t.test('an encoder that nobody waits for is killed', async (t) => {
  const { ask, counts, outcomes, directory } = await serve(t, { limits: { abandonedMilliseconds: 0 } })
  const leaver = new AbortController()
  const asked = ask(0, leaver.signal)
  await settle(() => counts.running === 1)
  leaver.abort()
  await t.rejects(asked, { name: 'AbortError' })
  await settle(() => counts.running === 0)
  t.strictSame(outcomes, ['aborted'])
  const drafts = (await readdir(directory)).filter((name) => name.startsWith('.drafts'))
  for (const name of drafts) t.strictSame(await readdir(join(directory, name)), [], 'no draft is left')
  t.ok(await ask(0), 'and it can be asked for again')
})

void t.test('an encoder that nobody waits for makes room for one that is wanted', async (t) => {
  const { around, open } = gated()
  const flags = { 'hls.max_concurrent_transcodes': '1' }
  const { ask, counts, outcomes } = await serve(t, { around, flags })
  const leaver = new AbortController()
  const left = ask(0, leaver.signal)
  await settle(() => counts.running === 1)
  leaver.abort()
  await t.rejects(left)
  const wanted = ask(1)
  await settle(() => outcomes.length === 1)
  open()
  t.ok(await wanted)
  t.strictSame(outcomes, ['aborted', 'exited'])
})

void t.test('one who leaves the queue does not take the segment from the others', async (t) => {
  const { ask, counts } = await serve(t, { limits: { abandonedMilliseconds: 0 } })
  const leaver = new AbortController()
  const [left, stayed] = [ask(0, leaver.signal), ask(0)]
  leaver.abort()
  await t.rejects(left)
  t.ok(await stayed)
  t.equal(counts.encodes, 1)
})

void t.test('what does not exist is refused without an encoder', async (t) => {
  const { server, job, counts, rendition } = await serve(t)
  const ask = (request: object) => server.segment({ jobId: job.id, rendition, index: 0, ...request })
  for (const request of [{ index: 4 }, { index: 99_999 }, { rendition: '9999p' }, { rendition: 'original' }]) {
    await t.rejects(ask(request), { code: 'stream_file_not_found', kind: 'not_found' }, JSON.stringify(request))
  }
  for (const jobId of ['', '../x', '00000000-0000-4000-8000-000000000000', `${job.id}/`]) {
    await t.rejects(ask({ jobId }), { code: 'transcode_job_not_found', kind: 'not_found' }, JSON.stringify(jobId))
  }
  t.equal(counts.encodes, 0)
})

void t.test('closing kills what runs, tells who waits, and lets nobody in any more', async (t) => {
  const { server, ask, counts, outcomes } = await serve(t)
  const asked = [ask(0), ask(1)].map((call) => t.rejects(call, { code: 'streaming_stopped', kind: 'unavailable' }))
  await settle(() => counts.running === 2)
  await server.close()
  await Promise.all(asked)
  t.strictSame(outcomes, ['aborted', 'aborted'])
  await t.rejects(ask(0), { code: 'streaming_stopped' })
  await server.close()
})
