import type { SubtitleTrack } from '../../subtitles/index.ts'
import type { StreamPlan, StreamSubtitle } from './stream-plan.ts'

/**
 * Returns the text tracks of a job. A track keeps its number for the life of the job, because players hold addresses that contain it. A
 * number is never reused for another track, so a removed track stays in the list. Pure.
 * @param known the tracks that the job has had so far
 */
export function assignSubtitleNumbers(
  tracks: readonly SubtitleTrack[],
  known: readonly StreamSubtitle[] = [],
): StreamSubtitle[] {
  let free = Math.max(-1, ...known.map(({ index }) => index)) + 1
  const present = tracks.map((track) => {
    const earlier = known.find((one) => isSameTrack(one, track))
    // A new job keeps the track numbers of the item.
    const index = earlier?.index ?? (known.length === 0 ? track.index : free++)
    return subtitleOf(track, index)
  })
  const gone = known.filter((one) => !tracks.some((track) => isSameTrack(one, track)))
  return [...present, ...gone.map((one) => Object.assign({}, one, { isGone: true }))]
}

/** Returns the tracks that players see. */
export function visibleSubtitles({ subtitles }: Pick<StreamPlan, 'subtitles'>): StreamSubtitle[] {
  return subtitles.filter(({ isGone }) => !isGone)
}

/** Returns whether both are the same stream of the film, or the same separate file. */
export function isSameTrack(one: StreamSubtitle, track: SubtitleTrack): boolean {
  return one.streamIndex === track.streamIndex && one.path === track.path
}

function subtitleOf(track: SubtitleTrack, index: number): StreamSubtitle {
  const { streamIndex, path, label, language, isDefault, isForced, isHearingImpaired } = track
  return { index, streamIndex, path, label, language, isDefault, isForced, isHearingImpaired, isGone: false }
}
