import { readFile } from 'node:fs/promises'
import t from 'tap'
import { ContinuityCounterRewriter } from '../../../../src/core/streaming/encoder/continuity-counter-rewriter.ts'
import { findSegmentDefect } from '../../../../src/core/streaming/encoder/find-segment-defect.ts'
import { readTransportStream } from '../../../../src/core/streaming/encoder/transport-stream.ts'
import { engine, renditionOf } from '../engine.ts'
import { handMadeJob } from '../hand-made-job.ts'
import { continuityErrors, packetsOf, probedPacketsOf } from '../support.ts'
import { makeFilm } from '../test-films.ts'
import type { ProbedPacket } from '../transport-packets.ts'

void t.test('a segment and its reader', async (t) => {
  const job = await handMadeJob(await makeFilm('film'))
  const { make } = await engine(t, job)
  const path = await make('90p', 1)
  const [bytes, packets] = [await readFile(path), await probedPacketsOf(path)]
  const [copied, silent] = [
    await readFile(await make('original', 1)),
    { ...job, source: { ...job.source, audioTracks: [] } },
  ]
  const expected = { job, rendition: renditionOf(job, '90p'), index: 1 }
  const faultOf = (of: Uint8Array, change: Partial<typeof expected> = {}): string | undefined =>
    findSegmentDefect(readTransportStream(of), { ...expected, ...change })

  await t.test('our reader finds the same frames and audio as ffprobe', (t) => {
    const stream = readTransportStream(bytes)
    const video = packets.filter((packet) => packet.kind === 'video')
    t.strictSame(
      stream?.video.map(({ pts, dts }) => [pts, dts]),
      video.map(({ pts, dts }) => [pts, dts]),
    )
    t.equal(stream?.audio[0]?.pts, packets.find((packet) => packet.kind === 'audio')?.pts)
    t.equal(stream?.audioPackets, packets.filter((packet) => packet.kind === 'audio').length)
    t.strictSame([stream?.video[0]?.isRandomAccess, stream?.video[1]?.isRandomAccess], [true, false])
    t.end()
  })

  await t.test('the parser of these tests finds the same packets as ffprobe', async (t) => {
    const inOrder = (list: readonly ProbedPacket[]): ProbedPacket[] =>
      list.toSorted((a, b) => a.kind.localeCompare(b.kind) || a.dts - b.dts)
    t.strictSame(inOrder(await packetsOf(path)), inOrder(packets))
    const other = await make('original', 0)
    t.strictSame(inOrder(await packetsOf(other)), inOrder(await probedPacketsOf(other)), 'several key frames')
  })

  await t.test('it is valid at its position, and only there', (t) => {
    t.equal(faultOf(bytes), undefined)
    t.equal(faultOf(bytes, { index: 0 }), 'it begins at 1440540, not at 900000')
    t.equal(faultOf(bytes, { index: 2 }), 'it has 144 frames, not 48')
    t.equal(faultOf(bytes, { rendition: renditionOf(job, 'original') }), 'it begins at 1440540, not at 1463063')
    t.equal(faultOf(copied, { rendition: renditionOf(job, 'original') }), undefined)
    t.equal(faultOf(bytes, { job: silent }), undefined, 'unexpected audio is not a fault')
    t.end()
  })

  await t.test('any truncation is a fault', (t) => {
    for (const length of [0, 1, 187, 188, 188 * 10, bytes.length - 188 * 40, bytes.length - 1]) {
      t.type(faultOf(bytes.subarray(0, length)), 'string', `${length} bytes`)
    }
    t.end()
  })

  await t.test('bytes that are not a transport stream are a fault, never an exception', (t) => {
    t.equal(faultOf(new Uint8Array(188 * 4)), 'it is not a transport stream')
    for (let seed = 1; seed < 200; seed += 1) {
      const damaged = Uint8Array.from(bytes.subarray(0, 188 * 30))
      // Sync bytes are kept, so that the reader reaches the damage.
      for (let at = 0; at < damaged.length; at += 1) {
        if (at % 188 !== 0 && (at * seed) % 7 === 0) damaged[at] = (at * seed) & 0xff
      }
      t.type(faultOf(damaged), 'string', `seed ${seed}`)
    }
    t.end()
  })

  await t.test('any segments may follow each other: counters continue, units are unchanged', (t) => {
    for (const first of [bytes, copied]) {
      for (const second of [bytes, copied]) t.equal(continuityErrors(Buffer.concat([first, second, first])), 0)
    }
    for (const count of [1, 2, 3, 15, 16, 17, 31]) {
      // A stream of few packets, some of which are split several times.
      const short = Buffer.from(bytes.subarray(0, 188 * (count + 3)))
      const counts = readTransportStream(short)?.counts ?? new Map()
      const neutral = Buffer.concat(new ContinuityCounterRewriter(counts).push(Buffer.from(short)))
      const again = readTransportStream(neutral)
      t.strictSame(
        [...(again?.counts.values() ?? [])].map(({ content }) => content % 16),
        [...counts].map(() => 0),
        `${count} packets`,
      )
      t.strictSame(again?.video, readTransportStream(short)?.video)
      t.equal(continuityErrors(Buffer.concat([neutral, neutral])), 0)
    }
    t.end()
  })
})
