import { readdirSync } from 'node:fs'
import t, { type Test } from 'tap'
import { reachableDirectory } from '../../support/directories.ts'
import { failing, fakeFfmpeg, STAND_IN } from '../../support/fake-ffmpeg.ts'
import { runPhlix, startPhlix, temporaryDataDirectory } from '../../support/phlix.ts'
import { waitUntil } from '../../support/wait-until.ts'

const data = await temporaryDataDirectory(t)

/** Generates a film of 160x90 instead of a large one, and encodes streams in that size. */
const SMALL_FILMS = `
words=()
for word in "$@"; do
  case "$word" in
    testsrc2=size=*x*:rate=24000*) word="testsrc2=size=160x90:rate=24000\${word#*:rate=24000}";;
    *scale=*:*) word="$(printf '%s' "$word" | sed 's/scale=[0-9]*:[0-9]*/scale=160:90/')";;
  esac
  words+=("$word")
done
exec "$FFMPEG" "\${words[@]}"`

function environmentOf(t: Test, encoders: Record<string, string>) {
  const ffmpeg = fakeFfmpeg(reachableDirectory(t), { libx264: SMALL_FILMS, ...encoders })
  return { environment: { PHLIX_FFMPEG: ffmpeg }, ffmpeg }
}

void t.test('encoders that work exit 0 with their speed and the capacity of the processor', async (t) => {
  const { environment, ffmpeg } = environmentOf(t, { h264_nvenc: STAND_IN })
  const words = ['hwaccel:probe', '--test', '--json', '--data-dir', data]
  const { code, stdout } = await runPhlix(words, { environment })
  t.equal(code, 0, stdout)
  const document = JSON.parse(stdout) as { capacity: { rung: string }[] }
  t.match(document, {
    ffmpeg: { version: '7.1-fake', path: ffmpeg },
    encoders: [
      { name: 'h264_nvenc', family: 'nvenc', codec: 'h264', ok: true, fps: Number, ratio: Number, reason: null },
    ],
    absent_families: ['vaapi', 'qsv', 'videotoolbox', 'v4l2m2m', 'amf'],
    software: { name: 'libx264', ok: true, fps: Number, reason: null },
  })
  t.strictSame(
    document.capacity.map(({ rung }) => rung),
    ['240p', '360p', '480p', '720p', '1080p', '1440p', '2160p'],
  )
  t.match(document.capacity[0], {
    width: 426,
    height: 240,
    video_bitrate: 400_000,
    processors_per_stream: Number,
    speed: Number,
  })
})

void t.test('an encoder that fails exits 4, and the text names the reason and the remedy', async (t) => {
  const crash = 'kill -SEGV $$'
  const { environment } = environmentOf(t, { h264_videotoolbox: crash, hevc_videotoolbox: crash, h264_nvenc: STAND_IN })
  const words = ['hwaccel:probe', '--test', '--data-dir', data]
  const { code, stdout } = await runPhlix(words, { environment })
  t.equal(code, 4, stdout)
  t.match(stdout, /^h264_nvenc +nvenc +h264 +works +\d+\.\d +\d+\.\d\d$/m)
  t.match(stdout, /^h264_videotoolbox +videotoolbox +h264 +fails$/m)
  t.match(stdout, /^h264_videotoolbox, hevc_videotoolbox: ffmpeg crashed \(SIGSEGV\).*\n {2}update the driver/m)
  t.match(stdout, /Streams are encoded in software: .* must join exactly/)
  t.match(stdout, /^2160p +3840x2160 +16000 +\d+\.\d\d +\d+\.\d\dx +\d+$/m)
  t.match(stdout, 'This ffmpeg has no encoders of: VAAPI, QSV, V4L2M2M, AMF.')
})

void t.test('without --test nothing is encoded, and the command exits 0', async (t) => {
  const { environment } = environmentOf(t, { h264_nvenc: failing('it was started') })
  const words = ['hwaccel:probe', '--encoder', 'h264_nvenc', '--encoder', 'h264_amf', '--json', '--data-dir', data]
  const { code, stdout } = await runPhlix(words, { environment })
  t.equal(code, 0, stdout)
  t.match(JSON.parse(stdout), {
    encoders: [
      { name: 'h264_nvenc', ok: null, fps: null, ratio: null, reason: null, advice: null },
      { name: 'h264_amf', ok: false, reason: /does not have the encoder/ },
    ],
    software: { ok: null },
    capacity: [],
  })
})

void t.test('without the software encoder there is no capacity', async (t) => {
  const { environment } = environmentOf(t, { libx264: failing("Unknown encoder 'libx264'") })
  const { code, stdout } = await runPhlix(['hwaccel:probe', '--test', '--json', '--data-dir', data], { environment })
  t.equal(code, 4, stdout)
  t.match(JSON.parse(stdout), { encoders: [], software: { ok: false, reason: /does not have/ }, capacity: [] })
})

void t.test('an unknown encoder exits 2, and a missing ffmpeg exits 69', async (t) => {
  const words = ['hwaccel:probe', '--json', '--data-dir', data]
  const unknown = await runPhlix([...words, '--encoder', 'libx265'])
  t.equal(unknown.code, 2)
  t.match(JSON.parse(unknown.stdout), { error: { code: 'usage' } })
  const missing = await runPhlix(words, { environment: { PHLIX_FFMPEG: '/nowhere/ffmpeg' } })
  t.equal(missing.code, 69)
  t.match(JSON.parse(missing.stdout), { error: { code: 'tool_missing', hint: /apt-get install ffmpeg/ } })
})

void t.test('an interruption ends the test and removes its files', async (t) => {
  const { environment, ffmpeg } = environmentOf(t, { h264_nvenc: 'touch "$0-started"; exec sleep 1000' })
  const words = ['hwaccel:probe', '--test', '--encoder', 'h264_nvenc', '--data-dir', data]
  const temporary = reachableDirectory(t)
  const { child, result } = startPhlix(words, { environment: { ...environment, TMPDIR: temporary } })
  const folder = ffmpeg.replace(/\/ffmpeg$/, '')
  await waitUntil('the encoder runs', () => readdirSync(folder).includes('ffmpeg-started'))
  child.kill('SIGINT')
  t.match(await result, { code: 130 })
  t.strictSame(readdirSync(temporary), [])
})
