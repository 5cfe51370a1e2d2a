import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../../src/core/platform/config/index.ts'
import { createLogger } from '../../../../src/core/platform/logging/index.ts'
import { createMediaTools, type MediaTools } from '../../../../src/core/platform/media-tools/index.ts'
import { playlistOf, sampleMedia } from '../../../support/media.ts'

/** The media tools of this machine, or those in `programs`. */
async function mediaTools(t: Test, programs: { ffmpeg?: string; ffprobe?: string } = {}): Promise<MediaTools> {
  const flags = {
    ...(programs.ffmpeg !== undefined && { 'media.ffmpeg': programs.ffmpeg }),
    ...(programs.ffprobe !== undefined && { 'media.ffprobe': programs.ffprobe }),
  }
  const config = loadConfig({ dataDirectory: t.testdirName, environment: { PATH: '/usr/bin:/bin' }, flags })
  const destination = new Writable({ write: (_chunk, _encoding, done) => done() })
  return createMediaTools({ config, log: await createLogger(config, { destination }) })
}

/** A script in place of ffmpeg or ffprobe. */
function fakeProgram(folder: string, script: string): string {
  const path = join(folder, 'fake-program')
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

const COPY = ['-c', 'copy', '-f', 'mpegts']
const LIMIT = { timeoutSeconds: 300 }

void t.test('a film is probed and encoded under any name', async (t) => {
  const folder = t.testdir()
  const tools = await mediaTools(t)
  const film = await sampleMedia('film-tiny-mp4')
  const names = [
    '-i.mp4',
    '--help.mkv',
    'Film: part 1.mp4',
    'concat:a|b.mp4',
    'http:evil.mkv',
    'file:x.mp4',
    'pipe:0.mp4',
    'data:x.mp4',
    'pic%d.mp4',
    '%s%n.mkv',
    'a"b.mkv',
    "a'b.mkv",
    'a\\b.mkv',
    'a$(id).mkv',
    'a`id`.mkv',
    'a;b.mkv',
    'a\nb.mkv',
    'a\u001B[2Jb.mkv',
    'cafe\u0301 🎬.mkv',
    'No space left on device.mkv',
    'Format not on whitelist.mkv',
  ]
  for (const name of names) {
    copyFileSync(film, join(folder, name))
    const output = join(folder, 'out.ts')
    t.match(await tools.probe(join(folder, name)), { format: { duration: '2.000000' } }, JSON.stringify(name))
    const result = await tools.encode({ input: join(folder, name), output, after: COPY }, LIMIT)
    t.ok(result.isComplete && statSync(output).size > 0, `${JSON.stringify(name)} encoded`)
  }
})

void t.test('every path is one argument after all restrictions, and no shell parses it', async (t) => {
  const folder = t.testdir()
  const record = join(folder, 'words')
  const program = fakeProgram(folder, `printf '%s\\0' "$@" > '${record}'; echo '{}'`)
  const tools = await mediaTools(t, { ffmpeg: program, ffprobe: program })
  const input = '/films/-i $(touch x) "a" \'b\'\n;.mkv'
  const args = (): string[] => readFileSync(record, 'utf8').split('\0').slice(0, -1)
  await tools.probe(input)
  const probed = args()
  await tools.encode({ input, output: '/cache/out file.ts', before: ['-ss', '1'], after: COPY }, LIMIT)
  const encoded = args()
  for (const list of [probed, encoded]) {
    const at = list.indexOf('-i')
    t.equal(list[at + 1], `file:${input}`)
    t.equal(list.filter((word) => word.includes('touch')).length, 1)
    t.equal(list[list.indexOf('-protocol_whitelist') + 1], 'file')
    t.match(list[list.indexOf('-format_whitelist') + 1], /(^|,)matroska(,|$)/)
    t.notMatch(list[list.indexOf('-format_whitelist') + 1], /hls|concat|image2|dash|sdp/)
    t.match(list[list.indexOf('-codec_whitelist') + 1], /(^|,)h264(,|$)/)
    const limits = ['-max_alloc', '-protocol_whitelist', '-format_whitelist', '-codec_whitelist']
    t.ok(
      limits.every((word) => list.includes(word) && list.indexOf(word) < at),
      'before the input',
    )
  }
  t.ok(encoded.includes('-nostdin'))
  t.strictSame(encoded.slice(-1), ['file:/cache/out file.ts'])
})

void t.test('FN-02: a playlist or script under the name of a film opens nothing', async (t) => {
  const folder = t.testdir()
  const tools = await mediaTools(t)
  let requests = 0
  const server = createServer((_request, response) => {
    requests += 1
    response.end()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  t.teardown(() => server.close())
  // Opening a pipe without a writer would block, so the result would not be a rejection.
  const pipe = join(folder, 'outside')
  execFileSync('mkfifo', [pipe])
  const hostile: [name: string, content: string | Buffer][] = [
    ['http.mp4', playlistOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}/x.ts`)],
    ['local.mp4', playlistOf(pipe)],
    ['local.mkv', playlistOf(`file:${pipe}`)],
    ['readable.mp4', readFileSync(await sampleMedia('playlist-as-mp4'))],
    ['script.mp4', `ffconcat version 1.0\nfile outside\n`],
    ['script.mkv', `ffconcat version 1.0\nfile '${pipe}'\n`],
    ['session.mp4', `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 96\n`],
    ['list.mp4', `${pipe}\n`],
  ]
  for (const [name, content] of hostile) {
    const path = join(folder, name)
    const output = join(folder, 'out.ts')
    writeFileSync(path, content)
    await t.rejects(tools.probe(path), { code: 'unreadable_media', kind: 'invalid' }, name)
    const result = await tools.encode({ input: path, output, after: COPY }, LIMIT)
    t.notOk(result.isComplete || existsSync(output), `${name} is not encoded`)
  }
  t.equal(requests, 0, 'no connection was made')
})

const REFUSED = [
  ['empty-mp4', /not a media file/],
  ['noise-mp4', /not a media file/],
  ['concat-as-mp4', /not opened/],
] as const

void t.test('an unreadable file has a reason for users, without a path', async (t) => {
  const tools = await mediaTools(t)
  for (const [kind, message] of REFUSED) {
    const path = await sampleMedia(kind)
    const error: unknown = await tools.probe(path).catch((error: unknown) => error)
    t.match(error, { code: 'unreadable_media', message }, kind)
    t.notMatch((error as Error).message, /\//, 'no path')
  }
  await t.rejects(tools.probe('/no/such/film.mp4'), { code: 'unreadable_media', message: /no longer there/ })
  await t.rejects(tools.probe('/'), { code: 'unreadable_media' }, 'a folder')
})

void t.test(
  'paths that are not absolute, and outputs with a percent sign, are refused before anything starts',
  async (t) => {
    const tools = await mediaTools(t, { ffmpeg: '/bin/false', ffprobe: '/bin/false' })
    for (const path of ['film.mp4', '-i.mp4', '', 'file:/film.mp4', '/film\0.mp4']) {
      await t.rejects(tools.probe(path), RangeError, JSON.stringify(path))
    }
    const input = '/film.mp4'
    for (const output of ['out.ts', '/cache/%d/out.ts', '/cache/out\0.ts']) {
      await t.rejects(tools.encode({ input, output, after: [] }, LIMIT), RangeError, JSON.stringify(output))
    }
  },
)

void t.test('M1: a full disk is detected although ffmpeg exits with 0', async (t) => {
  const tools = await mediaTools(t)
  const input = await sampleMedia('film-mp4')
  const full = await tools.encode({ input, output: '/dev/full', after: COPY }, LIMIT)
  t.match(full, { outcome: 'exited', isComplete: false, fault: { kind: 'disk_full' } })
  const missing = await tools.encode({ input, output: '/no/such/folder/out.ts', after: COPY }, LIMIT)
  t.match(missing, { outcome: 'exited', isComplete: false, exitCode: 1 })
})

void t.test('messages about files in ffmpeg’s output are faults, messages about pictures are not', async (t) => {
  const folder = t.testdir()
  const rows: [printed: string, kind: string | undefined][] = [
    ['av_interleaved_write_frame(): No space left on device', 'disk_full'],
    ['av_interleaved_write_frame(): Invalid data found when processing input', undefined],
    ['Error writing trailer of file:/x: Disk quota exceeded', 'disk_full'],
    ['Error writing trailer of file:/x: Input/output error', 'write'],
    ['file:/x: Read-only file system', 'write'],
    ['file:/x: Input/output error', 'read'],
    ['file:/x: Stale file handle', 'read'],
    ['[h264 @ 0x1] error while decoding MB 3 4', undefined],
    ['file:/films/Input/output error.mkv: corrupt packet', undefined],
    ['', undefined],
  ]
  for (const [printed, kind] of rows) {
    const tools = await mediaTools(t, { ffmpeg: fakeProgram(folder, `echo '${printed}' >&2`) })
    const what = { input: '/films/Input/output error.mkv', output: '/x', after: [] }
    const { fault, isComplete } = await tools.encode(what, LIMIT)
    t.equal(fault?.kind, kind, printed)
    t.equal(isComplete, kind === undefined, `${printed || 'nothing'}: complete or not`)
  }
})

void t.test('an encoder is ended by a timeout or an abort, and its result reports that', async (t) => {
  const folder = t.testdir()
  const tools = await mediaTools(t, { ffmpeg: fakeProgram(folder, "trap '' TERM; sleep 600") })
  const what = { input: '/film.mkv', output: join(folder, 'out.ts'), after: [] }
  t.match(await tools.encode(what, { timeoutSeconds: 0.2 }), { outcome: 'timed_out', isComplete: false })
  const stop = new AbortController()
  const running = tools.encode(what, { ...LIMIT, signal: stop.signal })
  stop.abort()
  t.match(await running, { outcome: 'aborted', isComplete: false })
})

void t.test('a missing program is reported with its package', async (t) => {
  const folder = t.testdir({ 'not-executable': '' })
  for (const program of ['/no/such/program', 'phlix-no-such-program', join(folder, 'not-executable')]) {
    const tools = await mediaTools(t, { ffmpeg: program, ffprobe: program })
    const missing = { code: 'tool_missing', kind: 'unavailable', hint: /apt-get install ffmpeg/ }
    await t.rejects(tools.probe('/film.mp4'), missing, `ffprobe as ${program}`)
    await t.rejects(
      tools.encode({ input: '/film.mp4', output: '/x', after: [] }, LIMIT),
      missing,
      `ffmpeg as ${program}`,
    )
    await t.rejects(tools.version('ffmpeg'), missing, `version of ${program}`)
  }
})

void t.test('every program of the media tools is started in isolation', async (t) => {
  const folder = t.testdir()
  const program = fakeProgram(folder, 'echo "ffmpeg version 5.1"')
  const wrapped: string[] = []
  const isolation = {
    limits: () => ({ isWithoutNetwork: false, isWithoutRights: false }),
    wrap: <Command extends { arguments: readonly string[] }>(command: Command) => {
      wrapped.push(command.arguments.join(' '))
      return command
    },
  }
  const flags = { 'media.ffmpeg': program, 'media.ffprobe': program, 'media.heif_convert': program }
  const config = loadConfig({ dataDirectory: t.testdirName, environment: { PATH: '/usr/bin:/bin' }, flags })
  const tools = createMediaTools({ config, log: await createLogger(config, { level: 'emergency' }), isolation })
  const [input, picture] = ['/film.mp4', { ...LIMIT, maxBytes: 100 }]
  const background = { ...LIMIT, niceness: 0 }
  const runs: Record<Exclude<keyof MediaTools, 'isolation' | 'ffmpegPath'>, () => Promise<unknown>> = {
    probe: () => tools.probe(input).catch(() => {}),
    listPackets: () => tools.listPackets(input, { streamIndex: 0, ...LIMIT }),
    encode: () => tools.encode({ input, output: '/x', after: [] }, LIMIT),
    extractPicture: () => tools.extractPicture({ input, streamIndex: 0 }, picture),
    extractFrame: () => tools.extractFrame({ input, atSeconds: 0, isBright: false }, picture),
    convertHeif: () => tools.convertHeif({ input, folder }, 300),
    startSegmenter: () => tools.startSegmenter({ input, folder, before: [], after: COPY }, pieces).ended,
    makeClip: () => tools.makeClip('/x.mp4', { durationSeconds: 1, size: { width: 160, height: 90 }, niceness: 0 }),
    readPicturesAndFingerprint: () =>
      tools.readPicturesAndFingerprint({ input, pictures: null, sound: { streamIndex: 1 } }, { niceness: 0 }),
    componentsOf: () => tools.componentsOf('filters'),
    decodeAudio: () =>
      tools.decodeAudio({ input, streamIndex: 1, fromSeconds: 0, seconds: 1, sampleRate: 8000 }, background),
    frameMetadata: () =>
      tools.frameMetadata(
        { input, streamIndex: 0, fromSeconds: 0, isKeyFramesOnly: true, filters: ['null'] },
        background,
      ),
    version: () => tools.version('ffmpeg'),
    benchmark: () => tools.benchmark({ input: { graph: 'testsrc2' }, before: [], after: [], output: '/x' }, LIMIT),
    countFrames: () => tools.countFrames(input, LIMIT),
  }
  for (const [name, run] of Object.entries(runs)) {
    wrapped.length = 0
    await run()
    t.equal(wrapped.length, 1, name)
  }
})

void t.test('a tool whose restrictions are refused at its start has failed, regardless of the file', async (t) => {
  const refusal = ['-c', 'echo "unshare: unshare failed: No space left on device" >&2; exit 1']
  const isolation = {
    limits: () => ({ isWithoutNetwork: true, isWithoutRights: true }),
    wrap: () => ({ program: '/bin/sh', arguments: refusal }),
  }
  const config = loadConfig({ dataDirectory: t.testdirName, environment: { PATH: '/usr/bin:/bin' } })
  const tools = createMediaTools({ config, log: await createLogger(config, { level: 'emergency' }), isolation })
  const failed = { code: 'tool_failed', message: /not started, because a limit was refused: unshare failed/ }
  await t.rejects(tools.probe('/film.mp4'), failed)
  await t.rejects(tools.encode({ input: '/film.mp4', output: '/x', after: [] }, LIMIT), failed)
  await t.rejects(tools.version('ffmpeg'), failed)
  const work = { input: '/film.mp4', folder: '/cache', before: [], after: COPY }
  await t.rejects(tools.startSegmenter(work, pieces).ended, failed)
})

const BROKEN: [claim: string, script: string, message: RegExp][] = [
  ['no JSON', 'echo hello', /did not print JSON/],
  ['nothing', 'true', /did not print JSON/],
  ['killed by a signal', 'kill -SEGV $$', /terminated by SIGSEGV/],
]

void t.test('a crash of ffprobe is a failure of the tool, not of the file', async (t) => {
  for (const [claim, script, message] of BROKEN) {
    const tools = await mediaTools(t, { ffprobe: fakeProgram(t.testdir(), script) })
    await t.rejects(tools.probe('/film.mp4'), { code: 'tool_failed', kind: 'failed', message }, claim)
  }
})

void t.test('a file with too many chapters is probed without them; other excessive output is refused', async (t) => {
  const big = 'head -c 17000000 /dev/zero'
  const chaptersOnly = `case "$*" in *-show_chapters*) ${big};; *) echo '{"format":{}}';; esac`
  const patient = await mediaTools(t, { ffprobe: fakeProgram(t.testdir(), chaptersOnly) })
  t.strictSame(await patient.probe('/film.mp4'), { format: {} })
  const flooded = await mediaTools(t, { ffprobe: fakeProgram(t.testdir(), big) })
  await t.rejects(flooded.probe('/film.mp4'), { code: 'unreadable_media' })
})

void t.test('probing ends with its signal and throws the signal’s reason', async (t) => {
  const tools = await mediaTools(t, { ffprobe: fakeProgram(t.testdir(), 'sleep 600') })
  const stop = new AbortController()
  const probing = tools.probe('/film.mp4', stop.signal)
  stop.abort(new Error('no longer wanted'))
  await t.rejects(probing, /no longer wanted/)
  await t.rejects(tools.probe('/film.mp4', stop.signal), /no longer wanted/, 'ended before it began')
})

const VERSIONS: [printed: string, text: string, major: number | null, minor: number | null][] = [
  ['ffmpeg version 5.1.9-0+deb12u1 Copyright (c) 2000-2026', '5.1.9-0+deb12u1', 5, 1],
  ['ffmpeg version n7.1 Copyright', 'n7.1', 7, 1],
  ['ffmpeg version N-109542-g4f5 Copyright', 'N-109542-g4f5', null, null],
  ['ffprobe version 8.0.3', '8.0.3', 8, 0],
]

void t.test('the version is read from the program’s output once', async (t) => {
  for (const [printed, text, major, minor] of VERSIONS) {
    const folder = t.testdir()
    const tools = await mediaTools(t, { ffmpeg: fakeProgram(folder, `echo x >> '${folder}/runs'; echo '${printed}'`) })
    t.strictSame(await tools.version('ffmpeg'), { text, major, minor })
    await tools.version('ffmpeg')
    t.equal(readFileSync(join(folder, 'runs'), 'utf8'), 'x\n')
  }
  const tools = await mediaTools(t)
  t.match(await tools.version('ffprobe'), { text: /^[\w.+~-]+$/ }, 'of this machine')
})

void t.test('another program in its place is a failure, which is not cached', async (t) => {
  const folder = t.testdir()
  const tools = await mediaTools(t, { ffmpeg: fakeProgram(folder, 'echo avconv 12') })
  await t.rejects(tools.version('ffmpeg'), { code: 'tool_failed' })
  fakeProgram(folder, 'echo ffmpeg version 6.1')
  t.match(await tools.version('ffmpeg'), { major: 6, minor: 1 })
})

const pieces = { niceness: 0, onSegment: () => {} }

void t.test(
  'FN-01: a segmenter has each path as one argument too, and a percent sign in a folder is escaped',
  async (t) => {
    const folder = t.testdir()
    const record = join(folder, 'words')
    const tools = await mediaTools(t, { ffmpeg: fakeProgram(folder, `printf '%s\\0' "$@" > '${record}'`) })
    const input = '/films/-i $(touch x) "a" \'b\'\n;é%d.mkv'
    const work = { input, folder: '/cache/-y 100%d "a"\n', before: ['-ss', '1'], after: COPY }
    t.match(await tools.startSegmenter(work, pieces).ended, { isComplete: true, exitCode: 0, fault: null })
    const args = readFileSync(record, 'utf8').split('\0').slice(0, -1)
    const at = args.indexOf('-i')
    t.equal(args[at + 1], `file:${input}`)
    t.strictSame(args.slice(-1), ['file:/cache/-y 100%%d "a"\n/%05d.ts'])
    t.ok(args.indexOf('-protocol_whitelist') < at && args.indexOf('-format_whitelist') < at, 'before the input')
    t.ok(args.includes('-nostdin'))
    for (const path of ['relative.mkv', '', 'http://example.org/a', '/a\0b']) {
      t.throws(() => tools.startSegmenter({ ...work, input: path }, pieces), RangeError, JSON.stringify(path))
      t.throws(() => tools.startSegmenter({ ...work, folder: path }, pieces), RangeError, JSON.stringify(path))
    }
  },
)

void t.test(
  'FN-02: a segmenter opens nothing behind a playlist or a script, and a missing program is reported',
  async (t) => {
    const folder = t.testdir()
    const tools = await mediaTools(t)
    for (const kind of ['playlist-as-mp4', 'concat-as-mp4', 'empty-mp4', 'noise-mp4'] as const) {
      const work = { input: await sampleMedia(kind), folder, before: [], after: ['-c', 'copy', '-segment_times', '1'] }
      t.notOk((await tools.startSegmenter(work, pieces).ended).isComplete, kind)
      t.notOk(existsSync(join(folder, '00000.ts')), kind)
    }
    const missing = await mediaTools(t, { ffmpeg: '/nonexistent/ffmpeg' })
    const work = { input: '/a.mkv', folder, before: [], after: COPY }
    await t.rejects(missing.startSegmenter(work, pieces).ended, { code: 'tool_missing' })
  },
)
