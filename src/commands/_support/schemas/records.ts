import { Type } from 'typebox'
import {
  nonNegativeInteger,
  object,
  boolean,
  freeObject,
  arrayOf,
  number,
  stringEnum,
  optional,
  orNull,
  string,
  strings,
  timestamp,
  integer,
} from './shapes.ts'

/** The schemas of the records in `src/core/views`, as commands print them. */

const userKeys = {
  id: string,
  email: string,
  username: string,
  is_admin: boolean,
  display_name: orNull(string),
  avatar_url: orNull(string),
  status: string,
}
export const user = object(userKeys)
export const account = object({
  ...userKeys,
  created_at: timestamp,
  updated_at: timestamp,
  last_login: orNull(timestamp),
})

export const library = object({
  id: string,
  name: string,
  type: string,
  path: string,
  paths: strings,
  options: freeObject,
  item_count: nonNegativeInteger,
  display_order: integer,
  auto_collections: freeObject,
  created_at: timestamp,
  updated_at: timestamp,
})

export const job = object({
  id: string,
  library_id: string,
  type: string,
  status: stringEnum('queued', 'running', 'completed', 'failed', 'cancelled'),
  items_found: nonNegativeInteger,
  items_added: nonNegativeInteger,
  items_updated: nonNegativeInteger,
  items_removed: nonNegativeInteger,
  items_failed: nonNegativeInteger,
  added_count: nonNegativeInteger,
  removed_count: nonNegativeInteger,
  current_path: orNull(string),
  error: orNull(string),
  queued_at: timestamp,
  started_at: orNull(timestamp),
  completed_at: orNull(timestamp),
})

/** A file or folder that a job could not process. */
export const failure = object({ path: string, code: string, reason: string })
export const failures = arrayOf(failure)

export const itemFile = object({
  id: string,
  role: orNull(string),
  label: orNull(string),
  path: orNull(string),
  size_bytes: orNull(nonNegativeInteger),
  duration_seconds: orNull(number),
  container: orNull(string),
  codec: orNull(string),
  width: orNull(nonNegativeInteger),
  height: orNull(nonNegativeInteger),
  resolution: orNull(string),
})

export const itemKeys = {
  id: string,
  library_id: string,
  name: string,
  type: string,
  sort_title: string,
  path: orNull(string),
  genres: strings,
  year: orNull(integer),
  rating: orNull(string),
  runtime: orNull(integer),
  duration: orNull(integer),
  overview: orNull(string),
  actors: strings,
  director: orNull(string),
  parent_id: orNull(string),
  season_number: orNull(integer),
  episode_number: orNull(integer),
  episode_title: orNull(string),
  air_date: orNull(string),
  artist: orNull(string),
  album: orNull(string),
  created_at: timestamp,
  updated_at: timestamp,
  duration_seconds: orNull(number),
}
export const item = object({ ...itemKeys, files: optional(arrayOf(itemFile)) })

export const passkey = object({
  credential_id: string,
  user_id: string,
  type: Type.Literal('public-key'),
  device_type: string,
  aaguid: string,
  registered_at: timestamp,
  transports: strings,
  last_used_at: orNull(timestamp),
})

export const scrobbler = object({
  id: string,
  user_id: string,
  service: stringEnum('lastfm', 'listenbrainz', 'trakt'),
  service_username: string,
  failure_count: nonNegativeInteger,
  last_triggered_at: orNull(timestamp),
  created_at: timestamp,
})

export const request = object({
  id: string,
  user_id: string,
  type: string,
  catalog_id: integer,
  tmdb_id: integer,
  title: string,
  poster_url: orNull(string),
  season: orNull(integer),
  episode: orNull(integer),
  status: string,
  rejection_reason: orNull(string),
  created_at: timestamp,
  updated_at: timestamp,
})

export const webhook = object({
  id: string,
  name: string,
  url: string,
  events: strings,
  is_active: boolean,
  created_at: timestamp,
  updated_at: timestamp,
  last_triggered_at: orNull(timestamp),
  failure_count: nonNegativeInteger,
  dropped_count: nonNegativeInteger,
})

export const delivery = object({
  id: string,
  webhook_id: string,
  webhook_name: string,
  event: string,
  status: string,
  occurred_at: timestamp,
  attempted_at: orNull(timestamp),
  status_code: orNull(integer),
  response_body: orNull(string),
  error_message: orNull(string),
  retry_count: nonNegativeInteger,
  next_retry_at: orNull(timestamp),
})

export const channel = object({
  id: string,
  name: string,
  service: string,
  events: strings,
  settings: freeObject,
  created_at: timestamp,
  last_triggered_at: orNull(timestamp),
  failure_count: nonNegativeInteger,
  dropped_count: nonNegativeInteger,
})

/** What an account may see. */
export const access = object({
  library_ids: orNull(strings),
  max_age: orNull(nonNegativeInteger),
  allow_unrated: boolean,
  blocked_tags: strings,
  allowed_tags: strings,
})

