/**
 * The decoders that read packets of media files, by ffmpeg's names (`ffmpeg -decoders`; a codec can have several, and builds contain a
 * subset). ffmpeg has 500. Decoders of games, screen recorders and editing formats are excluded: they are rarely used and less reviewed.
 */
const PICTURES = `av1 libdav1d libaom-av1 h264 hevc vvc vp3 vp5 vp6 vp6a vp6f vp7 vp8 vp9 libvpx libvpx-vp9 theora mpeg1video mpeg2video
  mpegvideo mpeg4 msmpeg4v1 msmpeg4v2 msmpeg4 wmv1 wmv2 wmv3 vc1 mjpeg mjpegb dvvideo prores dnxhd cfhd ffv1 ffvhuff huffyuv utvideo
  rawvideo v210 flv h261 h263 h263i h263p svq1 svq3 rv10 rv20 rv30 rv40 cinepak indeo2 indeo3 indeo4 indeo5 msvideo1 msrle qtrle rpza smc
  jpeg2000 libopenjpeg png apng bmp gif webp tiff`

const SOUND = `aac aac_fixed aac_latm libfdk_aac ac3 ac3_fixed eac3 dca truehd mlp flac alac ape tta wavpack mpc7 mpc8 mp1 mp1float mp2
  mp2float mp3 mp3float vorbis libvorbis opus libopus speex libspeex wmav1 wmav2 wmapro wmalossless wmavoice amrnb amrwb libopencore_amrnb
  libopencore_amrwb cook sipr ralf real_144 real_288 atrac3 nellymoser qdm2 qdmc qcelp mace3 mace6 gsm libgsm gsm_ms libgsm_ms adpcm_ms
  adpcm_ima_wav adpcm_ima_qt adpcm_swf adpcm_yamaha g722 g726 imc iac truespeech dvaudio s302m dsd_lsbf dsd_lsbf_planar dsd_msbf
  dsd_msbf_planar pcm_alaw pcm_bluray pcm_dvd pcm_f32be pcm_f32le pcm_f64be pcm_f64le pcm_mulaw pcm_s16be pcm_s16be_planar pcm_s16le
  pcm_s16le_planar pcm_s24be pcm_s24le pcm_s24le_planar pcm_s32be pcm_s32le pcm_s32le_planar pcm_s64be pcm_s64le pcm_s8 pcm_s8_planar
  pcm_u16be pcm_u16le pcm_u24be pcm_u24le pcm_u32be pcm_u32le pcm_u8`

const SUBTITLES =
  'ass ssa srt subrip mov_text webvtt text dvdsub pgssub dvbsub xsub cc_dec libzvbi_teletextdec libaribb24 libaribcaption'

const namesOf = (names: string): string[] => names.split(/\s+/)

export const DECODERS: readonly string[] = [PICTURES, SOUND, SUBTITLES].flatMap(namesOf)

/** Codec names of the catalogue and of ffprobe that are not decoder names. */
const PICTURE_CODECS: ReadonlySet<string> = new Set([...namesOf(PICTURES), 'avc', 'avc1', 'hvc1', 'h265', 'msmpeg4v3'])

/** Whether the pictures of a codec can be decoded; true for an unknown codec. */
export function isDecodedPicture(codec: string | null): boolean {
  return codec === null || PICTURE_CODECS.has(codec.toLowerCase())
}

const REFUSED_DECODER = /\[[\w.-]{1,40} @ 0x[0-9a-f]{1,16}\] Codec \(([\w.-]{1,40})\) not on whitelist/g

/** The decoders that a program reports as not allowed. */
export function refusedDecoders(errorOutput: string): string[] {
  const names = [...errorOutput.matchAll(REFUSED_DECODER)].map(([, name = '']) => name)
  return [...new Set(names)].filter((name) => !DECODERS.includes(name))
}

const LIST_PREFIX = " on whitelist '"

/**
 * The error output without the list of decoders that ffmpeg repeats for each refused one, because the list hides the following text. ffmpeg
 * truncates the list after a thousand characters, together with the end of the line.
 */
export function withoutDecoderLists(errorOutput: string): string {
  const [first = '', ...rest] = errorOutput.split(LIST_PREFIX)
  return [first, ...rest.map((text) => `\n${text.slice(commonPrefixLength(text)).replace(/^'?\n?/, '')}`)].join(
    ' on whitelist',
  )
}

const DECODER_LIST = DECODERS.join(',')

function commonPrefixLength(text: string): number {
  let length = 0
  while (length < DECODER_LIST.length && text[length] === DECODER_LIST[length]) length += 1
  return length
}
