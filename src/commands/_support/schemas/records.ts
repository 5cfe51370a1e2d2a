import { Type } from 'typebox'
import {
  natural,
  object,
  flag,
  freeObject,
  listOf,
  number,
  oneOf,
  optional,
  orNull,
  text,
  texts,
  time,
  integer,
} from './shapes.ts'

/** The schemas of the records in `src/core/views`, as commands print them. */

const userKeys = {
  id: text,
  email: text,
  username: text,
  is_admin: flag,
  display_name: orNull(text),
  avatar_url: orNull(text),
  status: text,
}
export const user = object(userKeys)
export const account = object({ ...userKeys, created_at: time, updated_at: time, last_login: orNull(time) })

export const library = object({
  id: text,
  name: text,
  type: text,
  path: text,
  paths: texts,
  options: freeObject,
  item_count: natural,
  display_order: integer,
  auto_collections: freeObject,
  created_at: time,
  updated_at: time,
})

export const job = object({
  id: text,
  library_id: text,
  type: text,
  status: oneOf('queued', 'running', 'completed', 'failed', 'cancelled'),
  items_found: natural,
  items_added: natural,
  items_updated: natural,
  items_removed: natural,
  items_failed: natural,
  added_count: natural,
  removed_count: natural,
  current_path: orNull(text),
  error: orNull(text),
  queued_at: time,
  started_at: orNull(time),
  completed_at: orNull(time),
})

/** A file or folder that a job could not process. */
export const failure = object({ path: text, code: text, reason: text })
export const failures = listOf(failure)

export const itemFile = object({
  id: text,
  role: orNull(text),
  label: orNull(text),
  path: orNull(text),
  size_bytes: orNull(natural),
  duration_seconds: orNull(number),
  container: orNull(text),
  codec: orNull(text),
  width: orNull(natural),
  height: orNull(natural),
  resolution: orNull(text),
})

export const itemKeys = {
  id: text,
  library_id: text,
  name: text,
  type: text,
  sort_title: text,
  path: orNull(text),
  genres: texts,
  year: orNull(integer),
  rating: orNull(text),
  runtime: orNull(integer),
  duration: orNull(integer),
  overview: orNull(text),
  actors: texts,
  director: orNull(text),
  parent_id: orNull(text),
  season_number: orNull(integer),
  episode_number: orNull(integer),
  episode_title: orNull(text),
  air_date: orNull(text),
  artist: orNull(text),
  album: orNull(text),
  created_at: time,
  updated_at: time,
  duration_seconds: orNull(number),
}
export const item = object({ ...itemKeys, files: optional(listOf(itemFile)) })

export const passkey = object({
  credential_id: text,
  user_id: text,
  type: Type.Literal('public-key'),
  device_type: text,
  aaguid: text,
  registered_at: time,
  transports: texts,
  last_used_at: orNull(time),
})

export const scrobbler = object({
  id: text,
  user_id: text,
  service: oneOf('lastfm', 'listenbrainz', 'trakt'),
  service_username: text,
  failure_count: natural,
  last_triggered_at: orNull(time),
  created_at: time,
})

export const request = object({
  id: text,
  user_id: text,
  type: text,
  catalog_id: integer,
  tmdb_id: integer,
  title: text,
  poster_url: orNull(text),
  season: orNull(integer),
  episode: orNull(integer),
  status: text,
  rejection_reason: orNull(text),
  created_at: time,
  updated_at: time,
})

export const webhook = object({
  id: text,
  name: text,
  url: text,
  events: texts,
  is_active: flag,
  created_at: time,
  updated_at: time,
  last_triggered_at: orNull(time),
  failure_count: natural,
  dropped_count: natural,
})

export const delivery = object({
  id: text,
  webhook_id: text,
  webhook_name: text,
  event: text,
  status: text,
  occurred_at: time,
  attempted_at: orNull(time),
  status_code: orNull(integer),
  response_body: orNull(text),
  error_message: orNull(text),
  retry_count: natural,
  next_retry_at: orNull(time),
})

export const channel = object({
  id: text,
  name: text,
  service: text,
  events: texts,
  settings: freeObject,
  created_at: time,
  last_triggered_at: orNull(time),
  failure_count: natural,
  dropped_count: natural,
})

/** What an account may see. */
export const access = object({
  library_ids: orNull(texts),
  max_age: orNull(natural),
  allow_unrated: flag,
  blocked_tags: texts,
  allowed_tags: texts,
})

