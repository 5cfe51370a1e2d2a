import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const CACHE = fileURLToPath(new URL('../../.cache/media/tagged/', import.meta.url))

export type ChapterSpan = { startSeconds: number; endSeconds: number; title: string }

/** Properties of a recording. */
export type AudioSpec = {
  extension: 'mp3' | 'flac' | 'm4a' | 'm4b' | 'ogg'
  /** Under ffmpeg's names. */
  tags?: Readonly<Record<string, string>>
  seconds?: number
  /** Distinguishes recordings of the same length. */
  hertz?: number
  chapters?: readonly ChapterSpan[]
  /** Whether the file contains a small front cover (not for ogg). */
  hasPicture?: boolean
  /** For MP4: whether the header is before the audio data. */
  isHeaderFirst?: boolean
}

/** Writes a real recording, made by ffmpeg at first use, to a path below a folder; returns its absolute path. */
export async function putAudio(folder: string, path: string, spec: Omit<AudioSpec, 'extension'> = {}): Promise<string> {
  const target = join(folder, path)
  mkdirSync(dirname(target), { recursive: true })
  const extension = path.slice(path.lastIndexOf('.') + 1) as AudioSpec['extension']
  copyFileSync(await taggedAudio({ ...spec, extension }), target)
  return target
}

/** The absolute path of a recording, kept in `.cache/media/tagged` of the checkout. It is read-only; copy it to change it. */
async function taggedAudio(spec: AudioSpec): Promise<string> {
  const fingerprint = createHash('sha256').update(JSON.stringify(spec)).digest('hex').slice(0, 16)
  const path = join(CACHE, `${fingerprint}.${spec.extension}`)
  if (existsSync(path)) return path
  await mkdir(CACHE, { recursive: true })
  const draft = join(CACHE, `.draft-${randomUUID()}.${spec.extension}`)
  try {
    await encode(spec, draft)
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
  return path
}

const CODECS = {
  mp3: '-c:a libmp3lame -b:a 64k -id3v2_version 3',
  flac: '-c:a flac',
  m4a: '-c:a aac -b:a 64k',
  m4b: '-c:a aac -b:a 64k -f ipod',
  ogg: '-c:a libvorbis',
}

const PICTURE = '-map 0:a -map 1:v -c:v mjpeg -frames:v 1 -disposition:v attached_pic -metadata:s:v comment=Cover'

async function encode(spec: AudioSpec, draft: string): Promise<void> {
  const {
    extension,
    tags = {},
    seconds = 2,
    hertz = 440,
    chapters = [],
    isHeaderFirst = false,
    hasPicture = false,
  } = spec
  const words = ['-hide_banner', '-nostdin', '-loglevel', 'error', '-y']
  words.push('-f', 'lavfi', '-i', `sine=frequency=${hertz}:sample_rate=44100:duration=${seconds}`)
  if (hasPicture) words.push('-f', 'lavfi', '-i', 'color=red:size=16x16:duration=1:rate=1')
  const chapterFile = `${draft}.chapters`
  if (chapters.length > 0) {
    await writeFile(chapterFile, `;FFMETADATA1\n${chapters.map(sectionOf).join('')}`)
    words.push('-f', 'ffmetadata', '-i', chapterFile, '-map_metadata', hasPicture ? '2' : '1')
  }
  for (const [name, value] of Object.entries(tags)) words.push('-metadata', `${name}=${value}`)
  words.push(...CODECS[extension].split(' '))
  if (hasPicture) words.push(...PICTURE.split(' '))
  if (isHeaderFirst) words.push('-movflags', '+faststart')
  try {
    await promisify(execFile)('ffmpeg', [...words, '-fflags', '+bitexact', draft])
  } finally {
    await rm(chapterFile, { force: true })
  }
}

function sectionOf({ startSeconds, endSeconds, title }: ChapterSpan): string {
  const times = `START=${startSeconds * 1000}\nEND=${endSeconds * 1000}`
  return `[CHAPTER]\nTIMEBASE=1/1000\n${times}\ntitle=${title}\n`
}
