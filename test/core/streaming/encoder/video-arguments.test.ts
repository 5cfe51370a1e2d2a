import t from 'tap'
import { createJumpingClock } from '../../../../src/core/streaming/timeline/jump-filters.ts'
import { videoArguments } from '../../../../src/core/streaming/encoder/video-arguments.ts'
import { handMadeJob } from '../hand-made-job.ts'
import { makeFilm } from '../test-films.ts'

void t.test('every rung that is not a copy is encoded in software', async (t) => {
  const job = await handMadeJob(await makeFilm('film'))
  const rungs = job.renditions.flatMap((rendition) =>
    'height' in rendition && rendition.id !== 'original' ? [rendition] : [],
  )
  t.ok(rungs.length > 0)
  for (const rung of rungs) {
    const words = videoArguments(job, rung, {
      range: { first: 0, last: 0 },
      clock: createJumpingClock(job.source, undefined),
    })
    t.equal(words[words.indexOf('-c:v') + 1], 'libx264', rung.id)
    t.notMatch(words.join(' '), /hwaccel|vaapi|nvenc|qsv|v4l2m2m|videotoolbox/)
  }
})
