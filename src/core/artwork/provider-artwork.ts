import type { Connection } from '../platform/database/index.ts'
import type { ArtworkKind } from './artwork-kind.ts'
import {
  deleteArtworkOfOwners,
  deleteLibraryArtwork,
  deleteProviderArtwork,
  upsertProviderArtwork,
} from './queries/provider-artwork.ts'

/** The picture that a provider has of an item, an album or an artist; null: no longer any. */
export type ProviderArtwork = { itemId: string; kind: ArtworkKind; url: string | null }

const MAX_URL_LENGTH = 2048

/**
 * Replaces the provider pictures of the given kinds; other kinds stay. Nothing is fetched before the first request of the picture. Of two
 * rows for the same owner and kind the last one is used. An address that is not http(s) or exceeds 2048 characters is treated as null, and
 * rows of unknown owners are skipped.
 */
export async function setProviderArtwork(connection: Connection, rows: readonly ProviderArtwork[]): Promise<void> {
  const byPlace = new Map(rows.map((row) => [`${row.itemId} ${row.kind}`, { ...row, url: addressOf(row.url) }]))
  const removed: Pick<ProviderArtwork, 'itemId' | 'kind'>[] = []
  const updated: (ProviderArtwork & { url: string })[] = []
  for (const { itemId, kind, url } of byPlace.values()) {
    if (url === null) removed.push({ itemId, kind })
    else updated.push({ itemId, kind, url })
  }
  if (removed.length > 0) await deleteProviderArtwork(connection, removed)
  if (updated.length > 0) await upsertProviderArtwork(connection, updated)
}

/** Deletes all provider pictures of these items, albums and artists. */
export async function removeProviderArtwork(connection: Connection, itemIds: readonly string[]): Promise<void> {
  await deleteArtworkOfOwners(connection, itemIds)
}

/** Deletes all provider pictures of a library: of its items, albums and artists. */
export async function clearProviderArtwork(
  connection: Connection,
  { libraryId }: { libraryId: string },
): Promise<void> {
  await deleteLibraryArtwork(connection, libraryId)
}

function addressOf(url: string | null): string | null {
  const parsed = url === null ? null : URL.parse(url)
  if (parsed === null || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')) return null
  return parsed.href.length <= MAX_URL_LENGTH ? parsed.href : null
}