export const invite = object({
  id: string,
  created_at: timestamp,
  expires_at: timestamp,
  access,
  max_uses: nonNegativeInteger,
  uses: nonNegativeInteger,
  used_at: orNull(timestamp),
  used_by: orNull(string),
  usernames: strings,
})

export const collection = object({
  id: string,
  name: string,
  library_id: orNull(string),
  smart_playlist_id: orNull(string),
  parent_id: orNull(string),
  sort_order: Type.Union([string, integer]),
  is_smart: boolean,
  item_count: nonNegativeInteger,
  created_at: timestamp,
  updated_at: timestamp,
})

export const smartPlaylist = object({
  id: string,
  name: string,
  library_id: string,
  rules_json: freeObject,
  limit: orNull(integer),
  sort_by: orNull(string),
  sort_desc: boolean,
  created_at: timestamp,
  updated_at: timestamp,
})

export const setting = object({
  path: string,
  value: orNull(Type.Union([string, number, boolean])),
  origin: string,
  stored: boolean,
  restart_required: boolean,
})

export const option = object({
  path: string,
  value: orNull(Type.Union([string, number, boolean])),
  origin: string,
  secret: boolean,
})

export const transcode = object({
  id: string,
  media_item_id: string,
  item_name: string,
  profile: string,
  status: string,
  encoders: nonNegativeInteger,
  encoded_segments: nonNegativeInteger,
  percent: number,
  created_at: timestamp,
  last_used_at: timestamp,
})

export const marker = object({
  type: string,
  title: string,
  start_seconds: number,
  end_seconds: number,
  start_ms: number,
  end_ms: number,
  source: string,
  confidence: orNull(number),
})

export const serverKeyKeys = { kid: string, file: string, created_at: orNull(timestamp), jwk: freeObject }

/** A connected player that can be controlled. */
export const playerRecord = object({
  id: string,
  user_id: string,
  username: string,
  device_name: string,
  device_type: string,
  media_item_id: orNull(string),
  position: orNull(number),
  is_paused: boolean,
})

export const apiKey = object({
  id: string,
  user_id: string,
  username: string,
  name: string,
  hint: string,
  scopes: strings,
  created_at: timestamp,
  expires_at: orNull(timestamp),
  last_used_at: orNull(timestamp),
  last_address: orNull(string),
})

export const shareLink = object({
  id: string,
  user_id: string,
  username: string,
  kind: string,
  subject_id: orNull(string),
  title: orNull(string),
  has_password: boolean,
  allow_download: boolean,
  max_uses: orNull(integer),
  uses: integer,
  created_at: timestamp,
  expires_at: timestamp,
  last_used_at: orNull(timestamp),
  last_address: orNull(string),
})

export const device = object({
  id: string,
  name: string,
  type: string,
  address: orNull(string),
  last_used_at: timestamp,
  created_at: timestamp,
  is_current: boolean,
})

export const loginSession = object({
  id: string,
  user_id: string,
  username: string,
  created_at: timestamp,
  last_used_at: orNull(timestamp),
  expires_at: orNull(timestamp),
})

/** A backup in a list. Of an unreadable file only its path, size and problem are known. */
export const backup = object({
  id: orNull(string),
  label: orNull(string),
  file_path: string,
  size_bytes: nonNegativeInteger,
  checksum_sha256: orNull(string),
  is_s3: boolean,
  created_at: timestamp,
  expires_at: Type.Null(),
  state: string,
  problem: orNull(string),
  is_encrypted: boolean,
  schema_version: orNull(nonNegativeInteger),
  phlix_version: orNull(string),
  rows: orNull(nonNegativeInteger),
})

export const hubUser = object({
  id: string,
  username: string,
  email: string,
  is_admin: boolean,
  status: stringEnum('active', 'disabled'),
  created_at: timestamp,
  updated_at: timestamp,
})

export const pairedServer = object({
  id: string,
  name: string,
  owner: string,
  version: string,
  status: stringEnum('online', 'offline', 'claiming', 'disabled'),
  has_tunnel: boolean,
  last_seen_at: orNull(timestamp),
  last_address: orNull(string),
  libraries: nonNegativeInteger,
  active_sessions: nonNegativeInteger,
  active_transcodes: nonNegativeInteger,
  created_at: timestamp,
})

export const portMapping = object({
  protocol: stringEnum('nat-pmp', 'upnp'),
  gateway: string,
  internal_address: string,
  internal_port: nonNegativeInteger,
  external_address: orNull(string),
  external_port: nonNegativeInteger,
  lease_seconds: orNull(nonNegativeInteger),
  opened_at: timestamp,
  expires_at: orNull(timestamp),
})

/** A link to a person of a sign-in provider. */
export const signInLink = object({ provider: string, name: orNull(string), subject: string, created_at: timestamp })
