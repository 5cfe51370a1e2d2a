import type { AlbumList, ArtistList } from '../api-types.d.ts'
import { fetchReply } from '../data/replies.ts'
import { keptRows } from '../grid/kept-pages.ts'
import type { RowPages } from '../grid/row-pages.ts'
import { texts } from '../messages/language.ts'
import { albumCard, artistCard } from './music-cards.ts'

/** @param artist only the albums of this one; empty for all */
export function albumRows(artist: string): RowPages {
  const filter = artist === '' ? '' : `&${new URLSearchParams({ artist })}`
  return keptRows(`albums ${artist}`, async ({ limit, offset }) => {
    const { albums, total } = await fetchReply<AlbumList>(
      `/api/v1/music/albums?limit=${limit}&offset=${offset}${filter}`,
    )
    return { items: albums.map((album) => albumCard(album)), total }
  })
}

export function artistRows(): RowPages {
  return keptRows('artists', async ({ limit, offset }) => {
    const { artists, total } = await fetchReply<ArtistList>(`/api/v1/music/artists?limit=${limit}&offset=${offset}`)
    return { items: artists.map((artist) => artistCard(artist, texts)), total }
  })
}
