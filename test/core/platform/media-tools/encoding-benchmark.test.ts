import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../../src/core/platform/config/index.ts'
import { createLogger } from '../../../../src/core/platform/logging/index.ts'
import { parseBenchmarkTimes } from '../../../../src/core/platform/media-tools/encoding-benchmark.ts'
import { createMediaTools, type MediaTools } from '../../../../src/core/platform/media-tools/index.ts'
import { sampleMedia } from '../../../support/media.ts'

async function mediaTools(t: Test, ffmpeg?: string): Promise<MediaTools> {
  const flags = ffmpeg === undefined ? {} : { 'media.ffmpeg': ffmpeg }
  const config = loadConfig({ dataDirectory: t.testdirName, environment: { PATH: '/usr/bin:/bin' }, flags })
  return createMediaTools({ config, log: await createLogger(config, { level: 'emergency' }) })
}

const LIMIT = { timeoutSeconds: 300 }
const X264 = ['-c:v', 'libx264', '-preset', 'ultrafast']

void t.test('a generated picture or a file is encoded, and the times and frames are reported', async (t) => {
  const tools = await mediaTools(t)
  const output = join(t.testdir(), 'out.mkv')
  for (const input of [{ graph: 'testsrc2=duration=1:rate=25' }, { path: await sampleMedia('film-tiny-mp4') }]) {
    const run = await tools.benchmark({ input, before: [], after: [...X264, '-frames:v', '25'], output }, LIMIT)
    t.match(run, { outcome: 'exited', exitCode: 0 })
    t.ok((run.times?.realSeconds ?? 0) > 0 && (run.times?.processorSeconds ?? 0) > 0)
    t.match(await tools.countFrames(output, LIMIT), { outcome: 'exited', exitCode: 0, frames: 25 })
  }
})

void t.test('failures of ffmpeg are part of the result', async (t) => {
  const tools = await mediaTools(t)
  const folder = t.testdir({ 'noise.mkv': 'no film' })
  const output = join(folder, 'out.mkv')
  const input = { graph: 'testsrc2=duration=1' }
  const failed = await tools.benchmark({ input, before: [], after: ['-c:v', 'no_encoder'], output }, LIMIT)
  t.match(failed, { exitCode: 1, times: null, stderrTail: /Unknown encoder 'no_encoder'/ })
  t.notOk(existsSync(output))
  t.match(await tools.countFrames(join(folder, 'noise.mkv'), LIMIT), { exitCode: 1, frames: 0 })
  t.match(await tools.countFrames(join(folder, 'absent.mkv'), LIMIT), { frames: 0 })
  const aborted = await tools.benchmark(
    { input, before: [], after: X264, output },
    { ...LIMIT, signal: AbortSignal.abort() },
  )
  t.match(aborted, { outcome: 'aborted', times: null })
})

void t.test('a missing ffmpeg is an error, and its configured name is its path', async (t) => {
  const tools = await mediaTools(t, '/nowhere/ffmpeg')
  const input = { graph: 'testsrc2' }
  await t.rejects(tools.benchmark({ input, before: [], after: [], output: '/x' }, LIMIT), { code: 'tool_missing' })
  await t.rejects(tools.countFrames('/x', LIMIT), { code: 'tool_missing' })
  t.equal(tools.ffmpegPath(), '/nowhere/ffmpeg')
  t.match((await mediaTools(t)).ffmpegPath(), /^\/.*\/ffmpeg$/)
})

void t.test('times are read from the line of ffmpeg, and only from it', (t) => {
  const line = 'bench: utime=12.470s stime=1.500s rtime=15.868s'
  t.strictSame(parseBenchmarkTimes(`frame=1\n${line}\nbench: maxrss=963340kB\n`), {
    realSeconds: 15.868,
    processorSeconds: 13.97,
  })
  t.strictSame(parseBenchmarkTimes('bench: utime=0.000s stime=0.000s rtime=0.000s'), {
    realSeconds: 0.001,
    processorSeconds: 0.001,
  })
  for (const other of [
    '',
    'bench: maxrss=5kB',
    `x${line}`,
    line.replace('15.868', '-1.0'),
    line.replace('12.470', 'NaN'),
  ]) {
    t.equal(parseBenchmarkTimes(other), null, other)
  }
  t.equal(parseBenchmarkTimes(`bench: utime=${'1'.repeat(100_000)}`), null)
  t.end()
})
