import type { AlbumList, ArtistList } from '../api-types.d.ts'
import type { CardItem } from '../cards/facts.ts'
import type { Messages } from '../messages/en.ts'

export function albumCard({ id, name, artist, year, album_art_url: poster }: AlbumList['albums'][number]): CardItem {
  return { id, name, type: 'album', artist, year, poster_url: poster }
}

/** An artist has no id; names are unique. */
export function artistCard(artist: ArtistList['artists'][number], texts: Messages): CardItem {
  const { name, image_url: poster, track_count: count } = artist
  return { id: `artist ${name}`, name, type: 'artist', poster_url: poster, fact: texts.songs(count) }
}
