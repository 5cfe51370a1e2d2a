import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { timeSetup } from '../runner/setup-times.ts'

const CACHE = fileURLToPath(new URL('../../.cache/media/', import.meta.url))

const CHAPTERS = `;FFMETADATA1
title=A film of many kinds
artist=Oscillator
[CHAPTER]
TIMEBASE=1/1000
START=0
END=300
title=Opening
[CHAPTER]
TIMEBASE=1/1000
START=300
END=700
title=Ünïcode – the middle
[CHAPTER]
TIMEBASE=1/1000
START=700
END=1000
`

const SUBTITLES = `1
00:00:00,100 --> 00:00:00,400
Hello

2
00:00:00,500 --> 00:00:00,900
World
`

/**
 * Inputs of every call: 0 video, 1 mono tone, 2 six channels, 3 tone of 44.1 kHz, 4 and 5 subtitles, 6 chapters and tags, 7 cover, 8
 * delayed tone.
 */
const INPUTS = `-f lavfi -i testsrc2=size=322x182:rate=24000/1001:duration=1
-f lavfi -i sine=frequency=440:sample_rate=48000:duration=1
-f lavfi -i aevalsrc=0.1*sin(2*PI*300*t)|0.1|0.1|0.1|0.1|0.1:channel_layout=5.1:sample_rate=48000:duration=1
-f lavfi -i sine=frequency=330:sample_rate=44100:duration=1
-i @/a.srt -i @/b.srt -i @/chapters.txt -i @/cover.png
-itsoffset 0.25 -f lavfi -i sine=frequency=220:sample_rate=48000:duration=1`

const H264 = '-map 0:v -c:v libx264 -preset ultrafast'
const HEVC = '-map 0:v -c:v libx265 -preset ultrafast -x265-params log-level=error:pools=none'
const VP9 = '-map 0:v -c:v libvpx-vp9 -deadline realtime -cpu-used 8'
const AV1 = '-map 0:v -c:v libsvtav1 -preset 12 -svtav1-params lp=1'
const MONO = '-map 1:a -c:a'
const SURROUND = '-map 2:a -c:a'
const STEREO_441 = '-map 3:a -ac 2 -c:a'
const CHAPTERED = '-map_chapters 6 -map_metadata 6'

