// Written by `npm run docs` from the schemas of the routes (scripts/write-api-types.ts).

/** `GET /api/v1/me/home` */
export type Home = {
  continue_watching: Array<{
    id: string
    library_id: string
    name: string
    type: string
    sort_title: string
    path: string | null
    poster_url: string | null
    poster_srcset: string | null
    backdrop_url: string | null
    backdrop_srcset: string | null
    genres: Array<string>
    year: number | null
    rating: string | null
    runtime: number | null
    duration: number | null
    overview: string | null
    actors: Array<string>
    director: string | null
    parent_id: string | null
    season_number: number | null
    episode_number: number | null
    episode_title: string | null
    air_date: string | null
    artist: string | null
    album: string | null
    created_at: string
    updated_at: string
    media_item_id: string
    position_ticks: number
    duration_ticks: number | null
    playback_status: string
    metadata: Record<string, unknown>
  }>
  next_up: Array<{
    id: string
    library_id: string
    name: string
    type: string
    sort_title: string
    path: string | null
    poster_url: string | null
    poster_srcset: string | null
    backdrop_url: string | null
    backdrop_srcset: string | null
    genres: Array<string>
    year: number | null
    rating: string | null
    runtime: number | null
    duration: number | null
    overview: string | null
    actors: Array<string>
    director: string | null
    parent_id: string | null
    season_number: number | null
    episode_number: number | null
    episode_title: string | null
    air_date: string | null
    artist: string | null
    album: string | null
    created_at: string
    updated_at: string
    media_item_id: string
    series_id: string
    series_name: string
    series_title: string
    position_ticks: number
    duration_ticks: number
    metadata: Record<string, unknown>
  }>
  continue_listening: Array<{
    id: string
    library_id: string
    name: string
    title: string
    author: string
    narrator: string
    series: string | null
    year: number | null
    duration_secs: number
    duration_ms: number
    cover_url: string | null
    stream_url: string
    read_url: string
    metadata: Record<string, unknown>
    chapter_count: number
    progress_percent: number
    last_played_at: string
  }>
  continue_reading: Array<{
    id: string
    library_id: string
    name: string
    type: "book"
    year: number | null
    path: string
    format: string
    size_bytes: number
    metadata: Record<string, unknown>
    cover_url: string | null
    read_url: string
    download_url: string
    current_page: number
    total_pages: number
    progress_percent: number
    last_read_at: string
  }>
  recently_added: Array<{
    library: {
      id: string
      name: string
      type: string
    }
    items: Array<{
      id: string
      library_id: string
      name: string
      type: string
      sort_title: string
      path: string | null
      poster_url: string | null
      poster_srcset: string | null
      backdrop_url: string | null
      backdrop_srcset: string | null
      genres: Array<string>
      year: number | null
      rating: string | null
      runtime: number | null
      duration: number | null
      overview: string | null
      actors: Array<string>
      director: string | null
      parent_id: string | null
      season_number: number | null
      episode_number: number | null
      episode_title: string | null
      air_date: string | null
      artist: string | null
      album: string | null
      created_at: string
      updated_at: string
      user_data?: {
        favorite: boolean
        rating: number | null
        like_level: number
        watched: boolean
        position_ticks: number
        duration_ticks: number | null
        progress_percent: number
        unwatched_episodes: number | null
      }
    }>
  }>
  favorites: Array<{
    id: string
    library_id: string
    name: string
    type: string
    sort_title: string
    path: string | null
    poster_url: string | null
    poster_srcset: string | null
    backdrop_url: string | null
    backdrop_srcset: string | null
    genres: Array<string>
    year: number | null
    rating: string | null
    runtime: number | null
    duration: number | null
    overview: string | null
    actors: Array<string>
    director: string | null
    parent_id: string | null
    season_number: number | null
    episode_number: number | null
    episode_title: string | null
    air_date: string | null
    artist: string | null
    album: string | null
    created_at: string
    updated_at: string
    user_data: {
      favorite: boolean
      rating: number | null
      like_level: number
      watched: boolean
    }
  }>
  recommendations: Array<{
    id: string
    title: string
    type: string
    posterUrl: string | null
    year: number | null
    score: number
    reason: string
    computedAt: string
  }>
  limit: number
}

