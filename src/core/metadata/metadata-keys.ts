/** Those of them that are addresses of pictures. */
export const PICTURE_KEYS: readonly string[] = [
  'poster_url',
  'poster_path',
  'poster_srcset',
  'backdrop_url',
  'backdrop_url_large',
  'backdrop_path',
  'backdrop_srcset',
  'logo_url',
  'logo_path',
  'banner_url',
  'thumb_url',
  'still_url',
  'still_path',
  'images',
]

/**
 * The keys of an item's metadata that come from providers: what matching writes, and what clearing takes away. Some of
 * them only other programs write; a catalogue that was imported holds them. Everything else stays: what
 * names and probing say (`title`, `year`, `season`, `episode`, `canonical_key`, `source`, `duration`, `streams`, `edition` …).
 */
export const PROVIDER_KEYS: readonly string[] = [
  ...PICTURE_KEYS,
  // Trailers.
  'trailer_url',
  'trailer_key',
  'trailer_site',
  'trailers',
  'videos',
  // What it tells, and who made it.
  'overview',
  'summary',
  'plot',
  'tagline',
  'cast',
  'crew',
  'actors',
  'director',
  'directors',
  'writers',
  'genres',
  'tags',
  'keywords',
  'studio',
  'studios',
  'networks',
  'production_companies',
  'collection',
  // Ratings and votes.
  'rating',
  'ratings',
  'content_rating',
  'vote_average',
  'vote_count',
  'popularity',
  // Dates as the provider has them.
  'release_date',
  'air_date',
  'first_air_date',
  'last_air_date',
  // Other titles.
  'original_title',
  'original_name',
  'alternate_titles',
  'alternative_titles',
  // Numbers elsewhere.
  'external_ids',
  'title_kind',
  'catalog_id',
  'tmdb_id',
  'imdb_id',
  'tvdb_id',
]
