import { z } from 'zod'
import type { Page, PageRequest } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { musicErrors } from './errors.ts'
import { checkMusicPage, checkMusicName } from './music-page.ts'
import { countTracks, selectTrack, selectTracks } from './queries/tracks.ts'
import type { Track } from './track.ts'

const Id = z.guid()

/** A page of all tracks by name. */
export async function listTracks(
  { db }: { db: Connection },
  request: PageRequest,
): Promise<Page & { tracks: Track[]; total: number }> {
  const page = checkMusicPage(request)
  const total = await countTracks(db)
  return { tracks: page.offset < total ? await selectTracks(db, page) : [], total, ...page }
}

/**
 * The track of a media item.
 * @throws AppError `invalid_request` for an empty id; `track_not_found`, for an id that is not a UUID without a query
 */
export async function getTrack({ db }: { db: Connection }, id: string): Promise<Track> {
  checkMusicName(id, 'id')
  const track = Id.safeParse(id).success ? await selectTrack(db, id) : undefined
  if (track === undefined) throw musicErrors.track_not_found()
  return track
}
