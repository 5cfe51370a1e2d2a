/** One text stream of a film. */
export type TextStream = Readonly<{ streamIndex: number; codec: string }>

/** How a codec is written without loss: format of the file, and codec in it. Everything else becomes SubRip. */
const FORMS: ReadonlyMap<string, readonly [format: string, codec: string]> = new Map([
  ['subrip', ['srt', 'copy']],
  ['text', ['srt', 'copy']],
  ['ass', ['ass', 'copy']],
  ['ssa', ['ass', 'copy']],
  ['webvtt', ['webvtt', 'copy']],
])

/**
 * The words of one output that holds the text of a stream as it is in the film, its times on the film's own clock.
 * @param limitBytes ffmpeg stops writing there
 */
export function extractWords({ streamIndex, codec }: TextStream, limitBytes: number): string[] {
  const [format, written] = FORMS.get(codec) ?? ['srt', 'srt']
  return [
    ['-map', `0:${streamIndex}`, '-map_metadata', '-1', '-map_chapters', '-1'],
    ['-copyts', '-avoid_negative_ts', 'disabled', '-fs', String(limitBytes)],
    ['-c:s', written, '-f', format],
  ].flat()
}