/** `GET /api/v1/libraries` */
export type Libraries = {
  libraries: Array<{
    id: string
    name: string
    type: string
    path: string
    paths: Array<string>
    options: Record<string, unknown>
    item_count: number
    display_order: number
    auto_collections: {
      enabled: boolean
    }
    created_at: string
    updated_at: string
  }>
}

/** `GET /api/v1/media` */
export type MediaList = {
  items: Array<{
    id: string
    library_id: string
    name: string
    type: string
    sort_title: string
    path: string | null
    poster_url: string | null
    poster_srcset: string | null
    backdrop_url: string | null
    backdrop_srcset: string | null
    genres: Array<string>
    year: number | null
    rating: string | null
    runtime: number | null
    duration: number | null
    overview: string | null
    actors: Array<string>
    director: string | null
    parent_id: string | null
    season_number: number | null
    episode_number: number | null
    episode_title: string | null
    air_date: string | null
    artist: string | null
    album: string | null
    created_at: string
    updated_at: string
    user_data?: {
      favorite: boolean
      rating: number | null
      like_level: number
      watched: boolean
      position_ticks: number
      duration_ticks: number | null
      progress_percent: number
      unwatched_episodes: number | null
    }
  }>
  total: number
  limit: number
  offset: number
}

/** `GET /api/v1/media/:id` */
export type MediaDetail = {
  id: string
  library_id: string
  name: string
  type: string
  sort_title: string
  path: string | null
  poster_url: string | null
  poster_srcset: string | null
  backdrop_url: string | null
  backdrop_srcset: string | null
  genres: Array<string>
  year: number | null
  rating: string | null
  runtime: number | null
  duration: number | null
  overview: string | null
  actors: Array<string>
  director: string | null
  parent_id: string | null
  season_number: number | null
  episode_number: number | null
  episode_title: string | null
  air_date: string | null
  artist: string | null
  album: string | null
  created_at: string
  updated_at: string
  series_id: string | null
  series_name: string | null
  series_title: string | null
  original_title: string | null
  tagline: string | null
  release_date: string | null
  vote_average: number | null
  vote_count: number | null
  cast: Array<{
    name: string
    profile_url: string | null
    role: string | null
  }>
  crew: Array<{
    name: string
    profile_url: string | null
    job: string | null
  }>
  tags: Array<string>
  production_companies: Array<{
    name: string
    logo_url: string | null
    origin_country: string | null
  }>
  studio: string | null
  backdrop_url_large: string | null
  logo_url: string | null
  theme_audio_url: string | null
  trailer_url: string | null
  trailer_key: string | null
  trailer_site: string | null
  external_ids: Record<string, string>
  container: string | null
  bitrate: number | null
  probe_error: string | null
  stream_url: string | null
  streams: Array<{
    id: string
    media_item_id: string
    stream_index: number
    stream_type: string
    codec: string | null
    language: string | null
    title: string | null
    bitrate: number | null
    width: number | null
    height: number | null
    channels: number | null
    is_default: boolean
  }>
  metadata: Record<string, unknown>
  files?: Array<{
    path: string
    size_bytes: number | null
    container: string | null
    codec: string | null
    resolution: string | null
  }>
  user_data: {
    favorite: boolean
    rating: number | null
    like_level: number
    watched: boolean
  }
  item: {
    id: string
    library_id: string
    name: string
    type: string
    sort_title: string
    path: string | null
    poster_url: string | null
    poster_srcset: string | null
    backdrop_url: string | null
    backdrop_srcset: string | null
    genres: Array<string>
    year: number | null
    rating: string | null
    runtime: number | null
    duration: number | null
    overview: string | null
    actors: Array<string>
    director: string | null
    parent_id: string | null
    season_number: number | null
    episode_number: number | null
    episode_title: string | null
    air_date: string | null
    artist: string | null
    album: string | null
    created_at: string
    updated_at: string
    series_id: string | null
    series_name: string | null
    series_title: string | null
    original_title: string | null
    tagline: string | null
    release_date: string | null
    vote_average: number | null
    vote_count: number | null
    cast: Array<{
      name: string
      profile_url: string | null
      role: string | null
    }>
    crew: Array<{
      name: string
      profile_url: string | null
      job: string | null
    }>
    tags: Array<string>
    production_companies: Array<{
      name: string
      logo_url: string | null
      origin_country: string | null
    }>
    studio: string | null
    backdrop_url_large: string | null
    logo_url: string | null
    theme_audio_url: string | null
    trailer_url: string | null
    trailer_key: string | null
    trailer_site: string | null
    external_ids: Record<string, string>
    container: string | null
    bitrate: number | null
    probe_error: string | null
    stream_url: string | null
    streams: Array<{
      id: string
      media_item_id: string
      stream_index: number
      stream_type: string
      codec: string | null
      language: string | null
      title: string | null
      bitrate: number | null
      width: number | null
      height: number | null
      channels: number | null
      is_default: boolean
    }>
    metadata: Record<string, unknown>
    files?: Array<{
      path: string
      size_bytes: number | null
      container: string | null
      codec: string | null
      resolution: string | null
    }>
    user_data: {
      favorite: boolean
      rating: number | null
      like_level: number
      watched: boolean
    }
  }
}

