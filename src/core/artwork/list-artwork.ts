import type { Connection } from '../platform/database/index.ts'
import type { ArtworkKind } from './artwork-kind.ts'
import { selectArtworkSources, type ArtworkSource } from './queries/artwork-sources.ts'

/** A picture of an item and its source: `path` of the picture or of the media file that contains it, `url` at a provider. */
export type ListedArtwork = {
  kind: ArtworkKind
  source: ArtworkSource['source']
  path: string | null
  url: string | null
}

/** The pictures of an item itself, by kind; no file is opened. */
export async function listArtwork({ db }: { db: Connection }, itemId: string): Promise<ListedArtwork[]> {
  const sources = await selectArtworkSources(db, [itemId])
  return sources.map(({ kind, source, path, url }) => ({ kind, source, path, url }))
}
