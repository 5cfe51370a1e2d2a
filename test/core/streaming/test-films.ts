import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ffmpeg } from './support.ts'

const CACHE = fileURLToPath(new URL('../../../.cache/media/', import.meta.url))

const picture = (rate: string, seconds: number): string =>
  `-f lavfi -i testsrc2=size=320x180:rate=${rate}:duration=${seconds}`
const tone = (rate: number, seconds: number): string =>
  `-f lavfi -i sine=frequency=440:sample_rate=${rate}:duration=${seconds}`
const H264 = '-c:v libx264 -preset ultrafast -bf 2 -pix_fmt yuv420p -g 50'

/** Small films that several tests share; all are 320 pixels wide. */
const FILMS = {
  /** 14 s, 24000/1001 frames per second, AAC at 48 kHz, a key frame every two seconds. */
  film: `${picture('24000/1001', 14)} ${tone(48_000, 14)} ${H264} -c:a aac -ac 2`,
  /** 5 s at other frame rates; 14 s at 59.94. */
  film25: `${picture('25', 5)} ${tone(44_100, 5)} ${H264} -c:a aac -ac 2`,
  film2997: `${picture('30000/1001', 5)} ${tone(48_000, 5)} ${H264} -c:a aac -ac 2`,
  film30: `${picture('30', 5)} ${tone(44_100, 5)} ${H264} -c:a aac -ac 2`,
  film50: `${picture('50', 5)} ${tone(48_000, 5)} ${H264} -c:a aac -ac 2`,
  film5994: `${picture('60000/1001', 14)} ${tone(48_000, 14)} ${H264} -c:a aac -ac 2`,
  /** 54 s. */
  filmLong: `${picture('25', 54)} ${tone(48_000, 54)} -vf scale=160:90 ${H264} -c:a aac`,
  /** 5 s of 20 to 30 frames per second, irregular. */
  filmVariable: `${picture('30', 5)} ${tone(48_000, 5)} -vf select=not(mod(n\\,3))+gt(sin(n)\\,0) -fps_mode vfr ${H264} -c:a aac`,
  /** Low complexity, except for six seconds of noise in video and audio, which need twenty times the bits; the last segment is short. */
  filmNoisy: `-f lavfi -i nullsrc=size=160x90:rate=25:duration=25,geq=lum='if(between(T\\,12\\,18)\\,random(1)*255\\,128)':cb=128:cr=128 -f lavfi -i aevalsrc=random(0)*between(t\\,12\\,18):s=48000:d=25 ${H264} -c:a aac -ac 2`,
  /** Two seconds more sound than picture. */
  filmAvi: `${picture('25', 5)} ${tone(44_100, 7)} -c:v mpeg4 -g 50 -c:a libmp3lame`,
  /** 5 s, with audio from 1.3 s to 3.5 s. */
  filmLate: `${picture('25', 5)} -itsoffset 1.3 ${tone(44_100, 2.2)} ${H264} -c:a aac`,
  formFullChroma: `${picture('25', 2)} ${tone(48_000, 2)} -c:v libx264 -preset ultrafast -pix_fmt yuv422p -c:a aac`,
  formTenBits: `${picture('25', 2)} ${tone(48_000, 2)} -c:v libx264 -preset ultrafast -pix_fmt yuv420p10le -c:a aac`,
  /** An odd number of lines and columns. */
  formOdd: `${picture('25', 2)} ${tone(48_000, 2)} -vf scale=321:181 -c:v libx264 -preset ultrafast -pix_fmt yuv444p -c:a aac`,
  formTiny: `${picture('25', 2)} ${tone(48_000, 2)} -vf scale=64:48 ${H264} -c:a aac`,
  formMono: `${picture('25', 2)} ${tone(22_050, 2)} ${H264} -c:a aac -ac 1`,
  /** Eight channels. */
  formSurround: `${picture('25', 2)} ${tone(48_000, 2)} ${H264} -c:a aac -ac 8`,
  formInterlaced: `${picture('50', 2)} ${tone(48_000, 2)} -vf tinterlace=interleave_top -flags +ilme+ildct -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac`,
} as const

export type FilmKind = keyof typeof FILMS

/** Returns the absolute path of a film as MP4 or AVI, made at first use and stored in `.cache/media`; never change the file. */
export function makeFilm(kind: FilmKind): Promise<string> {
  return keptMedia(kind, kind === 'filmAvi' ? '.avi' : '.mp4', FILMS[kind].split(' '))
}

/** Returns a film in another container, with additional ffmpeg arguments; stored in the same way. */
export async function remuxFilm(kind: FilmKind, extension: string, words: readonly string[]): Promise<string> {
  const film = await makeFilm(kind)
  if (words.length === 0 && film.endsWith(extension)) return film
  return keptMedia(`${kind}-remuxed`, extension, ['-i', film, '-c', 'copy', ...words])
}

/** `filmNoisy` in Matroska with two additional audio tracks that are larger than the video: lossless noise, and AC-3. */
export async function filmWithManyAudioTracks(): Promise<string> {
  const noise = 'aevalsrc=random(0):s=48000:d=25'
  const words = ['-i', await makeFilm('filmNoisy'), '-f', 'lavfi', '-i', noise, '-f', 'lavfi', '-i', 'sine=duration=25']
  const maps = ['-map', '0:v', '-map', '0:a', '-map', '1:a', '-map', '2:a', '-c', 'copy']
  return keptMedia('many-sounds', '.mkv', [...words, ...maps, '-c:a:1', 'flac', '-c:a:2', 'ac3', '-b:a:2', '640k'])
}

/** Makes a file with these ffmpeg arguments, stored in `.cache/media` under a name derived from them. */
export async function keptMedia(name: string, extension: string, words: readonly string[]): Promise<string> {
  // The input of a remuxed film is a path whose fingerprint depends on its own arguments.
  const fingerprint = createHash('sha256').update(words.join(' ')).digest('hex').slice(0, 8)
  const path = join(CACHE, `streaming-${name}-${fingerprint}${extension}`)
  if (existsSync(path)) return path
  await mkdir(CACHE, { recursive: true })
  const draft = join(CACHE, `.draft-${randomUUID()}${extension}`)
  await ffmpeg(...words, '-fflags', '+bitexact', draft)
  await rename(draft, path)
  return path
}