/** `GET /api/v1/media/facets` */
export type FilterValues = {
  genres: Array<string>
  ratings: Array<string>
}

/** `GET /api/v1/media/letter-index` */
export type LetterIndex = {
  letters: Array<{
    letter: string
    offset: number
    count: number
  }>
  total: number
}

/** `GET /api/v1/search` */
export type SearchResults = {
  query: string
  limit: number
  movies: {
    items: Array<{
      id: string
      library_id: string
      name: string
      type: string
      sort_title: string
      path: string | null
      poster_url: string | null
      poster_srcset: string | null
      backdrop_url: string | null
      backdrop_srcset: string | null
      genres: Array<string>
      year: number | null
      rating: string | null
      runtime: number | null
      duration: number | null
      overview: string | null
      actors: Array<string>
      director: string | null
      parent_id: string | null
      season_number: number | null
      episode_number: number | null
      episode_title: string | null
      air_date: string | null
      artist: string | null
      album: string | null
      created_at: string
      updated_at: string
      user_data?: {
        favorite: boolean
        rating: number | null
        like_level: number
        watched: boolean
        position_ticks: number
        duration_ticks: number | null
        progress_percent: number
        unwatched_episodes: number | null
      }
    }>
    has_more: boolean
  }
  series: {
    items: Array<{
      id: string
      library_id: string
      name: string
      type: string
      sort_title: string
      path: string | null
      poster_url: string | null
      poster_srcset: string | null
      backdrop_url: string | null
      backdrop_srcset: string | null
      genres: Array<string>
      year: number | null
      rating: string | null
      runtime: number | null
      duration: number | null
      overview: string | null
      actors: Array<string>
      director: string | null
      parent_id: string | null
      season_number: number | null
      episode_number: number | null
      episode_title: string | null
      air_date: string | null
      artist: string | null
      album: string | null
      created_at: string
      updated_at: string
      user_data?: {
        favorite: boolean
        rating: number | null
        like_level: number
        watched: boolean
        position_ticks: number
        duration_ticks: number | null
        progress_percent: number
        unwatched_episodes: number | null
      }
    }>
    has_more: boolean
  }
  episodes: {
    items: Array<{
      id: string
      library_id: string
      name: string
      type: string
      sort_title: string
      path: string | null
      poster_url: string | null
      poster_srcset: string | null
      backdrop_url: string | null
      backdrop_srcset: string | null
      genres: Array<string>
      year: number | null
      rating: string | null
      runtime: number | null
      duration: number | null
      overview: string | null
      actors: Array<string>
      director: string | null
      parent_id: string | null
      season_number: number | null
      episode_number: number | null
      episode_title: string | null
      air_date: string | null
      artist: string | null
      album: string | null
      created_at: string
      updated_at: string
      user_data?: {
        favorite: boolean
        rating: number | null
        like_level: number
        watched: boolean
        position_ticks: number
        duration_ticks: number | null
        progress_percent: number
        unwatched_episodes: number | null
      }
    }>
    has_more: boolean
  }
  tracks: {
    items: Array<{
      id: string
      library_id: string
      name: string
      type: string
      sort_title: string
      path: string | null
      poster_url: string | null
      poster_srcset: string | null
      backdrop_url: string | null
      backdrop_srcset: string | null
      genres: Array<string>
      year: number | null
      rating: string | null
      runtime: number | null
      duration: number | null
      overview: string | null
      actors: Array<string>
      director: string | null
      parent_id: string | null
      season_number: number | null
      episode_number: number | null
      episode_title: string | null
      air_date: string | null
      artist: string | null
      album: string | null
      created_at: string
      updated_at: string
      user_data?: {
        favorite: boolean
        rating: number | null
        like_level: number
        watched: boolean
        position_ticks: number
        duration_ticks: number | null
        progress_percent: number
        unwatched_episodes: number | null
      }
    }>
    has_more: boolean
  }
  audiobooks: {
    items: Array<{
      id: string
      library_id: string
      name: string
      type: string
      sort_title: string
      path: string | null
      poster_url: string | null
      poster_srcset: string | null
      backdrop_url: string | null
      backdrop_srcset: string | null
      genres: Array<string>
      year: number | null
      rating: string | null
      runtime: number | null
      duration: number | null
      overview: string | null
      actors: Array<string>
      director: string | null
      parent_id: string | null
      season_number: number | null
      episode_number: number | null
      episode_title: string | null
      air_date: string | null
      artist: string | null
      album: string | null
      created_at: string
      updated_at: string
      user_data?: {
        favorite: boolean
        rating: number | null
        like_level: number
        watched: boolean
        position_ticks: number
        duration_ticks: number | null
        progress_percent: number
        unwatched_episodes: number | null
      }
    }>
    has_more: boolean
  }
  books: {
    items: Array<{
      id: string
      library_id: string
      name: string
      type: string
      sort_title: string
      path: string | null
      poster_url: string | null
      poster_srcset: string | null
      backdrop_url: string | null
      backdrop_srcset: string | null
      genres: Array<string>
      year: number | null
      rating: string | null
      runtime: number | null
      duration: number | null
      overview: string | null
      actors: Array<string>
      director: string | null
      parent_id: string | null
      season_number: number | null
      episode_number: number | null
      episode_title: string | null
      air_date: string | null
      artist: string | null
      album: string | null
      created_at: string
      updated_at: string
      user_data?: {
        favorite: boolean
        rating: number | null
        like_level: number
        watched: boolean
        position_ticks: number
        duration_ticks: number | null
        progress_percent: number
        unwatched_episodes: number | null
      }
    }>
    has_more: boolean
  }
  photos: {
    items: Array<{
      id: string
      library_id: string
      name: string
      type: string
      sort_title: string
      path: string | null
      poster_url: string | null
      poster_srcset: string | null
      backdrop_url: string | null
      backdrop_srcset: string | null
      genres: Array<string>
      year: number | null
      rating: string | null
      runtime: number | null
      duration: number | null
      overview: string | null
      actors: Array<string>
      director: string | null
      parent_id: string | null
      season_number: number | null
      episode_number: number | null
      episode_title: string | null
      air_date: string | null
      artist: string | null
      album: string | null
      created_at: string
      updated_at: string
      user_data?: {
        favorite: boolean
        rating: number | null
        like_level: number
        watched: boolean
        position_ticks: number
        duration_ticks: number | null
        progress_percent: number
        unwatched_episodes: number | null
      }
    }>
    has_more: boolean
  }
  artists: {
    items: Array<{
      name: string
      image_url: string | null
      album_count: number
      track_count: number
      genres?: Array<string>
      release_date?: string
      external_ids?: Record<string, unknown>
      albums_truncated: boolean
      albums: Array<string>
    }>
    has_more: boolean
  }
  albums: {
    items: Array<{
      id: string
      name: string
      artist: string
      year: number | null
      album_art_url: string | null
      track_count: number
      genres?: Array<string>
      release_date?: string
      external_ids?: Record<string, unknown>
      tracks_truncated: boolean
      tracks: Array<{
        id: string | null
        name: string
        artist: string | null
        album: string | null
        album_artist: string | null
        year: number | null
        genre: null
        genres: Array<string>
        track_number: number | null
        disc_number: number | null
        duration_secs: number | null
        composer: null
        stream_url: string
      }>
    }>
    has_more: boolean
  }
  collections: {
    items: Array<{
      id: string
      name: string
      library_id: string
      smart_playlist_id: string | null
      parent_id: string | null
      sort_order: number
      is_smart: boolean
      item_count: number
      created_at: string
      updated_at: string
    }>
    has_more: boolean
  }
}

