import { Type } from 'typebox'
import { Nullable, PageQuery } from '../../http/schemas.ts'

const NullableText = Nullable(Type.String())
const NullableWhole = Nullable(Type.Integer())

/** The contract calls the name of an artist and the title of an album so, though they are no external ids. */
export const NameParameters = Type.Object({ mbid: Type.String() })

export const MusicListQuery = PageQuery

/** `artist`: exact name of the album's artist; blank is none. */
const ArtistFilter = Type.Optional(Type.String())

export const AlbumListQuery = Type.Object({ ...PageQuery.properties, artist: ArtistFilter })

export const AlbumQuery = Type.Object({ artist: ArtistFilter })

/** Document 1, Music track: these keys and no others, wherever a track appears. */
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

/** What a provider says; without it the keys are left out. */
const Told = {
  genres: Type.Optional(Type.Array(Type.String())),
  release_date: Type.Optional(Type.String()),
  external_ids: Type.Optional(Type.Record(Type.String(), Type.String())),
}

const AlbumRow = Type.Object({
  name: Type.String(),
  artist: Type.String(),
  year: NullableWhole,
  album_art_url: NullableText,
  track_count: Type.Integer(),
  ...Told,
  tracks_truncated: Type.Boolean(),
  tracks: Type.Array(TrackRow),
})

const ArtistRow = Type.Object({
  name: Type.String(),
  image_url: NullableText,
  album_count: Type.Integer(),
  track_count: Type.Integer(),
  ...Told,
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

/** Null in every case (document 1, Music). */
export const NowPlaying = Type.Object({ now_playing: Type.Null() })
