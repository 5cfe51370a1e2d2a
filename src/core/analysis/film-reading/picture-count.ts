import { PICTURE_INTERVAL_SECONDS } from '../../platform/media-tools/index.ts'

/** The limit of a film of unknown duration: a day. */
const MAX_UNKNOWN = (24 * 3600) / PICTURE_INTERVAL_SECONDS

/** The duration in a header may be too short, but at most by this factor. */
const TOLERATED_FACTOR = 2
const TOLERATED_PICTURES = 360

/** Pictures of a smaller part of a film than this are not useful. */
const MIN_FILM_SHARE = 0.5

/** The number of pictures of a film: at zero and after every further interval before its end; null for an unknown duration. */
export function expectedPictureCount(durationSeconds: number | null): number | null {
  if (durationSeconds === null) return null
  return Math.max(1, Math.ceil(durationSeconds / PICTURE_INTERVAL_SECONDS))
}

/** More pictures than this come from a damaged clock. */
export function maxPictureCount(durationSeconds: number | null): number {
  const expected = expectedPictureCount(durationSeconds)
  return expected === null ? MAX_UNKNOWN : expected * TOLERATED_FACTOR + TOLERATED_PICTURES
}

/** Whether the last picture is as far from the end as the interval explains. */
export function isPictureSetComplete(count: number, durationSeconds: number | null): boolean {
  return count > 0 && count >= (expectedPictureCount(durationSeconds) ?? 0) - 1
}

/** Why the pictures are not useful; null if they are. Of a file with a missing end, the pictures up to there are useful. */
export function pictureProblem(count: number, durationSeconds: number | null): string | null {
  if (count === 0) return 'the video has no pictures'
  if (count >= (expectedPictureCount(durationSeconds) ?? 0) * MIN_FILM_SHARE) return null
  const seconds = count * PICTURE_INTERVAL_SECONDS
  return `the pictures end after ${seconds} s of ${Math.round(durationSeconds ?? 0)} s`
}
