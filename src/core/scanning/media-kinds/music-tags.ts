import { VARIOUS_ARTISTS } from '../../music/index.ts'
import { foldTitle } from '../../naming/index.ts'
import type { FileFacts } from '../../probing/index.ts'
import { withoutEmptyFields } from './without-empty-fields.ts'

type Tags = NonNullable<FileFacts['tags']>

/** Returns the tags of a song under the names of the API; missing tags have no key. */
export function toMusicTags(tags: Tags): Record<string, unknown> {
  return withoutEmptyFields({
    artist: tags.artist,
    artists: tags.artists.length > 1 ? tags.artists : null,
    album: tags.album,
    album_artist: taggedAlbumArtist(tags),
    genres: tags.genres,
    year: tags.year,
    original_year: tags.originalYear === tags.year ? null : tags.originalYear,
    air_date: /^\d{4}-\d{2}-\d{2}$/.test(tags.date ?? '') ? tags.date : null,
    track_number: tags.trackNumber,
    track_count: tags.trackCount,
    disc_number: tags.discNumber,
    disc_count: tags.discCount,
    compilation: tags.isCompilation ? true : null,
    tags: tags.isExplicit ? ['explicit'] : null,
    composers: tags.composers,
    publisher: tags.publisher,
    language: tags.language,
    external_ids: nullIfEmpty(musicBrainzIds(tags)),
    replay_gain: nullIfEmpty(gains(tags)),
  })
}

/**
 * Returns the facts from names that complement a song's tags. Folders name the album of a tagged song only if they also name its artist,
 * because songs in a folder such as `Downloads` are not an album.
 */
export function musicFactsFromNames(names: Record<string, unknown>, tags: Tags): Record<string, unknown> {
  const { artist, album, albumArtist } = tags
  const isOwnFolder = artist === null || fold(names['album_artist']) === fold(albumArtist ?? artist)
  return withoutEmptyFields({
    title: names['title'],
    track_number: names['track_number'] ?? null,
    disc_number: names['disc_number'] ?? null,
    artist: artist === null ? (names['artist'] ?? null) : null,
    album: album === null && isOwnFolder ? (names['album'] ?? null) : null,
    album_artist: artist === null && albumArtist === null ? (names['album_artist'] ?? null) : null,
  })
}

function fold(name: unknown): string {
  return typeof name === 'string' ? foldTitle(name) : ''
}

/** Returns the album artist from the tags; a compilation without one belongs to various artists. */
function taggedAlbumArtist({ albumArtist, isCompilation }: Tags): string | null {
  if (albumArtist === null) return isCompilation ? VARIOUS_ARTISTS : null
  return /^(?:various(?: artists)?|va)$/i.test(albumArtist) ? VARIOUS_ARTISTS : albumArtist
}

function musicBrainzIds({ musicBrainz }: Tags): Record<string, unknown> {
  return {
    musicbrainz_recording: musicBrainz.recording,
    musicbrainz_release: musicBrainz.release,
    musicbrainz_release_group: musicBrainz.releaseGroup,
    musicbrainz_artist: musicBrainz.artists[0] ?? null,
    musicbrainz_album_artist: musicBrainz.albumArtists[0] ?? null,
  }
}

function gains({ replayGain }: Tags): Record<string, unknown> {
  return {
    track_gain: replayGain.trackGain,
    track_peak: replayGain.trackPeak,
    album_gain: replayGain.albumGain,
    album_peak: replayGain.albumPeak,
  }
}

function nullIfEmpty(fields: Record<string, unknown>): Record<string, unknown> | null {
  const some = withoutEmptyFields(fields)
  return Object.keys(some).length === 0 ? null : some
}