export const invite = object({
  id: text,
  created_at: time,
  expires_at: time,
  access,
  max_uses: natural,
  uses: natural,
  used_at: orNull(time),
  used_by: orNull(text),
  usernames: texts,
})

export const collection = object({
  id: text,
  name: text,
  library_id: orNull(text),
  smart_playlist_id: orNull(text),
  parent_id: orNull(text),
  sort_order: Type.Union([text, integer]),
  is_smart: flag,
  item_count: natural,
  created_at: time,
  updated_at: time,
})

export const smartPlaylist = object({
  id: text,
  name: text,
  library_id: text,
  rules_json: freeObject,
  limit: orNull(integer),
  sort_by: orNull(text),
  sort_desc: flag,
  created_at: time,
  updated_at: time,
})

export const setting = object({
  path: text,
  value: orNull(Type.Union([text, number, flag])),
  origin: text,
  stored: flag,
  restart_required: flag,
})

export const option = object({
  path: text,
  value: orNull(Type.Union([text, number, flag])),
  origin: text,
  secret: flag,
})

export const transcode = object({
  id: text,
  media_item_id: text,
  item_name: text,
  profile: text,
  status: text,
  encoders: natural,
  encoded_segments: natural,
  percent: number,
  created_at: time,
  last_used_at: time,
})

export const marker = object({
  type: text,
  title: text,
  start_seconds: number,
  end_seconds: number,
  start_ms: number,
  end_ms: number,
  source: text,
  confidence: orNull(number),
})

export const serverKeyKeys = { kid: text, file: text, created_at: orNull(time), jwk: freeObject }

/** A connected player that can be controlled. */
export const playerRecord = object({
  id: text,
  user_id: text,
  username: text,
  device_name: text,
  device_type: text,
  media_item_id: orNull(text),
  position: orNull(number),
  is_paused: flag,
})

export const apiKey = object({
  id: text,
  user_id: text,
  username: text,
  name: text,
  hint: text,
  scopes: texts,
  created_at: time,
  expires_at: orNull(time),
  last_used_at: orNull(time),
  last_address: orNull(text),
})

export const shareLink = object({
  id: text,
  user_id: text,
  username: text,
  kind: text,
  subject_id: orNull(text),
  title: orNull(text),
  has_password: flag,
  allow_download: flag,
  max_uses: orNull(integer),
  uses: integer,
  created_at: time,
  expires_at: time,
  last_used_at: orNull(time),
  last_address: orNull(text),
})

export const device = object({
  id: text,
  name: text,
  type: text,
  address: orNull(text),
  last_used_at: time,
  created_at: time,
  is_current: flag,
})

export const loginSession = object({
  id: text,
  user_id: text,
  username: text,
  created_at: time,
  last_used_at: orNull(time),
  expires_at: orNull(time),
})

/** A backup in a list. Of an unreadable file only its path, size and problem are known. */
export const backup = object({
  id: orNull(text),
  label: orNull(text),
  file_path: text,
  size_bytes: natural,
  checksum_sha256: orNull(text),
  is_s3: flag,
  created_at: time,
  expires_at: Type.Null(),
  state: text,
  problem: orNull(text),
  is_encrypted: flag,
  schema_version: orNull(natural),
  phlix_version: orNull(text),
  rows: orNull(natural),
})

export const hubUser = object({
  id: text,
  username: text,
  email: text,
  is_admin: flag,
  status: oneOf('active', 'disabled'),
  created_at: time,
  updated_at: time,
})

export const pairedServer = object({
  id: text,
  name: text,
  owner: text,
  version: text,
  status: oneOf('online', 'offline', 'claiming', 'disabled'),
  has_tunnel: flag,
  last_seen_at: orNull(time),
  last_address: orNull(text),
  libraries: natural,
  active_sessions: natural,
  active_transcodes: natural,
  created_at: time,
})

export const portMapping = object({
  protocol: oneOf('nat-pmp', 'upnp'),
  gateway: text,
  internal_address: text,
  internal_port: natural,
  external_address: orNull(text),
  external_port: natural,
  lease_seconds: orNull(natural),
  opened_at: time,
  expires_at: orNull(time),
})

/** A link to a person of a sign-in provider. */
export const signInLink = object({ provider: text, name: orNull(text), subject: text, created_at: time })
