import type { MediaTools } from '../../platform/media-tools/index.ts'
import { BACKGROUND_NICENESS } from '../film/background-niceness.ts'
import { findCredits, type Credits } from './find-credits.ts'

/** The last part of a film, which is searched for the start of the credits. The credits of short videos begin in the last minutes. */
const SEARCHED_SHARE = 0.2
const MIN_SEARCHED_SECONDS = 300
const MIN_FILM_SECONDS = 60

/** At 320x180 small text keeps part of its brightness. The conversion to grey makes 0 black and 255 white for every source. */
const BRIGHTNESS_FILTERS = ['fps=1/2', 'scale=320:180:flags=area', 'format=gray', 'signalstats']
const BLACK_FILTERS = ['scale=160:90', 'blackdetect=d=0.15:pix_th=0.10:pic_th=0.90']

/** Key frames are up to this time apart, so the credits begin at most this long before the first key frame that shows them. */
const BEFORE_SECONDS = 15
const AFTER_SECONDS = 2

const TIMEOUT_SECONDS = 900

type Picture = { input: string; streamIndex: number; durationSeconds: number }

/**
 * Looks for the credits of a film in the key frames of its last part, and for their exact beginning: the end of the black before them.
 * @returns `none` if no credits were found with certainty; `failed` when ffmpeg cannot read the film
 * @throws AppError `tool_missing`; the signal's reason when aborted
 */
export async function readCredits(
  { mediaTools }: { mediaTools: Pick<MediaTools, 'frameMetadata'> },
  { input, streamIndex, durationSeconds }: Picture,
  signal: AbortSignal,
): Promise<Credits | 'none' | 'failed'> {
  if (durationSeconds < MIN_FILM_SECONDS) return 'none'
  const options = { timeoutSeconds: TIMEOUT_SECONDS, niceness: BACKGROUND_NICENESS, signal }
  const fromSeconds = Math.max(0, durationSeconds - Math.max(MIN_SEARCHED_SECONDS, durationSeconds * SEARCHED_SHARE))
  const frames = await mediaTools.frameMetadata(
    { input, streamIndex, fromSeconds, isKeyFramesOnly: true, filters: BRIGHTNESS_FILTERS },
    options,
  )
  if (frames === undefined) return 'failed'
  const bright = frames.flatMap(({ seconds, values }) => {
    const [ninetiethPercentile, brightest] = [values.get('signalstats.YHIGH'), values.get('signalstats.YMAX')]
    return ninetiethPercentile === undefined || brightest === undefined
      ? []
      : [{ seconds, ninetiethPercentile, brightest }]
  })
  const coarse = findCredits(bright, durationSeconds)
  if (coarse === undefined) return 'none'
  const before = Math.max(0, coarse.notBeforeSeconds, coarse.startSeconds - BEFORE_SECONDS)
  const seconds = coarse.startSeconds + AFTER_SECONDS - before
  const window = { input, streamIndex, fromSeconds: before, seconds, isKeyFramesOnly: false, filters: BLACK_FILTERS }
  const black = (await mediaTools.frameMetadata(window, options)) ?? []
  const ends = black.flatMap(({ values }) => values.get('black_end') ?? [])
  const lastEnd = ends.at(-1)
  // A credits frame is nearly black itself, so that the black may not end.
  const starts = black.flatMap(({ values }) => values.get('black_start') ?? [])
  const edge = lastEnd ?? starts.at(-1)
  return edge === undefined ? coarse : { ...coarse, startSeconds: before + edge }
}