/** Output arguments by file name. The header parsers must reject files whose names begin with `doubt-`. */
const FILES: Readonly<Record<string, string>> = {
  'h264-aac.mkv': `${H264} ${MONO} aac`,
  'h264-ac3-51.mkv': `${H264} ${SURROUND} ac3`,
  'h264-eac3-51.mkv': `${H264} ${SURROUND} eac3`,
  'h264-opus.mkv': `${H264} ${MONO} libopus`,
  'h264-flac.mkv': `${H264} ${MONO} flac`,
  'doubt-mp3.mkv': `${H264} ${STEREO_441} libmp3lame`,
  'h264-mp3-told.mkv': `${H264} ${STEREO_441} libmp3lame -metadata:s:a:0 BPS=128000`,
  'h264-dts-51.mkv': `${H264} -map 2:a -c:a dca -strict -2`,
  'h264-truehd-51.mkv': `${H264} -map 2:a -c:a truehd -strict -2`,
  'h264-truehd-stereo.mkv': `${H264} ${STEREO_441} truehd -strict -2`,
  'h264-mp2.mkv': `${H264} ${STEREO_441} mp2`,
  'h264-vorbis.mkv': `${H264} ${STEREO_441} libvorbis`,
  'h264-pcm.mkv': `${H264} ${MONO} pcm_s16le`,
  'h264-pcm24.mkv': `${H264} ${STEREO_441} pcm_s24le`,
  'h264-alac.mkv': `${H264} ${STEREO_441} alac`,
  'h264-aac-51.mkv': `${H264} ${SURROUND} aac`,
  'hevc-aac.mkv': `${HEVC} ${MONO} aac`,
  'hevc10-aac.mkv': `${HEVC} -pix_fmt yuv420p10le ${MONO} aac`,
  'hevc-hdr-ac3.mkv': `${HEVC} -pix_fmt yuv420p10le -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc ${MONO} ac3`,
  'vp9-opus.webm': `${VP9} ${MONO} libopus`,
  'vp9-profile1.webm': `${VP9} -pix_fmt yuv444p ${MONO} libopus`,
  'vp8-vorbis.webm': `-map 0:v -c:v libvpx -deadline realtime -cpu-used 8 ${STEREO_441} libvorbis`,
  'vp9-webvtt.webm': `${VP9} ${MONO} libopus -map 4:s -c:s webvtt -metadata:s:s:0 language=eng`,
  'av1-opus.webm': `${AV1} ${MONO} libopus`,
  'av1-10bit-aac.mkv': `${AV1} -pix_fmt yuv420p10le -color_trc arib-std-b67 ${MONO} aac`,
  'languages.mkv':
    `${H264} -map 1:a -map 2:a -c:a aac -map 4:s -map 5:s -c:s subrip -metadata:s:a:0 language=eng -metadata:s:a:0 title=Stereo ` +
    '-metadata:s:a:1 language=ger -disposition:a:1 default -disposition:a:0 0 -metadata:s:s:0 language=fre -disposition:s:0 forced ' +
    '-metadata:s:s:1 language=eng -disposition:s:1 hearing_impaired',
  'ass.mkv': `${H264} ${MONO} aac -map 4:s -c:s ass -metadata:s:s:0 language=jpn`,
  'chapters.mkv': `${H264} ${MONO} aac ${CHAPTERED}`,
  'cover.mkv': `${H264} ${MONO} aac -attach @/cover.png -metadata:s:t:0 mimetype=image/png -metadata:s:t:0 filename=cover.png`,
  'font.mkv': `${H264} ${MONO} aac -attach @/a.srt -metadata:s:t:0 mimetype=application/x-truetype-font -metadata:s:t:0 filename=a.ttf`,
  'anamorphic.mkv': `${H264} -vf setsar=64/45 ${MONO} aac`,
  'hdr.mkv': `${H264} -pix_fmt yuv420p10le -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc ${MONO} aac`,
  'h264-422.mkv': `${H264} -pix_fmt yuv422p ${MONO} aac`,
  'h264-444-odd.mkv': `${H264} -vf scale=321:181 -pix_fmt yuv444p ${MONO} aac`,
  'h264-full-range.mkv': `${H264} -vf scale=out_range=full -pix_fmt yuvj420p ${MONO} aac`,
  'h264-bframes.mkv': `-map 0:v -c:v libx264 -preset veryfast -bf 3 ${MONO} aac`,
  'h264-60.mkv': `${H264} -r 60 ${MONO} aac`,
  'index-in-front.mkv': `${H264} ${MONO} aac -cues_to_front 1 ${CHAPTERED}`,
  'aac.mka': `${STEREO_441} aac`,
  'opus-51.mka': `${SURROUND} libopus`,
  'vorbis-51.mka': `${SURROUND} libvorbis`,
  'flac-51.mka': `${SURROUND} flac`,
  'moov-last.mp4': `${H264} ${MONO} aac`,
  'moov-first.mp4': `${H264} ${MONO} aac -movflags +faststart`,
  'fragments.mp4': `${H264} -g 8 ${MONO} aac -movflags +frag_keyframe+empty_moov`,
  'fragments-indexed.mp4': `${H264} -g 8 ${MONO} aac -movflags +frag_keyframe+empty_moov+default_base_moof+global_sidx`,
  'ac3-51.mp4': `${H264} ${SURROUND} ac3`,
  'eac3-51.mp4': `${H264} ${SURROUND} eac3`,
  'opus.mp4': `${H264} ${MONO} libopus`,
  'flac.mp4': `${H264} ${MONO} flac -strict -2`,
  'mp3.mp4': `${H264} ${STEREO_441} libmp3lame`,
  'alac.mp4': `${H264} ${STEREO_441} alac`,
  'aac-51.mp4': `${H264} ${SURROUND} aac`,
  'hvc1.mp4': `${HEVC} -tag:v hvc1 ${MONO} aac`,
  'hev1-hdr.mp4': `${HEVC} -pix_fmt yuv420p10le -color_primaries bt2020 -color_trc arib-std-b67 -colorspace bt2020nc ${MONO} aac`,
  'vp9.mp4': `${VP9} ${MONO} libopus`,
  'av1.mp4': `${AV1} ${MONO} aac`,
  'mov-text.mp4': `${H264} ${MONO} aac -map 4:s -map 5:s -c:s mov_text -metadata:s:s:0 language=eng -metadata:s:s:1 language=deu`,
  'languages.mp4':
    `${H264} -map 1:a -map 2:a -c:a aac -metadata:s:a:0 language=eng -metadata:s:a:1 language=fre -disposition:a:0 0 ` +
    '-disposition:a:1 default',
  'chapters.mp4': `${H264} ${MONO} aac ${CHAPTERED}`,
  'chapters-and-text.mp4': `${H264} ${MONO} aac -map 4:s -c:s mov_text ${CHAPTERED} -movflags +faststart`,
  'turned-90.mp4': `${H264} ${MONO} aac -metadata:s:v:0 rotate=90`,
  'turned-180.mov': `${H264} ${MONO} aac -metadata:s:v:0 rotate=180`,
  'anamorphic.mp4': `${H264} -vf setsar=64/45 ${MONO} aac`,
  'hdr.mp4': `${H264} -pix_fmt yuv420p10le -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc ${MONO} aac`,
  'bframes.mp4': `-map 0:v -c:v libx264 -preset veryfast -bf 3 ${MONO} aac`,
  'thirty.m4v': `${H264} -vf fps=30 ${STEREO_441} aac -f mp4`,
  'coarse-clock.mp4': `${H264} -video_track_timescale 90000 ${MONO} aac`,
  'late-sound.mp4': `${H264} -map 8:a -c:a aac`,
  'silent.mp4': H264,
  'uneven-rate.mp4': `${H264} -vf select='not(eq(mod(n\\,5)\\,3))' -vsync vfr ${MONO} aac`,
  'aac.mov': `${H264} ${MONO} aac`,
  'pcm.mov': `${H264} ${MONO} pcm_s16le`,
  'pcm-big.mov': `${H264} ${STEREO_441} pcm_s16be`,
  'pcm24.mov': `${H264} ${STEREO_441} pcm_s24be`,
  'aac.m4a': `${STEREO_441} aac -map_metadata 6`,
  'alac.m4a': `${STEREO_441} alac`,
  'chapters.m4a': `${STEREO_441} aac ${CHAPTERED}`,
  'book.m4b': `${MONO} aac -ar 22050 ${CHAPTERED} -f ipod`,
  'book-cover.m4b': `-map 3:a -c:a aac -map 7:v -c:v copy -disposition:v attached_pic ${CHAPTERED} -movflags +faststart -f ipod`,
  'interlaced.mkv': `${H264} -vf scale=320:184 -flags +ildct+ilme -x264opts tff=1 ${MONO} aac`,
  'dash.mp4': `${H264} -g 8 -bf 0 -movflags +dash+frag_keyframe+empty_moov+default_base_moof`,
  'float.mov': `${H264} ${MONO} pcm_f32le`,
  'doubt-live.mkv': `${H264} ${MONO} aac -live 1`,
  'doubt-prores.mov': `-map 0:v -c:v prores -profile:v 0 ${MONO} aac`,
}