/** `GET /api/v1/music/artists` */
export type ArtistList = {
  artists: Array<{
    name: string
    image_url: string | null
    album_count: number
    track_count: number
    genres?: Array<string>
    release_date?: string
    external_ids?: Record<string, unknown>
    albums_truncated: boolean
    albums: Array<string>
  }>
  total: number
  limit: number
  offset: number
}

/** `GET /api/v1/music/artists/:mbid` */
export type OneArtist = {
  artist: {
    name: string
    image_url: string | null
    album_count: number
    track_count: number
    genres?: Array<string>
    release_date?: string
    external_ids?: Record<string, unknown>
    albums_truncated: boolean
    albums: Array<string>
  }
}

/** `GET /api/v1/music/albums` */
export type AlbumList = {
  albums: Array<{
    id: string
    name: string
    artist: string
    year: number | null
    album_art_url: string | null
    track_count: number
    genres?: Array<string>
    release_date?: string
    external_ids?: Record<string, unknown>
    tracks_truncated: boolean
    tracks: Array<{
      id: string | null
      name: string
      artist: string | null
      album: string | null
      album_artist: string | null
      year: number | null
      genre: null
      genres: Array<string>
      track_number: number | null
      disc_number: number | null
      duration_secs: number | null
      composer: null
      stream_url: string
    }>
  }>
  total: number
  limit: number
  offset: number
  artist: string | null
}

