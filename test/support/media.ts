import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { timeSetup } from '../runner/setup-times.ts'

const CACHE = fileURLToPath(new URL('../../.cache/media/', import.meta.url))

/** A file made by ffmpeg: input arguments, output arguments, and optional chapters. */
type EncodedRecipe = { extension: string; inputs: string; output: string; chapters?: string }

/** A file whose bytes are derived from another sample. */
type DerivedRecipe = { extension: string; bytes: () => Promise<Uint8Array> }

const H264 = '-c:v libx264 -preset veryfast -pix_fmt yuv420p -b:v 600k -g 96'
const AAC = '-c:a aac -b:a 96k -ac 2'
const FASTSTART = '-movflags +faststart'

/** A song with the tags that all formats support, under ffmpeg's names. */
const SONG_TAGS =
  '-metadata title=Tone -metadata artist=Oscillator -metadata album_artist=Bench -metadata album=Waves ' +
  '-metadata genre=Electronic;Ambient -metadata date=2004-05-06 -metadata track=3/12 -metadata disc=1/2 ' +
  '-metadata composer=Hertz -metadata compilation=1 -metadata SERIES=Saga -metadata NARRATOR=Reader'

/** A moving test picture with a frame counter, and a 440 Hz tone. */
function film(size: string, frameRate: string, seconds: number): string {
  return `${picture(size, frameRate, seconds)} ${tone(440, seconds)}`
}

function picture(size: string, frameRate: string, seconds: number): string {
  return `-f lavfi -i testsrc2=size=${size}:rate=${frameRate}:duration=${seconds}`
}

function tone(hertz: number, seconds: number): string {
  return `-f lavfi -i sine=frequency=${hertz}:sample_rate=48000:duration=${seconds}`
}

/** One subtitle cue from 1 to 2 s. */
function line(word: string): string {
  return subtitles(`1\n00:00:01,000 --> 00:00:02,000\n${word}\n`)
}

function subtitles(subRip: string): string {
  return `-f srt -i data:text/plain;base64,${Buffer.from(subRip).toString('base64')}`
}

/** One cue per second with its number, for less than a minute. */
function seconds(count: number): string {
  const time = (second: number): string => `00:00:${second.toString().padStart(2, '0')},000`
  const cues = Array.from(
    { length: count },
    (_, second) => `${second + 1}\n${time(second)} --> ${time(second + 1)}\n${second}\n`,
  )
  return cues.join('\n')
}

const CHAPTERS = `;FFMETADATA1
title=A film with chapters
[CHAPTER]
TIMEBASE=1/1000
START=0
END=1500
title=Opening
[CHAPTER]
TIMEBASE=1/1000
START=1500
END=4000
title=The rest
`