/** Whether the header parsers must reject this file. */
export function isDoubtful(name: string): boolean {
  return name.startsWith('doubt-')
}

const FINGERPRINT = createHash('sha256')
  .update(JSON.stringify([FILES, INPUTS, CHAPTERS, SUBTITLES]))
  .digest('hex')
  .slice(0, 8)
const OUTPUTS_PER_CALL = 20

let underway: Promise<ReadonlyMap<string, string>> | undefined

/**
 * One-second files of many containers and codecs: absolute path by name. ffmpeg creates them at first use, many per call, and they stay in
 * `.cache/media` of the checkout. They are read-only.
 */
export function containerCorpus(): Promise<ReadonlyMap<string, string>> {
  underway ??= makeCorpus()
  return underway
}

async function makeCorpus(): Promise<ReadonlyMap<string, string>> {
  const folder = join(CACHE, `containers-${FINGERPRINT}`)
  if (!existsSync(folder)) await timeSetup('media', () => makeFolder(folder))
  return new Map(Object.keys(FILES).map((name) => [name, join(folder, name)]))
}

async function makeFolder(folder: string): Promise<void> {
  const draft = join(CACHE, `.draft-${randomUUID()}`)
  const inputs = join(draft, 'inputs')
  await mkdir(inputs, { recursive: true })
  try {
    await Promise.all([
      writeFile(join(inputs, 'a.srt'), SUBTITLES),
      writeFile(join(inputs, 'b.srt'), SUBTITLES),
      writeFile(join(inputs, 'chapters.txt'), CHAPTERS),
    ])
    await encode(`-f lavfi -i testsrc2=size=64x48:rate=1:duration=1 -frames:v 1 @/cover.png`, draft)
    const files = Object.entries(FILES)
    for (let start = 0; start < files.length; start += OUTPUTS_PER_CALL) {
      const group = files.slice(start, start + OUTPUTS_PER_CALL)
      const outputs = group.map(([name, words]) => `-map_chapters -1 ${words} -fflags +bitexact -t 1 ${draft}/${name}`)
      await encode(`${INPUTS} ${outputs.join(' ')}`, draft)
    }
    await rename(draft, folder).catch((error: unknown) => {
      // Another process was faster and created equal files.
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function encode(words: string, draft: string): Promise<void> {
  const inputs = join(draft, 'inputs')
  const list = `-hide_banner -nostdin -loglevel error -y ${words}`.split(/\s+/)
  await promisify(execFile)(
    'ffmpeg',
    list.map((word) => word.replace(/^@\//, `${inputs}/`)),
  )
}
