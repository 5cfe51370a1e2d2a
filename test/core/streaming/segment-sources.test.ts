import t from 'tap'
import type { SampleKind } from '../../support/media.ts'
import { serve } from './serve-segments.ts'
import { packetsOf } from './support.ts'

const KINDS: SampleKind[] = [
  'film-hdr-mkv',
  'film-hevc-mkv',
  'film-rotated-mp4',
  'film-anamorphic-mkv',
  'film-mpg',
  'film-ts',
  'film-silent-mp4',
  'film-tracks-mkv',
]

for (const kind of KINDS) {
  void t.test(`the only segment of ${kind} is good at the first try`, async (t) => {
    const { ask, counts, job } = await serve(t, { kind })
    const packets = await packetsOf(await ask(0))
    t.equal(counts.encodes, 1)
    t.equal(
      packets.some((packet) => packet.kind === 'audio'),
      kind !== 'film-silent-mp4',
      'sound',
    )
    t.match(job.variants?.[0]?.codecs, kind === 'film-silent-mp4' ? /^avc1\.\w+$/ : /,mp4a\.40\.2$/)
  })
}

for (const kind of ['film-cut-mkv', 'film-cut-mp4'] as const) {
  void t.test(`what there is of ${kind} is served`, async (t) => {
    const { ask } = await serve(t, { kind })
    t.ok(await ask(0))
    t.ok(await ask(1))
  })
}
