import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { findMediaFolders } from '../../scripts/quickstart/media-folders.ts'

const script = join(import.meta.dirname, '..', '..', 'scripts', 'make-sample-library.sh')
const folder = t.testdir({})
execFileSync(script, [folder], { stdio: 'ignore' })

type Probed = {
  format: { duration: string; tags?: Record<string, string> }
  streams: { codec_name: string; codec_type: string }[]
  chapters: { start_time: string; tags: { title: string } }[]
}

function probe(path: string): Probed {
  const words = ['-v', 'error', '-of', 'json', '-show_format', '-show_streams', '-show_chapters', join(folder, path)]
  return JSON.parse(execFileSync('ffprobe', words, { encoding: 'utf8' }))
}

const codecs = (path: string): string[] => probe(path).streams.map(({ codec_name: name }) => name)

void t.test('the sample library has a folder of each kind, all of which quickstart recognises', async (t) => {
  const { folders, unrecognised } = findMediaFolders(folder)
  t.strictSame(
    folders.map(({ type }) => type),
    ['audiobook', 'movie', 'music', 'photo', 'series'],
  )
  t.strictSame(unrecognised, [])
})

void t.test('one film plays in every browser directly, the other one must be transcoded', async (t) => {
  const clock = 'Movies/The Counting Clock (2024)/The Counting Clock (2024).mp4'
  t.strictSame(codecs(clock), ['h264', 'aac'])
  t.equal(Math.round(Number(probe(clock).format.duration)), 60)
  t.strictSame(codecs('Movies/Deep Zoom (2023).mkv'), ['h264', 'ac3', 'flac'])
})

void t.test('tracks carry tags and the audiobook chapters', async (t) => {
  const { tags } = probe('Music/The Oscillators/Three Tones (2022)/02 - Noon.mp3').format
  t.match(tags, { artist: 'The Oscillators', album: 'Three Tones', title: 'Noon', track: '2/3' })
  const { chapters } = probe('Audiobooks/Ada Sample/A Short History of Beeps.m4b')
  t.strictSame(
    chapters.map((chapter) => [chapter.start_time, chapter.tags.title]),
    [
      ['0.000000', 'The First Beep'],
      ['20.000000', 'The Second Beep'],
    ],
  )
})

void t.test('photos have their date in EXIF (DateTimeOriginal), and are valid pictures', async (t) => {
  const path = 'Photos/2024/Spiral.jpg'
  const file = readFileSync(join(folder, path))
  t.equal(file.subarray(0, 12).toString('latin1'), '\xFF\xD8\xFF\xE1\0\x48Exif\0\0')
  const tiff = file.subarray(12)
  t.equal(tiff.toString('latin1', 0, 4), 'II*\0')
  const exifDirectory = tiff.readUInt32LE(tiff.readUInt32LE(4) + 10)
  t.equal(tiff.readUInt16LE(exifDirectory + 2), 0x9003)
  const at = tiff.readUInt32LE(exifDirectory + 10)
  t.equal(tiff.toString('latin1', at, at + tiff.readUInt32LE(exifDirectory + 6)), '2024:05:17 14:03:09\0')
  t.strictSame(codecs(path), ['mjpeg'])
})

void t.test('a second run touches nothing', async (t) => {
  const times = (): (string | number)[][] =>
    globSync('**/*', { cwd: folder })
      .toSorted()
      .map((path) => [path, statSync(join(folder, path)).mtimeMs])
  const before = times()
  execFileSync(script, [folder], { stdio: 'ignore' })
  t.strictSame(times(), before)
})
