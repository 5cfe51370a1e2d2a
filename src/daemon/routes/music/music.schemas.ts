import { Type } from 'typebox'
import { Nullable, PageQuery } from '../../http/schemas.ts'

const NullableText = Nullable(Type.String())
const NullableWhole = Nullable(Type.Integer())

/** The API calls the artist name and the album title `mbid`, although they are not MusicBrainz ids. */
export const NameParameters = Type.Object({ mbid: Type.String() })

export const MusicListQuery = PageQuery

/** `artist`: exact name of the album artist; blank means no filter. */
const ArtistFilter = Type.Optional(Type.String())

export const AlbumListQuery = Type.Object({ ...PageQuery.properties, artist: ArtistFilter })

export const AlbumQuery = Type.Object({ artist: ArtistFilter })

/** A track. It has exactly these keys in every reply. */
const TrackRow = Type.Object({
  id: NullableText,
  name: Type.String(),
  artist: NullableText,
  album: NullableText,
  album_artist: NullableText,
  year: NullableWhole,
  genre: Type.Null(),
  genres: Type.Array(Type.String()),
  track_number: NullableWhole,
  disc_number: NullableWhole,
  duration_secs: NullableWhole,
  composer: Type.Null(),
  stream_url: Type.String(),
})

/** Facts of a provider; the keys are omitted without one. */
const ProviderFacts = {
  genres: Type.Optional(Type.Array(Type.String())),
  release_date: Type.Optional(Type.String()),
  external_ids: Type.Optional(Type.Record(Type.String(), Type.String())),
}

export const AlbumRow = Type.Object({
  id: Type.String(),
  name: Type.String(),
  artist: Type.String(),
  year: NullableWhole,
  album_art_url: NullableText,
  track_count: Type.Integer(),
  ...ProviderFacts,
  tracks_truncated: Type.Boolean(),
  tracks: Type.Array(TrackRow),
})

export const ArtistRow = Type.Object({
  name: Type.String(),
  image_url: NullableText,
  album_count: Type.Integer(),
  track_count: Type.Integer(),
  ...ProviderFacts,
  albums_truncated: Type.Boolean(),
  albums: Type.Array(Type.String()),
})

const PageKeys = { total: Type.Integer(), limit: Type.Integer(), offset: Type.Integer() }

export const ArtistList = Type.Object({ artists: Type.Array(ArtistRow), ...PageKeys })
export const OneArtist = Type.Object({ artist: ArtistRow })
export const AlbumList = Type.Object({ albums: Type.Array(AlbumRow), ...PageKeys, artist: NullableText })
export const OneAlbum = Type.Object({ album: AlbumRow })
export const TrackList = Type.Object({ tracks: Type.Array(TrackRow), ...PageKeys })
export const OneTrack = Type.Object({ track: TrackRow })

/** Always null. */
export const NowPlaying = Type.Object({ now_playing: Type.Null() })
