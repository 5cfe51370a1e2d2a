import type { AskProvider } from '../../provider-client/ask-provider.ts'
import type { Asked } from '../../provider.ts'
import { CoverIndex } from './replies.ts'

/** Where covers of albums are. */
export type CoverArtArchive = {
  /** The front cover of a release of which MusicBrainz says that it has one. */
  releaseCover(releaseId: string): string
  /** The front cover that stands for all editions; undefined when there is none. One request. */
  findGroupCover(groupId: string, asked: Asked): Promise<string | undefined>
}

/** Of 250, 500 and 1200 pixels, which it keeps; the pictures themselves may be of any size. */
const SIZE = 1200

/** The Cover Art Archive (musicbrainz.org/doc/Cover_Art_Archive/API): it keeps lists, and sends on to the Internet Archive for pictures. */
export function createCoverArtArchive({ ask, baseUrl }: { ask: AskProvider; baseUrl: string }): CoverArtArchive {
  return {
    releaseCover: (releaseId) => `${baseUrl}/release/${releaseId}/front-${SIZE}`,
    async findGroupCover(groupId, asked) {
      const index = await ask({ path: `/release-group/${groupId}`, schema: CoverIndex }, asked)
      const hasFront = index?.images.some(({ front, approved }) => front && approved) === true
      return hasFront ? `${baseUrl}/release-group/${groupId}/front-${SIZE}` : undefined
    },
  }
}
