import type { MediaItem } from '../catalogue/index.ts'
import { chooseLadder } from './choose-ladder.ts'
import { resolveDeviceProfile } from './device-profiles.ts'
import type { VideoRendition } from './rendition.ts'
import { readFilmSource } from './source-profile.ts'

/**
 * What a job of this item would offer, from stored facts alone: no job is made and no file is touched. Null where
 * nothing usable is stored (document 2, playback-info).
 */
export function previewLadder(
  item: Pick<MediaItem, 'metadata' | 'durationSeconds' | 'container'>,
  request: { profile?: string | undefined; deviceType?: string | undefined },
): VideoRendition[] | null {
  const film = readFilmSource(item)
  return film === undefined ? null : chooseLadder({ ...film, isCuttable: false }, resolveDeviceProfile(request))
}
