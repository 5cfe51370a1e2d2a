import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../../src/core/platform/config/index.ts'
import { createLogger } from '../../../../src/core/platform/logging/index.ts'
import { DECODERS, refusedDecoders, withoutDecoderLists } from '../../../../src/core/platform/media-tools/decoders.ts'
import { inputArguments } from '../../../../src/core/platform/media-tools/file-arguments.ts'
import { createMediaTools, isDecodedPicture, type MediaTools } from '../../../../src/core/platform/media-tools/index.ts'
import { sampleMedia } from '../../../support/media.ts'
import { waitUntil } from '../../../support/wait-until.ts'

const LIMIT = { timeoutSeconds: 300 }

async function mediaTools(t: Test): Promise<MediaTools> {
  const config = loadConfig({ dataDirectory: t.testdirName, environment: { PATH: '/usr/bin:/bin' } })
  return createMediaTools({ config, log: await createLogger(config, { level: 'emergency' }) })
}

void t.test('every name of a decoder is one word and listed once', (t) => {
  for (const name of DECODERS) t.match(name, /^[\w-]+$/)
  t.equal(new Set(DECODERS).size, DECODERS.length)
  t.end()
})

void t.test('this ffmpeg has most of the listed decoders, and others that are not listed', (t) => {
  const lines = execFileSync('ffmpeg', ['-hide_banner', '-decoders']).toString().split('\n')
  const known = new Set(lines.map((line) => /^ [VAS][A-Z.]{5} (\S+)/.exec(line)?.[1]))
  for (const name of [
    'h264',
    'hevc',
    'av1',
    'vp9',
    'mpeg2video',
    'aac',
    'ac3',
    'dca',
    'flac',
    'opus',
    'subrip',
    'ass',
  ]) {
    t.ok(known.has(name) && DECODERS.includes(name), name)
  }
  t.ok(DECODERS.filter((name) => known.has(name)).length > 150)
  for (const name of ['magicyuv', 'sanm', 'wcmv', 'tak', 'sonic', 'microdvd', 'librsvg', 'h264_cuvid']) {
    t.notOk(DECODERS.includes(name), name)
  }
  t.end()
})

const REFUSALS: [printed: string, names: string[]][] = [
  ["[magicyuv @ 0x55db8d8297c0] Codec (magicyuv) not on whitelist 'h264,aac'\n", ['magicyuv']],
  ["[a @ 0x1] Codec (a) not on whitelist 'h2[b-c @ 0x2] Codec (b-c.d) not on whitelist 'h2", ['a', 'b-c.d']],
  ["[a @ 0x1] Codec (a) not on whitelist ''\n[a @ 0x2] Codec (a) not on whitelist ''\n", ['a']],
  ["[h264 @ 0x1] Codec (h264) not on whitelist 'x'", []],
  ["[a @ 0x1] Codec (a,b) not on whitelist 'x'", []],
  ["[a @ 0x1] Codec (-i) not on whitelist 'x'".replace('-i', '$(x)'), []],
  ["[a @ 0x1] Format not on whitelist 'x'", []],
  [`[${'a'.repeat(100_000)}`, []],
  ['[a @ 0x1] Codec ('.repeat(10_000), []],
  ['', []],
]

void t.test('refused decoders are parsed from the output of ffprobe, also from truncated lines', (t) => {
  for (const [printed, names] of REFUSALS) t.strictSame(refusedDecoders(printed), names, printed.slice(0, 80))
  t.end()
})

void t.test('the message about a refused decoder does not contain the list', (t) => {
  const list = DECODERS.join(',')
  const said = "[a @ 0x1] Codec (a) not on whitelist '"
  const short = '[a @ 0x1] Codec (a) not on whitelist\n'
  t.equal(withoutDecoderLists(`${said}${list}'\nError\n`), `${short}Error\n`)
  t.equal(withoutDecoderLists(`${said}${list.slice(0, 900)}Error\n`), `${short}Error\n`)
  t.equal(withoutDecoderLists(`${said}${list}'\n${said}${list.slice(0, 900)}`), `${short}${short}`)
  for (const other of ['', 'No space left', 'x on whitelist', '\n']) t.equal(withoutDecoderLists(other), other)
  t.end()
})

void t.test('codecs are recognised by the names of ffprobe and of containers', (t) => {
  for (const codec of ['h264', 'H264', 'hevc', 'hvc1', 'msmpeg4v3', 'wmv3', null])
    t.ok(isDecodedPicture(codec), `${codec}`)
  for (const codec of ['magicyuv', 'aac', '', 'h264,magicyuv']) t.notOk(isDecodedPicture(codec), codec)
  t.end()
})

