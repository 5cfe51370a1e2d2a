import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import t from 'tap'
import { createBufferPool, openByteSource } from '../../../src/core/platform/files/index.ts'
import type { StreamIndex } from '../../../src/core/probing/index.ts'
import { readStreamIndex } from '../../../src/core/probing/containers/read-stream-index.ts'
import { resolveDeviceProfile } from '../../../src/core/streaming/job/device-profiles.ts'
import {
  renditionSegmentCount,
  segmentSpanMicroseconds,
} from '../../../src/core/streaming/timeline/rendition-segments.ts'
import type { Rendition } from '../../../src/core/streaming/job/rendition.ts'
import type { StreamPlan } from '../../../src/core/streaming/job/stream-plan.ts'
import { sampleMedia } from '../../support/media.ts'
import { engine } from './engine.ts'
import { planFor } from './support.ts'
import { filmWithManyAudioTracks, makeFilm, remuxFilm } from './test-films.ts'

const sources: [name: string, path: () => Promise<string>, index: 'tables' | 'packets', profile?: string][] = [
  ['MP4', () => makeFilm('filmNoisy'), 'tables'],
  ['Matroska', () => remuxFilm('filmNoisy', '.mkv', []), 'tables'],
  ['a transport stream', () => remuxFilm('filmNoisy', '.ts', []), 'packets'],
  ['MP4 in fragments', () => remuxFilm('filmNoisy', '.mp4', ['-movflags', 'frag_keyframe+empty_moov']), 'packets'],
  ['sixty frames a second', () => makeFilm('film5994'), 'tables'],
  ['several audio tracks', () => sampleMedia('film-tracks-mkv'), 'tables'],
  ['several audio tracks that are larger than the video', filmWithManyAudioTracks, 'tables', 'web'],
  ['high dynamic range', () => sampleMedia('film-hdr-mkv'), 'packets'],
]

for (const [name, pathOf, index, profile = 'mobile-low'] of sources) {
  void t.test(`no segment exceeds the bandwidth of its playlist: ${name}`, async (t) => {
    const path = await pathOf()
    const plan = await planFor(path, profile, index === 'tables' ? tablesOf(path) : undefined)
    const { make, count } = await engine(t, plan)
    const most = resolveDeviceProfile({ profile }).maxBitrate
    let sound = { peak: 0, average: 0 }
    for (const rendition of plan.renditions.toReversed()) {
      const bytes: number[] = []
      for (let place = 0; place < count(rendition.id); place += 1) {
        bytes.push((await stat(await make(rendition.id, place))).size)
      }
      const own = measured(plan, rendition, bytes)
      // Audio renditions come first; the largest of them may be played with any video.
      if (rendition.kind === 'audio' && own.peak > sound.peak) sound = own
      const isVideo = rendition.kind === 'video'
      const [peak, average] = isVideo ? [own.peak + sound.peak, own.average + sound.average] : [own.peak, own.average]
      const { bitrate, averageBitrate } = rendition
      t.ok(peak <= bitrate || bitrate === most, `${rendition.id}: ${peak} of ${bitrate}`)
      t.ok(bitrate <= most, `${rendition.id}: within the limit of the device`)
      t.ok((averageBitrate ?? 0) <= bitrate, `${rendition.id}: the average is not above the peak`)
      if (rendition.kind === 'audio' || !rendition.isCopy) continue
      t.ok(
        bitrate === most || bitrate < 1.25 * peak + 60_000,
        `${rendition.id}: close to the actual peak, ${peak} of ${bitrate}`,
      )
      t.ok(
        average <= 1.1 * (averageBitrate ?? 0),
        `${rendition.id}: ${average} on average, ${averageBitrate} announced`,
      )
    }
  })
}

function tablesOf(path: string): StreamIndex {
  const source = openByteSource(createBufferPool(), dirname(path), path)
  try {
    const { index, unsupportedReason } = readStreamIndex(source, 0)
    if (index === undefined) throw new Error(unsupportedReason)
    return index
  } finally {
    source.close()
  }
}

/** Counted as in RFC 8216, 4.1, and additionally for each segment of three seconds. */
function measured(plan: StreamPlan, rendition: Rendition, bytes: readonly number[]): { peak: number; average: number } {
  const seconds = Array.from({ length: renditionSegmentCount(plan, rendition) }, (_, place) => {
    const { start, end } = segmentSpanMicroseconds(plan, rendition, place)
    return (end - start) / 1_000_000
  })
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
  const target = Math.max(1, Math.round(Math.max(...seconds)))
  const rates = seconds.flatMap((_, first) =>
    seconds.slice(first).flatMap((__, count) => {
      const length = sum(seconds.slice(first, first + count + 1))
      const isCounted = length >= Math.min(target / 2, 3) && length <= target * 1.5
      return isCounted ? [Math.round((8 * sum(bytes.slice(first, first + count + 1))) / length)] : []
    }),
  )
  return { peak: Math.max(...rates), average: Math.round((8 * sum(bytes)) / sum(seconds)) }
}
