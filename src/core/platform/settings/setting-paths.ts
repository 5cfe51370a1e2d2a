import { RATE_LIMIT_SURFACES, type OptionPath, type RateLimitSurface } from '../config/index.ts'

/** When a change takes effect: `live` at the next use, `restart` at the next start of a process. */
export type SettingScope = 'live' | 'restart'

const NAMED_SETTINGS = {
  'accounts.approval': 'live',
  'accounts.approval_beside_limits': 'live',
  'accounts.local_sign_in': 'live',
  'accounts.registration': 'live',
  'backups.interval_days': 'live',
  'backups.retention': 'live',
  'metadata.overwrite_existing': 'live',
  'network.forward_port': 'live',
  'network.external_port': 'live',
  'network.protocol': 'live',
  'network.lease_seconds': 'live',
  'plugins.auto_update': 'live',
  'plugins.channel': 'live',
  'updates.check_enabled': 'live',
  'relay.enabled': 'live',
  'requests.allow_whole_series': 'live',
  'metadata.tmdb.api_key': 'restart',
  'metadata.tvdb.api_key': 'restart',
  'metadata.tvdb.pin': 'restart',
  'metadata.musicbrainz.enabled': 'restart',
  'metadata.musicbrainz.contact': 'restart',
  'metadata.cover_art_archive.enabled': 'restart',
  'metadata.language': 'restart',
  'metadata.country': 'restart',
  'metadata.requests_per_second': 'restart',
  'metadata.timeout_seconds': 'restart',
  'scrobbling.lastfm.api_key': 'restart',
  'scrobbling.lastfm.secret': 'restart',
  'scrobbling.trakt.client_id': 'restart',
  'scrobbling.trakt.client_secret': 'restart',
  'artwork.cache_bytes': 'restart',
  'hls.tone_mapping': 'live',
  'hls.max_concurrent_transcodes': 'restart',
  'hls.min_disk_space_bytes': 'restart',
  'hls.transcode_timeout_seconds': 'restart',
} as const satisfies Partial<Record<OptionPath, SettingScope>>

type RateLimitPath = `server.rate_limit.${RateLimitSurface}.${'max' | 'window'}`

/** An option that can also be set in the database. */
export type SettingPath = keyof typeof NAMED_SETTINGS | RateLimitPath

/** Settings that are read at each use. */
export type LiveSettingPath = {
  [Path in keyof typeof NAMED_SETTINGS]: (typeof NAMED_SETTINGS)[Path] extends 'live' ? Path : never
}[keyof typeof NAMED_SETTINGS]

/**
 * All options that can be set in the database. Not included are options that are needed before the database is open, and locations of
 * media, programs and servers in a private network. Rate limits take effect at a restart.
 */
export const SETTINGS: Readonly<Record<SettingPath, SettingScope>> = {
  ...NAMED_SETTINGS,
  ...(Object.fromEntries(
    Object.keys(RATE_LIMIT_SURFACES).flatMap((surface) => [
      [`server.rate_limit.${surface}.max`, 'restart'],
      [`server.rate_limit.${surface}.window`, 'restart'],
    ]),
  ) as Record<RateLimitPath, SettingScope>),
}

export const SETTING_PATHS = Object.keys(SETTINGS) as SettingPath[]

export function isSettingPath(path: string): path is SettingPath {
  return Object.hasOwn(SETTINGS, path)
}
