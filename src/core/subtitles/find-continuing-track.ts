import type { SubtitleTrack } from './subtitle-track.ts'

/**
 * Returns the track in the next file of a film that continues a given track: same language, same forced flag, same hearing-impaired flag,
 * and the same place among such tracks. The first track of a language may be continued by a track that differs in the hearing-impaired
 * flag. Pure.
 * @param tracks all tracks of the file that contains the track
 * @param others all tracks of the other file
 */
export function findContinuingTrack(
  track: SubtitleTrack,
  tracks: readonly SubtitleTrack[],
  others: readonly SubtitleTrack[],
): SubtitleTrack | undefined {
  const isLike = (one: SubtitleTrack): boolean => one.language === track.language && one.isForced === track.isForced
  const isSame = (one: SubtitleTrack): boolean => isLike(one) && one.isHearingImpaired === track.isHearingImpaired
  const position = tracks.filter(isSame).findIndex(({ index }) => index === track.index)
  return others.filter(isSame)[position] ?? (position === 0 ? others.find(isLike) : undefined)
}
