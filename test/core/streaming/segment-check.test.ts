import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { findSegmentFault } from '../../../src/core/streaming/segment-check.ts'
import { readTransportStream } from '../../../src/core/streaming/transport-stream.ts'
import { sampleMedia } from '../../support/media.ts'
import { encodeRange, packetsOf, planFor, realMediaTools } from './support.ts'

/** The second segment of the default film, its plan, and what ffprobe says about it. */
async function makeSegment(directory: string) {
  const plan = await planFor(await sampleMedia('film-mp4'))
  const output = join(directory, 'segment.ts')
  await encodeRange(await realMediaTools(), plan, { range: { first: 1, last: 1 }, output })
  return { grid: plan.grid, bytes: await readFile(output), packets: await packetsOf(output) }
}

void t.test('a segment and its reader', async (t) => {
  const { grid, bytes, packets } = await makeSegment(t.testdir())
  const expected = { grid, index: 1, hasAudio: true }

  void t.test('our reader sees the frames that ffprobe sees', (t) => {
    const stream = readTransportStream(bytes)
    const video = packets.filter((packet) => packet.kind === 'video')
    t.strictSame(
      stream?.video.map(({ pts, dts }) => [pts, dts]),
      video.map(({ pts, dts }) => [pts, dts]),
    )
    t.equal(stream?.audio[0]?.pts, packets.find((packet) => packet.kind === 'audio')?.pts)
    t.strictSame([stream?.video[0]?.isRandomAccess, stream?.video[1]?.isRandomAccess], [true, false])
    t.end()
  })

  void t.test('it is without fault at its place, and only there', (t) => {
    t.equal(findSegmentFault(bytes, expected), undefined)
    t.equal(findSegmentFault(bytes, { ...expected, index: 2 }), 'it begins at 1440540, not at 1981080')
    t.equal(findSegmentFault(bytes, { ...expected, index: 3 }), 'it has 144 frames, not 48')
    t.end()
  })

  void t.test('any cut is a fault', (t) => {
    for (const length of [0, 1, 187, 188, 188 * 10, bytes.length - 188 * 40, bytes.length - 1]) {
      t.type(findSegmentFault(bytes.subarray(0, length), expected), 'string', `${length} bytes`)
    }
    t.end()
  })

  void t.test('bytes that are no transport stream are a fault, never an exception', (t) => {
    t.equal(findSegmentFault(new Uint8Array(188 * 4), expected), 'it is not a transport stream')
    for (let seed = 1; seed < 200; seed += 1) {
      const damaged = Uint8Array.from(bytes.subarray(0, 188 * 30))
      // Sync bytes stay, so that the reader goes on into the damage.
      for (let at = 0; at < damaged.length; at += 1) {
        if (at % 188 !== 0 && (at * seed) % 7 === 0) damaged[at] = (at * seed) & 0xff
      }
      t.type(findSegmentFault(damaged, expected), 'string', `seed ${seed}`)
    }
    t.end()
  })

  void t.test('sound that is missing is a fault', async (t) => {
    const plan = await planFor(await sampleMedia('film-mp4'))
    const output = join(t.testdir(), 'silent.ts')
    const silent = { ...plan, source: { ...plan.source, audioTracks: [] } }
    await encodeRange(await realMediaTools(), silent, { range: { first: 1, last: 1 }, output })
    const mute = await readFile(output)
    t.equal(findSegmentFault(mute, expected), 'it has no sound')
    t.equal(findSegmentFault(mute, { ...expected, hasAudio: false }), undefined)
  })
})
