import type { RequestProvider } from '../../provider-client/request-provider.ts'
import type { RequestOptions } from '../../provider.ts'
import { CoverIndex } from './replies.ts'

/** A source of album covers. */
export type CoverArtArchive = {
  /** The front cover of a release that has one according to MusicBrainz. */
  releaseCover(releaseId: string): string
  /** The front cover of the release group, for all editions; undefined if there is none. One request. */
  findGroupCover(groupId: string, options: RequestOptions): Promise<string | undefined>
}

/** The archive stores thumbnails of 250, 500 and 1200 pixels; the originals may be of any size. */
const SIZE = 1200

/**
 * The Cover Art Archive (musicbrainz.org/doc/Cover_Art_Archive/API): it serves the lists itself and redirects to the Internet Archive for
 * pictures.
 */
export function createCoverArtArchive({
  request,
  baseUrl,
}: {
  request: RequestProvider
  baseUrl: string
}): CoverArtArchive {
  return {
    releaseCover: (releaseId) => `${baseUrl}/release/${releaseId}/front-${SIZE}`,
    async findGroupCover(groupId, options) {
      const index = await request({ path: `/release-group/${groupId}`, schema: CoverIndex }, options)
      const hasFront = index?.images.some(({ front, approved }) => front && approved) === true
      return hasFront ? `${baseUrl}/release-group/${groupId}/front-${SIZE}` : undefined
    },
  }
}
