import t from 'tap'
import { listVideoRenditions } from '../../../src/core/streaming/job/rendition.ts'
import { sampleMedia, type SampleKind } from '../../support/media.ts'
import { engine } from './engine.ts'
import { packetsOf, planFor } from './support.ts'
import { makeFilm, type FilmKind } from './test-films.ts'

const KINDS: SampleKind[] = [
  'film-hdr-mkv',
  'film-hevc-mkv',
  'film-rotated-mp4',
  'film-anamorphic-mkv',
  'film-mpg',
  'film-ts',
  'film-silent-mp4',
  'film-tracks-mkv',
  'film-cut-mkv',
  'film-cut-mp4',
]

/** Unusual video and audio formats that the common samples lack. */
const FORMS: FilmKind[] = [
  'formFullChroma',
  'formTenBits',
  'formOdd',
  'formTiny',
  'formMono',
  'formSurround',
  'formInterlaced',
]

const sources: [name: string, path: () => Promise<string>][] = [
  ...KINDS.map((kind): [string, () => Promise<string>] => [kind, () => sampleMedia(kind)]),
  ...FORMS.map((kind): [string, () => Promise<string>] => [kind, () => makeFilm(kind)]),
]

for (const [name, pathOf] of sources) {
  void t.test(`the first segments of ${name} are valid at the first attempt, in every rendition`, async (t) => {
    const job = await planFor(await pathOf())
    const { make, starts, count } = await engine(t, job)
    const last = Math.min(1, count(listVideoRenditions(job.renditions).at(-1)?.id ?? '') - 1)
    for (const [place, { id, kind }] of job.renditions.entries()) {
      const packets = await packetsOf(await make(id, 0))
      t.equal(starts.length, place + 1, `${id}: one process`)
      const hasSound = kind === 'audio' || job.source.audioTracks.length > 0
      t.equal(
        packets.some((packet) => packet.kind === 'audio'),
        hasSound,
        `${id}: sound`,
      )
      t.equal(
        packets.some((packet) => packet.kind === 'video'),
        kind === 'video',
        `${id}: picture`,
      )
    }
    const lowest = listVideoRenditions(job.renditions).at(-1)?.id ?? ''
    t.ok(await make(lowest, last), 'and a later one')
  })
}
