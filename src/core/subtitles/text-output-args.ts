/** One text stream of a film. */
export type TextStream = Readonly<{ streamIndex: number; codec: string }>

/** Lossless output for each codec: file format and codec. All other codecs are converted to SubRip. */
const LOSSLESS_OUTPUTS: ReadonlyMap<string, readonly [format: string, codec: string]> = new Map([
  ['subrip', ['srt', 'copy']],
  ['text', ['srt', 'copy']],
  ['ass', ['ass', 'copy']],
  ['ssa', ['ass', 'copy']],
  ['webvtt', ['webvtt', 'copy']],
])

/**
 * Returns the ffmpeg arguments of one output with the text of a stream in its original form and timestamps.
 * @param limitBytes size at which ffmpeg stops writing
 */
export function textOutputArgs({ streamIndex, codec }: TextStream, limitBytes: number): string[] {
  const [format, written] = LOSSLESS_OUTPUTS.get(codec) ?? ['srt', 'srt']
  return [
    ['-map', `0:${streamIndex}`, '-map_metadata', '-1', '-map_chapters', '-1'],
    ['-copyts', '-avoid_negative_ts', 'disabled', '-fs', String(limitBytes)],
    ['-c:s', written, '-f', format],
  ].flat()
}