const encoded = {
  /** 20 s, H.264 + AAC stereo, 640x360, 24000/1001 fps, moov first. The default film. */
  'film-mp4': { extension: 'mp4', inputs: film('640x360', '24000/1001', 20), output: `${H264} ${AAC} ${FASTSTART}` },
  /** 300 s, H.264 + AAC, 160x90, 10 fps: for tests in which a film must not end. */
  'film-long-mp4': {
    extension: 'mp4',
    inputs: film('160x90', '10', 300),
    output: `${H264} -g 20 ${AAC} ${FASTSTART}`,
  },
  /** The same in Matroska, which browsers do not play directly. */
  'film-long-mkv': { extension: 'mkv', inputs: film('160x90', '10', 300), output: `${H264} -g 20 ${AAC}` },
  /** 20 s, H.264 + AC-3 5.1, 640x360, 24 fps. */
  'film-mkv': { extension: 'mkv', inputs: film('640x360', '24', 20), output: `${H264} -c:a ac3 -b:a 256k -ac 6` },
  /** 2 s, H.264 + AAC, 320x180, 25 fps: for tests that need many items and no playback. */
  'film-tiny-mp4': { extension: 'mp4', inputs: film('320x180', '25', 2), output: `${H264} ${AAC} ${FASTSTART}` },
  /** 2 s of the same video without audio. */
  'film-silent-mp4': { extension: 'mp4', inputs: picture('320x180', '25', 2), output: `${H264} ${FASTSTART}` },
  /** 4 s, an English and a German audio track, English forced subtitles, two chapters. */
  'film-tracks-mkv': {
    extension: 'mkv',
    chapters: CHAPTERS,
    inputs: `${film('320x180', '25', 4)} ${tone(660, 4)} ${line('Hello')}`,
    output:
      `-map 0:v -map 1:a -map 2:a -map 3:s ${H264} ${AAC} -c:s subrip ` +
      '-metadata:s:a:0 language=eng -metadata:s:a:0 title=Stereo -metadata:s:a:1 language=ger ' +
      '-metadata:s:s:0 language=eng -disposition:a:0 default -disposition:s:0 forced',
  },
  /**
   * 3 s whose video starts half a second after the audio; English SubRip, German SubStation and French WebVTT, each with one cue from 1 to
   * 2 s.
   */
  'film-subtitles-mkv': {
    extension: 'mkv',
    inputs: `-itsoffset 0.5 ${picture('320x180', '25', 2)} ${tone(440, 3)} ${line('Hello')} ${line('Hallo')} ${line('Salut')}`,
    output:
      `-map 0:v -map 1:a -map 2:s -map 3:s -map 4:s ${H264} ${AAC} -c:s:0 subrip -c:s:1 ass -c:s:2 webvtt ` +
      '-metadata:s:s:0 language=eng -metadata:s:s:1 language=ger -metadata:s:s:2 language=fre ' +
      '-metadata:s:s:1 title=Schilder -disposition:s:1 default',
  },
  /** 3 s, English timed text of MP4 from 1 to 2 s. */
  'film-subtitles-mp4': {
    extension: 'mp4',
    inputs: `${film('320x180', '25', 3)} ${line('Hello')}`,
    output: `-map 0:v -map 1:a -map 2:s ${H264} ${AAC} -c:s mov_text -metadata:s:s:0 language=eng ${FASTSTART}`,
  },
  /**
   * 40 s of H.264 in Matroska with 640x360, an English audio track of 440 Hz and a German one of 880 Hz, and English subtitles with one cue
   * per second.
   */
  'film-choices-mkv': {
    extension: 'mkv',
    inputs: `${film('640x360', '24', 40)} ${tone(880, 40)} ${subtitles(seconds(40))}`,
    output:
      `-map 0:v -map 1:a -map 2:a -map 3:s ${H264} ${AAC} -c:s subrip -metadata:s:a:0 language=eng ` +
      '-metadata:s:a:1 language=ger -metadata:s:s:0 language=eng -disposition:a:0 default -disposition:a:1 0',
  },
  /** 2 s, stored as 720x576 with 64:45 pixels, displayed as 1024x576. */
  'film-anamorphic-mkv': {
    extension: 'mkv',
    inputs: film('720x576', '25', 2),
    output: `-vf setsar=64/45 ${H264} ${AAC}`,
  },
  /** 2 s, ten bits per sample, BT.2020 with the PQ transfer curve, as an HDR10 disc has. */
  'film-hdr-mkv': {
    extension: 'mkv',
    inputs: film('320x180', '24', 2),
    output:
      `-c:v libx264 -preset veryfast -pix_fmt yuv420p10le -b:v 600k ${AAC} ` +
      '-color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc',
  },
  /** 1 s of MagicYUV, whose decoder the product does not allow, with AAC. */
  'film-refused-mkv': {
    extension: 'mkv',
    inputs: film('64x48', '8', 1),
    output: `-c:v magicyuv -pix_fmt gbrp ${AAC}`,
  },
  /** 2 s of HEVC in Matroska. */
  'film-hevc-mkv': {
    extension: 'mkv',
    inputs: film('320x180', '24', 2),
    output: `-c:v libx265 -preset ultrafast -x265-params log-level=error:pools=none ${AAC}`,
  },
  /** 6 s MPEG transport stream whose clock starts at 5,000 s. */
  'film-ts': { extension: 'ts', inputs: film('320x180', '25', 6), output: `${H264} ${AAC} -output_ts_offset 5000` },
  /** 2 s, interlaced 25 fps MPEG-2 in a program stream, as a DVD has. */
  'film-mpg': {
    extension: 'mpg',
    inputs: film('352x288', '25', 2),
    output: '-c:v mpeg2video -flags +ildct+ilme -top 1 -b:v 800k -c:a mp2 -ac 2',
  },
  /** 3 s MP3 with tags. */
  'song-mp3': {
    extension: 'mp3',
    inputs: tone(440, 3),
    output: '-c:a libmp3lame -b:a 96k -metadata title=Tone -metadata artist=Oscillator -metadata album=Waves',
  },
  /** 3 s FLAC with a title. */
  'song-flac': { extension: 'flac', inputs: tone(440, 3), output: '-c:a flac -metadata title=Tone' },
  /** 20 s each, all with `SONG_TAGS`. */
  'tagged-mp3': { extension: 'mp3', inputs: tone(440, 20), output: `-c:a libmp3lame -b:a 96k ${SONG_TAGS}` },
  'tagged-flac': { extension: 'flac', inputs: tone(440, 20), output: `-c:a flac ${SONG_TAGS}` },
  'tagged-m4a': { extension: 'm4a', inputs: tone(440, 20), output: `${AAC} ${SONG_TAGS}` },
  'tagged-ogg': { extension: 'ogg', inputs: tone(440, 20), output: `-c:a libvorbis ${SONG_TAGS}` },
  'tagged-opus': { extension: 'opus', inputs: tone(440, 20), output: `-c:a libopus ${SONG_TAGS}` },
  'tagged-wav': { extension: 'wav', inputs: tone(440, 20), output: `-c:a pcm_s16le ${SONG_TAGS}` },
  'tagged-aiff': { extension: 'aiff', inputs: tone(440, 20), output: `-c:a pcm_s16be -write_id3v2 1 ${SONG_TAGS}` },
  'tagged-wv': { extension: 'wv', inputs: tone(440, 20), output: `-c:a wavpack ${SONG_TAGS}` },
  'tagged-wma': { extension: 'wma', inputs: tone(440, 20), output: `-c:a wmav2 ${SONG_TAGS}` },
  'tagged-mka': { extension: 'mka', inputs: tone(440, 20), output: `-c:a libopus ${SONG_TAGS}` },
  /** 4 s audiobook with two chapters. */
  'audiobook-m4b': { extension: 'm4b', chapters: CHAPTERS, inputs: tone(220, 4), output: `${AAC} -f ipod` },
  /** A 64x48 picture. */
  'photo-jpg': { extension: 'jpg', inputs: picture('64x48', '1', 1), output: '-frames:v 1' },
} as const satisfies Record<string, EncodedRecipe>

