import type { Connection } from '../platform/database/index.ts'
import type { ArtworkKind } from './artwork-kind.ts'
import { selectSources, type ArtworkSource } from './queries/sources.ts'

/** A picture that an item shows, and where it comes from: `path` of the picture or of the file that it is in, `url` at a provider. */
export type ListedArtwork = {
  kind: ArtworkKind
  source: ArtworkSource['source']
  path: string | null
  url: string | null
}

/** The pictures that an item has of its own, by kind; nothing is opened. */
export async function listArtwork({ db }: { db: Connection }, itemId: string): Promise<ListedArtwork[]> {
  const sources = await selectSources(db, [itemId])
  return sources.map(({ kind, source, path, url }) => ({ kind, source, path, url }))
}
