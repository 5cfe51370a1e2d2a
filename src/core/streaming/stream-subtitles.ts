import type { SubtitleTrack } from '../subtitles/index.ts'
import type { StreamJob, StreamSubtitle } from './stream-job.ts'

/**
 * The text tracks of a job. A track keeps the number that it once got there, whatever comes beside the film or goes
 * later: players hold addresses with the number. So a number is never given to another track, and a track that has gone
 * is kept, for its number alone. Pure.
 * @param known those that the job has had so far
 */
export function numberSubtitles(
  tracks: readonly SubtitleTrack[],
  known: readonly StreamSubtitle[] = [],
): StreamSubtitle[] {
  let free = Math.max(-1, ...known.map(({ index }) => index)) + 1
  const present = tracks.map((track) => {
    const earlier = known.find((one) => isSameTrack(one, track))
    // A new job takes the numbers of the item.
    const index = earlier?.index ?? (known.length === 0 ? track.index : free++)
    return subtitleOf(track, index)
  })
  const gone = known.filter((one) => !tracks.some((track) => isSameTrack(one, track)))
  return [...present, ...gone.map((one) => Object.assign({}, one, { isGone: true }))]
}

/** Those that players are told of. */
export function listedSubtitles({ subtitles }: Pick<StreamJob, 'subtitles'>): StreamSubtitle[] {
  return subtitles.filter(({ isGone }) => !isGone)
}

/** Whether both are the same stream of the film, or the same file beside it. */
export function isSameTrack(one: StreamSubtitle, track: SubtitleTrack): boolean {
  return one.streamIndex === track.streamIndex && one.path === track.path
}

function subtitleOf(track: SubtitleTrack, index: number): StreamSubtitle {
  const { streamIndex, path, label, language, isDefault, isForced, isHearingImpaired } = track
  return { index, streamIndex, path, label, language, isDefault, isForced, isHearingImpaired, isGone: false }
}
