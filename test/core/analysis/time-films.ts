import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const CACHE = fileURLToPath(new URL('../../../.cache/media/', import.meta.url))

/** The brightness of each picture is its time: three steps of luma for each second. */
const STEPS_PER_SECOND = 3

const picture = (seconds: number, rate = 10): string =>
  `-f lavfi -i nullsrc=size=160x90:rate=${rate}:duration=${seconds},geq=lum='16+T*${STEPS_PER_SECOND}':cb=128:cr=128`
const tone = (seconds: number): string => `-f lavfi -i sine=frequency=440:sample_rate=22050:duration=${seconds}`
const H264 = '-c:v libx264 -preset ultrafast -qp 4 -pix_fmt yuv420p -sc_threshold 0'

const FILMS = {
  /** 64 s, a key frame every four seconds. */
  constant: { extension: 'mkv', words: `${picture(64)} ${tone(64)} ${H264} -g 40 -c:a aac` },
  /** A key frame every five seconds. The sound of a delayed encoder moves the video by 0.046 s. */
  moved: { extension: 'mkv', words: `${picture(64)} ${tone(64)} ${H264} -g 50 -c:a aac` },
  /** Between three and ten frames per second; a key frame at every 25th. */
  variable: {
    extension: 'mkv',
    words: `${picture(64)} -vf select='not(mod(n,3))+gt(sin(n/40),0)' -fps_mode vfr ${H264} -g 25`,
  },
  interlaced: {
    extension: 'mkv',
    words: `${picture(64, 20)} -vf scale=160:96,tinterlace=interleave_top -flags +ilme+ildct ${H264} -g 40`,
  },
  /** A key frame every 25 seconds. */
  sparse: { extension: 'mp4', words: `${picture(64)} ${H264} -g 250` },
  /** Key frames that do not reset the decoder: frames before them are decoded after them. */
  open: { extension: 'mkv', words: `${picture(64)} ${H264} -bf 2 -x264-params open-gop=1:keyint=40:min-keyint=40` },
  /** The only key frame is the first. */
  single: { extension: 'mp4', words: `${picture(64)} ${H264} -g 10000` },
  short: { extension: 'mp4', words: `${picture(3)} ${tone(3)} ${H264} -c:a aac` },
  /** Its video starts 12.5 s later than its sound. */
  late: { extension: 'mkv', words: `${tone(62.5)} -itsoffset 12.5 ${picture(50)} ${H264} -g 40 -c:a aac` },
  /** One picture throughout. */
  still: {
    extension: 'mp4',
    words: `-f lavfi -i color=gray:size=160x90:rate=10:duration=44 ${tone(44)} ${H264} -g 50 -c:a aac`,
  },
  /** A transport stream whose clock starts at 5,000 s. */
  offset: { extension: 'ts', words: `${picture(64)} ${tone(64)} ${H264} -g 40 -c:a aac -output_ts_offset 5000` },
} as const

export type TimeFilm = keyof typeof FILMS

/** The path of a film, made at first use and stored in `.cache/media`; never change the file. */
export async function timeFilm(kind: TimeFilm): Promise<string> {
  const { words, extension } = FILMS[kind]
  const name = `time-${kind}-${createHash('sha256').update(words).digest('hex').slice(0, 12)}.${extension}`
  const path = join(CACHE, name)
  if (existsSync(path)) return path
  await mkdir(CACHE, { recursive: true })
  const unfinished = join(CACHE, `${randomUUID()}.${extension}`)
  await promisify(execFile)('ffmpeg', ['-nostdin', '-loglevel', 'error', '-y', ...words.split(' '), unfinished])
  await rename(unfinished, path)
  return path
}

/** A film without its last part. */
export async function cutFilm(kind: TimeFilm, folder: string, share: number): Promise<string> {
  const bytes = await readFile(await timeFilm(kind))
  const path = join(folder, `cut.${FILMS[kind].extension}`)
  await writeFile(path, bytes.subarray(0, Math.floor(bytes.length * share)))
  return path
}

/** The time that a picture of such a film shows, exact to about half a second. */
export function shownSeconds(rgb: Uint8Array): number {
  const middle = rgb[(45 * 160 + 80) * 3 + 1] ?? 0
  // Video levels of 16 to 235 are 0 to 255 in RGB.
  return (middle * 219) / 255 / STEPS_PER_SECOND
}
