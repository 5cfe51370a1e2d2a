import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { processesOf } from '../../../support/processes.ts'
import type { EncoderStart, SegmentResult } from '../../../../src/core/streaming/index.ts'
import { GATED, serve, settle, UNHURRIED } from '../serve-segments.ts'
import { packetsOf } from '../support.ts'

const visible = async (directory: string): Promise<string[]> =>
  (await readdir(directory)).filter((name) => name.endsWith('.ts')).toSorted()

void t.test('a segment is encoded on request, once, and only requested segments become visible', async (t) => {
  const { ask, directory, starts, server } = await serve(t, { script: UNHURRIED })
  const reports: SegmentResult[] = []
  server.listeners.add((segment) => reports.push(segment))
  const started: EncoderStart[] = []
  server.startListeners.add((start) => started.push(start))
  const path = await ask(1)
  t.equal(path, join(directory, 'seg-v90p-00001.ts'))
  const first = (await packetsOf(path)).find((packet) => packet.kind === 'video')
  t.match(first, { pts: 900_000 + 180_180, isKey: true })
  const { mtimeMs } = await stat(path)
  t.equal(await ask(1), path)
  t.equal((await stat(path)).mtimeMs, mtimeMs)
  t.match(reports, [{ kind: 'video', isMade: true, milliseconds: Number }], 'a segment is reported when it is made')
  t.strictSame(await visible(directory), ['seg-v90p-00001.ts'])
  t.strictSame(server.counts, { wanted: 0, encoders: 1, suspended: 1 }, 'the encoder is stopped, not ended')
  await ask(2)
  t.equal(starts(), 1, 'and it continued')
  t.strictSame(started, [{ encoder: 'libx264', result: 'made' }], 'one process is one start')
  await settle(() => server.counts.encoders === 0)
  t.strictSame(await visible(directory), ['seg-v90p-00001.ts', 'seg-v90p-00002.ts'])
})

void t.test('twenty concurrent requests for one segment share one encoder', async (t) => {
  const { ask, starts } = await serve(t)
  const paths = await Promise.all(Array.from({ length: 20 }, () => ask(1)))
  t.equal(new Set(paths).size, 1)
  t.equal(starts(), 1)
})

void t.test(
  'of twenty concurrent requests for different segments eight are accepted; the others get Retry-After and succeed later',
  async (t) => {
    const { ask, server, openGate } = await serve(t, { script: GATED })
    const wanted = ['90p', '180p', 'original'].flatMap((rendition) => [0, 1, 2].map((index) => ({ rendition, index })))
    const asked = [...wanted, ...wanted.slice(0, 3)]
    const taken = wanted.slice(0, 8).map(({ rendition, index }) => ask(index, { rendition }))
    await settle(() => server.counts.wanted === 8)
    const [late] = wanted.slice(8)
    for (let round = 0; round < 12; round += 1) {
      const refused = ask(late?.index ?? 0, { rendition: late?.rendition ?? '' })
      await t.rejects(refused, { code: 'segment_busy', kind: 'busy', retryAfterSeconds: 2 })
    }
    const joined = asked.slice(9).map(({ rendition, index }) => ask(index, { rendition }))
    openGate()
    await Promise.all([...taken, ...joined])
    t.ok(await ask(late?.index ?? 0, { rendition: late?.rendition ?? '' }), 'later it is served')
    t.equal(server.counts.wanted, 0)
  },
)

void t.test('no more encoders run at the same time than configured', async (t) => {
  const { ask, starts, openGate, server } = await serve(t, {
    script: GATED,
    flags: { 'hls.max_concurrent_transcodes': '1' },
  })
  const asked = [ask(0), ask(0, { rendition: '180p' }), ask(0, { rendition: 'original' })]
  await settle(() => starts() === 1 && server.counts.encoders === 3)
  openGate()
  await Promise.all(asked)
  t.equal(starts(), 3)
})

void t.test('an encoder without waiting callers is suspended, and resumes with the next request (F-23)', async (t) => {
  const { ask, server, starts, openGate } = await serve(t, { script: GATED, limits: { abandonedMilliseconds: 0 } })
  for (let round = 0; round < 20; round += 1) {
    const leaver = new AbortController()
    const asked = ask(0, { signal: leaver.signal })
    await settle(() => server.counts.wanted === 1)
    leaver.abort()
    await t.rejects(asked, { name: 'AbortError' })
    await settle(() => server.counts.wanted === 0)
  }
  openGate()
  t.ok(await ask(0))
  t.equal(starts(), 1, 'all by one encoder')
})

void t.test('an encoder without waiting callers frees its slot immediately for a requested one', async (t) => {
  const { ask, server, openGate, starts } = await serve(t, {
    script: GATED,
    flags: { 'hls.max_concurrent_transcodes': '1' },
  })
  const leaver = new AbortController()
  const left = ask(0, { signal: leaver.signal })
  await settle(() => starts() === 1)
  leaver.abort()
  await t.rejects(left)
  const wanted = ask(0, { rendition: '180p' })
  await settle(() => server.counts.suspended === 1)
  const again = ask(0)
  openGate()
  t.ok(await wanted)
  t.ok(await again)
  t.equal(starts(), 2, 'when it is wanted again it goes on where it was')
})

void t.test('requests for unknown jobs, renditions and segments are refused without an encoder', async (t) => {
  const { server, jobId, starts } = await serve(t)
  const ask = (request: object) => server.segment({ jobId, rendition: '90p', index: 0, ...request })
  for (const request of [
    { index: 3 },
    { index: 99_999 },
    { rendition: '9999p' },
    { rendition: 'a7' },
    { rendition: null },
  ]) {
    await t.rejects(ask(request), { code: 'stream_file_not_found', kind: 'not_found' }, JSON.stringify(request))
  }
  for (const id of ['', '../x', '00000000-0000-4000-8000-000000000000', `${jobId}/`]) {
    await t.rejects(ask({ jobId: id }), { code: 'transcode_job_not_found', kind: 'not_found' }, JSON.stringify(id))
  }
  t.equal(starts(), 0)
})

void t.test(
  'closing ends running and suspended encoders, rejects waiting callers, and refuses new requests',
  async (t) => {
    const { server, ask, directory, starts } = await serve(t, {
      script: 'case "$*" in *160:90*) exec "$FFMPEG" "$@";; *) exec sleep 600;; esac',
    })
    await ask(0)
    const asked = t.rejects(ask(0, { rendition: '180p' }), { code: 'streaming_stopped', kind: 'unavailable' })
    await settle(() => starts() === 2)
    await server.close()
    await asked
    t.strictSame(processesOf(directory), [])
    t.notOk(
      (await readdir(directory)).some((name) => name.startsWith('.head-')),
      'nothing is left',
    )
    await t.rejects(ask(1), { code: 'streaming_stopped' })
    await server.close()
  },
)
