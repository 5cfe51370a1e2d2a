import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { DeviceFacts } from '../../../src/core/hardware-encoders/device-nodes.ts'
import { probeEncoders, type ProbeInput } from '../../../src/core/hardware-encoders/probe-encoders.ts'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { createMediaTools } from '../../../src/core/platform/media-tools/index.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { failing, fakeFfmpeg, STAND_IN } from '../../support/fake-ffmpeg.ts'

const node = (path: string, isAccessible = true) => ({
  path,
  isAccessible,
  groupId: 104,
  groupName: 'render',
  isForGroup: true,
})

const DEVICES: DeviceFacts = {
  account: 'phlix',
  nodes: { render: [node('/dev/dri/renderD128')], nvidia: [node('/dev/nvidia0')], video: [node('/dev/video11')] },
}

async function probe(t: Test, encoders: Record<string, string>, input: Partial<ProbeInput> = {}) {
  const directory = reachableDirectory(t)
  const folder = join(directory, 'work')
  mkdirSync(folder)
  const ffmpeg = fakeFfmpeg(directory, encoders)
  const config = loadConfig({ dataDirectory: directory, environment: {}, flags: { 'media.ffmpeg': ffmpeg } })
  const mediaTools = createMediaTools({ config, log: await createLogger(config, { level: 'emergency' }) })
  const { signal } = new AbortController()
  const result = await probeEncoders(
    { mediaTools },
    { folder, names: [], isTested: true, signal, devices: DEVICES, timeoutSeconds: 120, ...input },
  )
  t.strictSame(readdirSync(folder), [], 'no file is left')
  return { ...result, ffmpegScript: ffmpeg }
}

void t.test('an encoder that works is reported with its speed relative to the software encoder', async (t) => {
  const tested: string[] = []
  const encoders = { h264_vaapi: STAND_IN, h264_qsv: STAND_IN, hevc_nvenc: STAND_IN, h264_v4l2m2m: STAND_IN }
  const result = await probe(t, encoders, { onTest: (name) => tested.push(name) })
  t.match(result.ffmpeg, { version: '7.1-fake', path: result.ffmpegScript })
  t.match(result.software, { name: 'libx264', ok: true, reason: null, advice: null })
  t.ok((result.software.fps ?? 0) > 0)
  t.match(result.encoders, [
    { name: 'h264_vaapi', family: 'vaapi', codec: 'h264', device: '/dev/dri/renderD128', ok: true, reason: null },
    { name: 'h264_qsv', family: 'qsv', device: '/dev/dri/renderD128', ok: true },
    { name: 'hevc_nvenc', family: 'nvenc', codec: 'hevc', device: null, ok: true },
    { name: 'h264_v4l2m2m', family: 'v4l2m2m', device: null, ok: true },
  ])
  for (const { fps, ratio } of result.encoders) t.equal(ratio, (fps ?? 0) / (result.software.fps ?? 1))
  t.strictSame(tested, ['libx264', ...Object.keys(encoders)])
  t.strictSame(
    result.absentFamilies.map(({ name }) => name),
    ['videotoolbox', 'amf'],
  )
})

void t.test('nothing is started without a test', async (t) => {
  const result = await probe(t, { h264_vaapi: failing('it was started') }, { isTested: false })
  t.match(result.encoders, [{ name: 'h264_vaapi', ok: null, fps: null, ratio: null, reason: null, advice: null }])
  t.match(result.software, { ok: null, fps: null })
})

void t.test('only the requested encoders are tested, and one that ffmpeg does not have is reported', async (t) => {
  const encoders = { h264_vaapi: failing('it was started'), h264_nvenc: STAND_IN }
  const result = await probe(t, encoders, { names: ['h264_nvenc', 'h264_amf', 'h264_nvenc'] })
  t.match(result.encoders, [
    { name: 'h264_nvenc', ok: true },
    { name: 'h264_amf', ok: false, reason: /this ffmpeg does not have/, advice: /media\.ffmpeg/ },
  ])
  t.equal(result.encoders.length, 2)
})

void t.test('each accessible GPU is tried until one works', async (t) => {
  const onSecond = `case " $* " in *renderD129*) ${STAND_IN};; esac; ${failing('No VA display found for device')}`
  const render = [node('/dev/dri/renderD127', false), node('/dev/dri/renderD128'), node('/dev/dri/renderD129')]
  const devices = { ...DEVICES, nodes: { ...DEVICES.nodes, render } }
  const result = await probe(t, { h264_vaapi: onSecond, hevc_vaapi: failing('No VA display found') }, { devices })
  t.match(result.encoders, [
    { name: 'h264_vaapi', ok: true, device: '/dev/dri/renderD129' },
    { name: 'hevc_vaapi', ok: false, device: '/dev/dri/renderD129', reason: /driver.*missing/, fps: null, ratio: null },
  ])
})

const WRITE = 'out="${!#}"; out="${out#file:}"'

/** What an ffmpeg does that fails in some way, and the reason that is reported. */
const FAILURES: [claim: string, script: string, reason: RegExp][] = [
  ['ends with an error', failing('[h264_nvenc @ 0x55] Cannot load libcuda.so.1'), /library.*missing: Cannot load lib/],
  ['crashes', 'kill -SEGV $$', /crashed \(SIGSEGV\)/],
  ['crashes in a wrapper', 'exit 139', /crashed \(exit code 139\)/],
  ['succeeds without an output', 'exit 0', /wrote no file/],
  ['writes an empty file', `${WRITE}; : > "$out"; exit 0`, /wrote no file/],
  ['writes a file that is no film', `${WRITE}; head -c 4096 /dev/zero > "$out"; exit 0`, /cannot be decoded/],
  [
    'loses frames',
    `${WRITE}; exec "$FFMPEG" -v error -f lavfi -i testsrc2=d=1:r=41 -c:v libx264 -y "$out"`,
    /only 41 of 60/,
  ],
  [
    'reports no times',
    `${WRITE}; exec "$FFMPEG" -v error -f lavfi -i testsrc2=d=2:r=30 -c:v libx264 -y "$out"`,
    /does not report how long/,
  ],
]

for (const [claim, script, reason] of FAILURES) {
  void t.test(`an encoder that ${claim} is reported with the reason`, async (t) => {
    const { encoders } = await probe(t, { h264_nvenc: script })
    t.match(encoders, [{ name: 'h264_nvenc', ok: false, fps: null, ratio: null, reason }])
  })
}

void t.test('an encoder that does not end is killed at the time limit', async (t) => {
  const { encoders, software } = await probe(t, { h264_nvenc: 'exec sleep 1000' }, { timeoutSeconds: 10 })
  t.match(encoders, [{ ok: false, reason: 'ffmpeg did not end within 10 seconds' }])
  t.ok(software.ok !== null, 'the software encoder has the same limit')
})

void t.test('without the software encoder there is no ratio', async (t) => {
  const encoders = { libx264: failing("Unknown encoder 'libx264'"), h264_nvenc: STAND_IN }
  const result = await probe(t, encoders)
  t.match(result.software, { ok: false, fps: null, reason: /does not have the encoder/ })
  t.match(result.encoders, [{ ok: true, ratio: null }])
})

void t.test('an interruption ends the running encoder', async (t) => {
  const stopping = new AbortController()
  const reason = new Error('stopped')
  const onTest = (name: string): void => {
    if (name === 'h264_nvenc') stopping.abort(reason)
  }
  await t.rejects(probe(t, { h264_nvenc: 'exec sleep 1000' }, { signal: stopping.signal, onTest }), reason)
})
