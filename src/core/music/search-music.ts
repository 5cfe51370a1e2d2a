import { searchPhrase } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import type { Album } from './album.ts'
import type { Artist } from './artist.ts'
import { searchAlbumIds, selectAlbums } from './queries/albums.ts'
import { searchArtistRows } from './queries/artists.ts'

/** `text`: storable words; `limit`: at least 1. */
type Search = { text: string; limit: number }

const MAX_WORDS = 8

/** The words of a search that every name must contain. */
function wordsOf(text: string): string[] {
  return searchPhrase(text).split(' ').slice(0, MAX_WORDS)
}

/** The artists whose names contain all words, without regard to case; those that begin with the first word are preferred. */
export async function searchArtists({ db }: { db: Connection }, { text, limit }: Search): Promise<Artist[]> {
  return searchArtistRows(db, { words: wordsOf(text), limit })
}

/** The albums whose titles and artists together contain all words, without their tracks. */
export async function searchAlbums({ db }: { db: Connection }, { text, limit }: Search): Promise<Album[]> {
  return selectAlbums(db, { ids: await searchAlbumIds(db, { words: wordsOf(text), limit }), tracks: 0 })
}