/** `GET /api/v1/music/albums/:mbid` */
export type OneAlbum = {
  album: {
    id: string
    name: string
    artist: string
    year: number | null
    album_art_url: string | null
    track_count: number
    genres?: Array<string>
    release_date?: string
    external_ids?: Record<string, unknown>
    tracks_truncated: boolean
    tracks: Array<{
      id: string | null
      name: string
      artist: string | null
      album: string | null
      album_artist: string | null
      year: number | null
      genre: null
      genres: Array<string>
      track_number: number | null
      disc_number: number | null
      duration_secs: number | null
      composer: null
      stream_url: string
    }>
  }
}

/** `GET /api/v1/music/tracks/:id` */
export type OneTrack = {
  track: {
    id: string | null
    name: string
    artist: string | null
    album: string | null
    album_artist: string | null
    year: number | null
    genre: null
    genres: Array<string>
    track_number: number | null
    disc_number: number | null
    duration_secs: number | null
    composer: null
    stream_url: string
  }
}

/** `GET /api/v1/photo/timeline` */
export type Timeline = {
  months: Array<{
    month: string
    count: number
  }>
  total: number
}

/** `GET /api/v1/photo/timeline/:month` */
export type TimelineMonth = {
  month: string
  photos: Array<{
    id: string
    ratio: number | null
    date: string
    date_taken_unix: number
    thumbnail_url: string
  }>
  total: number
  limit: number
  offset: number
}
