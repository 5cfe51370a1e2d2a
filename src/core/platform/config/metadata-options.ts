import {
  booleanOption,
  integerOption,
  patternOption,
  textOption,
  webAddressOption,
  type Option,
} from './option-kinds.ts'

const LANGUAGE = [/^[a-z]{2}(?:-[A-Z]{2})?$/, 'must be a language, as en-US'] as const
const COUNTRY = [/^[A-Z]{2}$/, 'must be a country in two letters, as US'] as const

/** The options of metadata providers. */
export const METADATA_OPTIONS = {
  'metadata.tmdb.api_key': textOption(undefined, {
    env: ['TMDB_API_KEY', 'PHLIX_TMDB_API_KEY'],
    secret: true,
    doc: 'API key of The Movie Database, or its read access token; its account page shows both. Unset: this provider is not used.',
  }),
  'metadata.tmdb.base_url': webAddressOption('https://api.themoviedb.org/3', {
    env: ['PHLIX_TMDB_URL'],
    doc: 'Address of the API of TMDB, for mirrors and proxies.',
  }),
  'metadata.tvdb.api_key': textOption(undefined, {
    env: ['TVDB_API_KEY', 'PHLIX_TVDB_API_KEY'],
    secret: true,
    doc: 'API key of TheTVDB, which is used for series that have its id and that TMDB does not have. Unset: this provider is not used.',
  }),
  'metadata.tvdb.pin': textOption(undefined, {
    env: ['TVDB_PIN', 'PHLIX_TVDB_PIN'],
    secret: true,
    doc: 'PIN of a subscriber, which some keys require.',
  }),
  'metadata.tvdb.base_url': webAddressOption('https://api4.thetvdb.com/v4', {
    env: ['PHLIX_TVDB_URL'],
    doc: 'Address of the API of TheTVDB.',
  }),
  'metadata.musicbrainz.enabled': booleanOption(false, {
    env: ['PHLIX_MUSICBRAINZ'],
    doc: 'Look up albums and artists at MusicBrainz. It requires no key and permits one request a second.',
  }),
  'metadata.musicbrainz.base_url': webAddressOption('https://musicbrainz.org/ws/2', {
    env: ['PHLIX_MUSICBRAINZ_URL'],
    doc: 'Address of the API of MusicBrainz, for mirrors.',
  }),
  'metadata.musicbrainz.requests_per_second': integerOption(
    1,
    { min: 1, max: 1000 },
    {
      doc: 'Maximum number of requests to MusicBrainz in a second, for each process; more than 1 only for a private mirror.',
    },
  ),
  'metadata.musicbrainz.contact': textOption(undefined, {
    env: ['PHLIX_MUSICBRAINZ_CONTACT'],
    doc: 'E-mail or web address of the administrator of this server. MusicBrainz requires it; it is sent with each request.',
  }),
  'metadata.cover_art_archive.enabled': booleanOption(true, {
    env: ['PHLIX_COVER_ART_ARCHIVE'],
    doc: 'Off: no covers for albums that were found at MusicBrainz.',
  }),
  'metadata.cover_art_archive.base_url': webAddressOption('https://coverartarchive.org', {
    env: ['PHLIX_COVER_ART_ARCHIVE_URL'],
    doc: 'Address of the Cover Art Archive.',
  }),
  'metadata.language': patternOption('en-US', LANGUAGE, {
    env: ['PHLIX_METADATA_LANGUAGE'],
    doc: 'Language of titles and descriptions, for example `de-DE`.',
  }),
  'metadata.country': patternOption('US', COUNTRY, {
    env: ['PHLIX_METADATA_COUNTRY'],
    doc: 'Country whose content ratings are shown, for example `DE`.',
  }),
  'metadata.requests_per_second': integerOption(
    20,
    { min: 1, max: 1000 },
    { doc: 'Maximum number of requests to one metadata provider in a second, for each process.' },
  ),
  'metadata.timeout_seconds': integerOption(
    15,
    { min: 1, max: 300 },
    { doc: 'Time limit of one request to a metadata provider.' },
  ),
  'metadata.overwrite_existing': booleanOption(true, {
    doc: 'Off: `refresh-metadata` skips items that have metadata.',
  }),
} as const satisfies Record<string, Option>
