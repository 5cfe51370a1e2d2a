import { sql } from 'slonik'
import type { Connection } from '../../platform/database/index.ts'
import type { ArtworkKind } from '../artwork-kind.ts'

type OwnerAndKind = { itemId: string; kind: ArtworkKind }

/** If the address changes, the hash of the picture from the old one is cleared. Unknown ids are skipped. */
export async function upsertProviderArtwork(
  connection: Connection,
  artwork: readonly (OwnerAndKind & { url: string })[],
): Promise<void> {
  const rows = artwork.map(({ itemId, kind, url }) => [itemId, kind, url])
  await connection.query(sql.unsafe`
    insert into provider_artwork as p (media_item_id, album_id, artist_id, kind, url)
    select i.id, a.id, r.id, v.kind, v.url from ${sql.unnest(rows, ['uuid', 'text', 'text'])} as v (id, kind, url)
    left join media_items i on i.id = v.id
    left join music_albums a on a.id = v.id
    left join music_artists r on r.id = v.id
    where num_nonnulls(i.id, a.id, r.id) = 1
    on conflict (owner_id, kind) do update set url = excluded.url, content_hash = null where p.url <> excluded.url`)
}

export async function deleteProviderArtwork(connection: Connection, places: readonly OwnerAndKind[]): Promise<void> {
  const rows = places.map(({ itemId, kind }) => [itemId, kind])
  await connection.query(sql.unsafe`
    delete from provider_artwork p using ${sql.unnest(rows, ['uuid', 'text'])} as v (id, kind)
    where p.owner_id = v.id and p.kind = v.kind`)
}

export async function deleteArtworkOfOwners(connection: Connection, ownerIds: readonly string[]): Promise<void> {
  await connection.query(sql.unsafe`
    delete from provider_artwork where owner_id = any (${sql.array([...ownerIds], 'uuid')})`)
}

export async function deleteLibraryArtwork(connection: Connection, libraryId: string): Promise<void> {
  await connection.query(sql.unsafe`
    delete from provider_artwork p using media_items i where i.id = p.media_item_id and i.library_id = ${libraryId}`)
  await connection.query(sql.unsafe`
    delete from provider_artwork p using music_artists r where r.id = p.artist_id and r.library_id = ${libraryId}`)
  await connection.query(sql.unsafe`
    delete from provider_artwork p using music_albums a, music_artists r
    where a.id = p.album_id and r.id = a.artist_id and r.library_id = ${libraryId}`)
}

/** Stores the hash of a fetched picture; for a song, its album gets the hash too. Does nothing if the address has changed since. */
export async function storeFetchedPicture(
  connection: Connection,
  { ownerId, kind, url, contentHash }: { ownerId: string; kind: ArtworkKind; url: string; contentHash: string },
): Promise<void> {
  await connection.query(sql.unsafe`
    update provider_artwork set content_hash = decode(${contentHash}, 'hex')
    where owner_id in (${ownerId}, (select album_id from music_tracks where media_item_id = ${ownerId}))
      and kind = ${kind} and url = ${url}`)
}
