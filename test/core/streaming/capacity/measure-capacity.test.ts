import { readdirSync } from 'node:fs'
import t from 'tap'
import type { EncodingBenchmark, MediaTools } from '../../../../src/core/platform/media-tools/index.ts'
import { encoderCapacity, measureCapacity } from '../../../../src/core/streaming/capacity/measure-capacity.ts'
import { realMediaTools } from '../support.ts'
import { reachableDirectory } from '../../../support/directories.ts'

const ended = (times: EncodingBenchmark['times']) => ({ outcome: 'exited', exitCode: 0, times }) as const

void t.test('the number of streams follows from the processor time, whatever the speed beside other programs', (t) => {
  t.strictSame(encoderCapacity(ended({ realSeconds: 1, processorSeconds: 2 }), 4), {
    processorsPerStream: 0.5,
    speed: 4,
    realtimeStreams: 8,
  })
  t.strictSame(encoderCapacity(ended({ realSeconds: 2, processorSeconds: 3 }), 1), {
    processorsPerStream: 0.75,
    speed: 2,
    realtimeStreams: 1,
  })
  t.match(encoderCapacity(ended({ realSeconds: 1, processorSeconds: 4.1 }), 1), { realtimeStreams: 0 })
  t.match(encoderCapacity(ended({ realSeconds: 8, processorSeconds: 4 }), 2), { speed: 0.5, realtimeStreams: 2 })
  t.strictSame(encoderCapacity({ outcome: 'timed_out', exitCode: null, times: null }, 4), {
    processorsPerStream: null,
    speed: null,
    realtimeStreams: 0,
  })
  t.strictSame(encoderCapacity({ outcome: 'exited', exitCode: 1, times: null }, 4), {
    processorsPerStream: null,
    speed: null,
    realtimeStreams: null,
  })
  t.strictSame(encoderCapacity(ended(null), 4), { processorsPerStream: null, speed: null, realtimeStreams: null })
  t.end()
})

void t.test('each rung of the ladder is encoded with the arguments of a stream, lowest first', async (t) => {
  const folder = reachableDirectory(t)
  const real = await realMediaTools()
  const runs: { after: readonly string[]; frames: number }[] = []
  const clips: string[] = []
  const mediaTools: Pick<MediaTools, 'makeClip' | 'benchmark'> = {
    // The size of the source is not part of this test, and large pictures take long.
    makeClip(output, options) {
      clips.push(`${options.size.width}x${options.size.height}`)
      return real.makeClip(output, { ...options, size: { width: 160, height: 90 } })
    },
    async benchmark(what, options) {
      const small = what.after.map((word) => word.replace(/scale=\d+:\d+/, 'scale=160:90'))
      const result = await real.benchmark({ ...what, after: small }, options)
      runs.push({ after: what.after, frames: (await real.countFrames(what.output, options)).frames })
      return result
    },
  }
  const started: string[] = []
  const { signal } = new AbortController()
  const onRung = (rung: string): void => void started.push(rung)
  const measured = await measureCapacity(
    { mediaTools },
    { folder, processors: 64, signal, onRung, timeoutSeconds: 300 },
  )
  const sizes = ['426x240', '640x360', '854x480', '1280x720', '1920x1080', '2560x1440', '3840x2160']
  t.strictSame(
    measured.map(({ width, height }) => `${width}x${height}`),
    sizes,
  )
  t.strictSame(
    measured.map(({ rung }) => rung),
    started,
  )
  t.strictSame(clips, ['1920x1080', '3840x2160'])
  for (const [index, { after, frames }] of runs.entries()) {
    t.equal(frames, 96, 'four seconds at 24000/1001')
    t.match(after.join(' '), `scale=${sizes[index]?.replace('x', ':') ?? ''},`)
    t.match(after.join(' '), /-c:v libx264 -preset veryfast .*-c:a aac/)
  }
  t.ok(measured.every(({ speed, realtimeStreams }) => speed !== null && realtimeStreams !== null))
  t.strictSame(readdirSync(folder), [])
})

void t.test('an interruption ends the measurement', async (t) => {
  const mediaTools = await realMediaTools()
  const input = { folder: reachableDirectory(t), processors: 1, signal: AbortSignal.abort(new Error('stopped')) }
  await t.rejects(measureCapacity({ mediaTools }, input), { message: 'stopped' })
})
