/**
 * Names of channel layouts: by channel count, as Vorbis I 4.3.9, RFC 7845 (Opus) and RFC 9639 (FLAC) order them; `aac` by channel
 * configuration.
 */
const LAYOUTS = {
  xiph: ['mono', 'stereo', '3.0', 'quad', '5.0', '5.1', '6.1', '7.1'],
  aac: ['mono', 'stereo', '3.0', '4.0', '5.0', '5.1', '7.1'],
  alac: ['mono', 'stereo', '3.0', '4.0', '5.0', '5.1', '6.1(back)', '7.1(wide)'],
  plain: ['mono', 'stereo'],
} as const

/** Returns ffmpeg's name of the usual layout for a number of channels. */
export function channelLayout(codec: keyof typeof LAYOUTS, channels: number): string | undefined {
  return LAYOUTS[codec][channels - 1]
}
