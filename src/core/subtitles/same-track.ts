import type { SubtitleTrack } from './subtitle-track.ts'

/**
 * The track that goes on with another one in the next file of a film: of the same language, forced or not like it, for the hard of hearing
 * or not like it, and the same one of several that are. The first of a language takes one that differs in the last respect before none.
 * Pure.
 * @param tracks all of the file that the track is in
 * @param others those of the other file
 */
export function sameTrackOf(
  track: SubtitleTrack,
  tracks: readonly SubtitleTrack[],
  others: readonly SubtitleTrack[],
): SubtitleTrack | undefined {
  const isLike = (one: SubtitleTrack): boolean => one.language === track.language && one.isForced === track.isForced
  const isSame = (one: SubtitleTrack): boolean => isLike(one) && one.isHearingImpaired === track.isHearingImpaired
  const place = tracks.filter(isSame).findIndex(({ index }) => index === track.index)
  return others.filter(isSame)[place] ?? (place === 0 ? others.find(isLike) : undefined)
}