void t.test(
  'a file with a refused codec is described, its picture is not decoded, and its other streams are used',
  async (t) => {
    const tools = await mediaTools(t)
    const input = await sampleMedia('film-refused-mkv')
    const output = join(t.testdir({}), 'out.mkv')
    t.match(await tools.probe(input), {
      format: { duration: /^1\.0/, size: `${statSync(input).size}` },
      streams: [
        { codec_name: 'magicyuv', width: 64, height: 48 },
        { codec_name: 'aac', channels: 2, profile: 'LC' },
      ],
    })
    t.equal((await tools.listPackets(input, { streamIndex: 0, ...LIMIT }))?.length, 8)
    t.same(await tools.extractFrame({ input, atSeconds: 0, isBright: false }, { ...LIMIT, maxBytes: 1_000_000 }), {
      kind: 'none',
    })
    const encode = (args: string) => tools.encode({ input, output, after: args.split(' ') }, LIMIT)
    t.notOk((await encode('-map 0:v -c:v mjpeg')).isComplete, 'not decoded')
    t.ok((await encode('-map 0:a -c:a flac')).isComplete, 'its sound is')
    t.ok((await encode('-map 0 -c copy')).isComplete, 'copied')
    const work = { input, folder: t.testdirName, before: [], after: '-map 0:v -c:v libx264'.split(' ') }
    const end = await tools.startSegmenter(work, { niceness: 0, onSegment: () => {} }).ended
    t.match(end, { isComplete: false, fault: null, stderrTail: /Codec \(magicyuv\) not on whitelist\n/ })
    t.notMatch(end.stderrTail, /libdav1d/)
  },
)

/** A film of one frame whose header declares 15,000 x 15,000 pixels, which requires a block of 675 MB. */
function hugeFrame(path: string): void {
  const picture = ['-f', 'lavfi', '-i', 'color=black:size=16x16:rate=1:duration=1', '-pix_fmt', 'rgb24']
  execFileSync('ffmpeg', ['-loglevel', 'error', '-y', ...picture, '-c:v', 'qtrle', path])
  const bytes = readFileSync(path)
  // ISO 14496-12, 12.1.3: width and height are 24 bytes after the name of a sample entry.
  const at = bytes.indexOf('rle ', bytes.indexOf('stsd')) + 4 + 24
  bytes.writeUInt16BE(15_000, at)
  bytes.writeUInt16BE(15_000, at + 2)
  writeFileSync(path, bytes)
}

const MEBIBYTE = 1024 * 1024

/** The peak memory of a process so far; 0 when it has ended. */
function peakBytes(pid: number): number {
  const path = `/proc/${pid}/status`
  const kibibytes = existsSync(path) ? /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(path, 'utf8'))?.[1] : undefined
  return Number(kibibytes ?? 0) * 1024
}

void t.test('a header cannot cause an allocation above the limit, and could without it', async (t) => {
  const path = join(t.testdir({}), 'huge.mov')
  hugeFrame(path)
  const input = inputArguments(path)
  const at = input.indexOf('-max_alloc')
  const decode = (args: readonly string[]) => {
    const child = spawn('ffmpeg', ['-v', 'error', ...args, '-vf', 'scale=1000:1000', '-f', 'rawvideo', 'pipe:1'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    t.teardown(() => child.kill('SIGKILL'))
    return child
  }
  const limited = decode(input)
  const ended = once(limited, 'exit') as Promise<[number]>
  let said = ''
  limited.stderr.on('data', (text: Buffer) => (said += text.toString()))
  limited.stdout.resume()
  let peak = 0
  while (limited.exitCode === null && limited.signalCode === null) {
    peak = Math.max(peak, peakBytes(limited.pid ?? 0))
    await pause(2)
  }
  const [exitCode] = await ended
  t.not(exitCode, 0)
  t.match(said, /Cannot allocate memory/)
  t.ok(peak > 0 && peak < 400 * MEBIBYTE, `${peak} bytes`)

  // Its output is not read, so that it blocks with all its memory allocated.
  const free = decode(input.toSpliced(at, 2))
  await waitUntil('the frame is in memory', () => peakBytes(free.pid ?? 0) > 600 * MEBIBYTE || free.exitCode !== null)
  t.equal(free.exitCode, null)
})
