import { foldTitle } from '../../naming/index.ts'
import type { FileFacts, LocalMetadata } from '../../probing/index.ts'
import { withoutEmptyFields } from './without-empty-fields.ts'

type AlbumNfoFacts = { year: number | null; metadata: Record<string, unknown> }

/**
 * Returns the facts of an `album.nfo` for a song beside it, under the names of the tags. Tags take precedence; the file fills the gaps.
 * Empty for a song that is tagged with another album, because a folder may contain several.
 */
export function albumNfoFacts(local: readonly LocalMetadata[], tags: FileFacts['tags'] | null): AlbumNfoFacts {
  const album = local.find(({ kind }) => kind === 'album')
  const tagged = tags?.album ?? null
  const isOther = tagged !== null && album?.title != null && foldTitle(tagged) !== foldTitle(album.title)
  if (album === undefined || isOther) return { year: null, metadata: {} }
  const { title, artists, genres, year, date, publisher, overview } = album
  const artist = artists.length === 0 ? null : artists.join(', ')
  const metadata = withoutEmptyFields({
    album: title,
    album_artist: artist,
    artist: tags?.artist == null ? artist : null,
    genres,
    year,
    air_date: /^\d{4}-\d{2}-\d{2}$/.test(date ?? '') ? date : null,
    publisher,
    album_overview: overview,
  })
  return { year, metadata }
}