const derived = {
  /** `film-tiny-mp4` with a rotation of 90° in its track header: stored 320x180, displayed 180x320. */
  'film-rotated-mp4': { extension: 'mp4', bytes: async () => turned(await readEncoded('film-tiny-mp4')) },
  /** The first half of `film-mp4`: the index is complete, half of the frames are missing. */
  'film-cut-mp4': { extension: 'mp4', bytes: async () => firstHalf(await readEncoded('film-mp4')) },
  /** The first half of `film-mkv`. */
  'film-cut-mkv': { extension: 'mkv', bytes: async () => firstHalf(await readEncoded('film-mkv')) },
  /** An HLS playlist with the extension of a film; its one segment is the absolute path of `film-tiny-mp4`. */
  'playlist-as-mp4': { extension: 'mp4', bytes: async () => playlistOf(await encodedMedia('film-tiny-mp4')) },
  /** An ffconcat script with the extension of a film that names `film-tiny-mp4` beside it. */
  'concat-as-mp4': { extension: 'mp4', bytes: async () => concatOf(await encodedMedia('film-tiny-mp4')) },
  /** An empty file. */
  'empty-mp4': { extension: 'mp4', bytes: async () => new Uint8Array() },
  /** 64 KiB that no program can read, the same in every run. */
  'noise-mp4': { extension: 'mp4', bytes: async () => noise(65_536) },
} as const satisfies Record<string, DerivedRecipe>

type EncodedKind = keyof typeof encoded
type DerivedKind = keyof typeof derived
export type SampleKind = EncodedKind | DerivedKind

