/** The provider keys that hold addresses of pictures. */
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
 * The metadata keys of an item that come from providers: matching writes them, and clearing removes them. Some are written only by other
 * programs; an imported catalogue contains them. Clearing keeps all other keys, which come from names and probing (`title`, `year`,
 * `season`, `episode`, `canonical_key`, `source`, `duration`, `streams`, `edition` …).
 */
export const PROVIDER_KEYS: readonly string[] = [
  ...PICTURE_KEYS,
  // Trailers.
  'trailer_url',
  'trailer_key',
  'trailer_site',
  'trailers',
  'videos',
  // Plot and people.
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
  'rating_country',
  'ratings',
  'content_rating',
  'vote_average',
  'vote_count',
  'popularity',
  // Dates in the format of the provider.
  'release_date',
  'air_date',
  'first_air_date',
  'last_air_date',
  // Other titles.
  'original_title',
  'original_name',
  'alternate_titles',
  'alternative_titles',
  // Ids at other services.
  'external_ids',
  'title_kind',
  'catalog_id',
  'tmdb_id',
  'imdb_id',
  'tvdb_id',
]