const underway = new Map<string, Promise<string>>()

/**
 * The absolute path of a small real media file, made by ffmpeg at first use and kept in `.cache/media` of the checkout. It is read-only;
 * copy it to change it. Safe for concurrent use by tests and processes.
 */
export function sampleMedia(kind: SampleKind): Promise<string> {
  return kind in encoded ? encodedMedia(kind as EncodedKind) : once(kind, () => makeDerived(kind as DerivedKind))
}

function encodedMedia(kind: EncodedKind): Promise<string> {
  const recipe: EncodedRecipe = encoded[kind]
  return once(kind, () => keep(kind, recipe.extension, JSON.stringify(recipe), (draft) => encode(recipe, draft)))
}

function once(kind: SampleKind, make: () => Promise<string>): Promise<string> {
  const path = underway.get(kind) ?? make()
  underway.set(kind, path)
  return path
}

/** Derived bytes may contain paths of other samples, so the version is the hash of the bytes and not of the recipe. */
async function makeDerived(kind: DerivedKind): Promise<string> {
  const bytes = await derived[kind].bytes()
  return keep(kind, derived[kind].extension, bytes, (draft) => writeFile(draft, bytes))
}

/** Writes under a unique name and renames: a concurrent writer replaces equal bytes. */
async function keep(
  kind: SampleKind,
  extension: string,
  identity: string | Uint8Array,
  write: (draft: string) => Promise<void>,
): Promise<string> {
  const fingerprint = createHash('sha256').update(identity).digest('hex').slice(0, 8)
  const path = join(CACHE, `${kind}-${fingerprint}.${extension}`)
  if (existsSync(path)) return path
  await timeSetup('media', () => writeOnce(path, extension, write))
  return path
}

async function writeOnce(path: string, extension: string, write: (draft: string) => Promise<void>): Promise<void> {
  await mkdir(CACHE, { recursive: true })
  const draft = join(CACHE, `.draft-${randomUUID()}.${extension}`)
  try {
    await write(draft)
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}

async function encode({ inputs, output, chapters }: EncodedRecipe, draft: string): Promise<void> {
  const words = `-hide_banner -nostdin -loglevel error -y ${inputs}`.split(' ')
  const chapterFile = `${draft}.chapters`
  if (chapters !== undefined) {
    await writeFile(chapterFile, chapters)
    const position = words.filter((word) => word === '-i').length
    words.push('-f', 'ffmetadata', '-i', chapterFile, '-map_metadata', `${position}`)
  }
  try {
    await promisify(execFile)('ffmpeg', [...words, ...output.split(' '), '-fflags', '+bitexact', draft])
  } finally {
    await rm(chapterFile, { force: true })
  }
}

async function readEncoded(kind: EncodedKind): Promise<Buffer> {
  return readFile(await encodedMedia(kind))
}

/** An HLS playlist with one segment at `uri`: the content of a hostile file with a harmless extension. */
export function playlistOf(uri: string): Buffer {
  return Buffer.from(
    ['#EXTM3U', '#EXT-X-VERSION:3', '#EXT-X-TARGETDURATION:6', '#EXTINF:6.0,', uri, '#EXT-X-ENDLIST', ''].join('\n'),
  )
}

function concatOf(path: string): Buffer {
  return Buffer.from(`ffconcat version 1.0\nfile ${basename(path)}\n`)
}

function firstHalf(bytes: Buffer): Buffer {
  return bytes.subarray(0, Math.floor(bytes.length / 2))
}

/** Writes a rotation of 90° into the first track header (ISO 14496-12, 8.3.2: the matrix is at byte 40 in version 0). */
function turned(bytes: Buffer): Buffer {
  const at = bytes.indexOf('tkhd') + 4 + 40
  const storedHeight = 180
  for (const [cell, value] of [0, 0x1_00_00, 0, -0x1_00_00, 0, 0, storedHeight << 16, 0, 0x40_00_00_00].entries()) {
    bytes.writeInt32BE(value, at + cell * 4)
  }
  return bytes
}

/** Bytes of a linear congruential generator: the same noise on every machine. */
function noise(length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let state = 20_240_817
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    bytes[at] = state >>> 24
  }
  return bytes
}
