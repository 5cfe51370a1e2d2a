import { Type } from 'typebox'
import {
  count,
  exact,
  flag,
  free,
  listOf,
  number,
  oneOf,
  optional,
  orNull,
  text,
  texts,
  time,
  whole,
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
export const user = exact(userKeys)
export const account = exact({ ...userKeys, created_at: time, updated_at: time, last_login: orNull(time) })

export const library = exact({
  id: text,
  name: text,
  type: text,
  path: text,
  paths: texts,
  options: free,
  item_count: count,
  display_order: whole,
  auto_collections: free,
  created_at: time,
  updated_at: time,
})

export const job = exact({
  id: text,
  library_id: text,
  type: text,
  status: oneOf('queued', 'running', 'completed', 'failed', 'cancelled'),
  items_found: count,
  items_added: count,
  items_updated: count,
  items_removed: count,
  items_failed: count,
  added_count: count,
  removed_count: count,
  current_path: orNull(text),
  error: orNull(text),
  queued_at: time,
  started_at: orNull(time),
  completed_at: orNull(time),
})

/** A file or folder that a job could not process. */
export const failure = exact({ path: text, code: text, reason: text })
export const failures = listOf(failure)

export const itemFile = exact({
  id: text,
  role: text,
  label: orNull(text),
  path: orNull(text),
  size_bytes: orNull(count),
  duration_seconds: orNull(number),
  container: orNull(text),
  codec: orNull(text),
  width: orNull(count),
  height: orNull(count),
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
  year: orNull(whole),
  rating: orNull(text),
  runtime: orNull(whole),
  duration: orNull(whole),
  overview: orNull(text),
  actors: texts,
  director: orNull(text),
  parent_id: orNull(text),
  season_number: orNull(whole),
  episode_number: orNull(whole),
  episode_title: orNull(text),
  air_date: orNull(text),
  artist: orNull(text),
  album: orNull(text),
  created_at: time,
  updated_at: time,
  duration_seconds: orNull(number),
}
export const item = exact({ ...itemKeys, files: optional(listOf(itemFile)) })

export const passkey = exact({
  credential_id: text,
  user_id: text,
  type: Type.Literal('public-key'),
  device_type: text,
  aaguid: text,
  registered_at: time,
  transports: texts,
  last_used_at: orNull(time),
})

export const request = exact({
  id: text,
  user_id: text,
  type: text,
  catalog_id: whole,
  tmdb_id: whole,
  title: text,
  poster_url: orNull(text),
  season: orNull(whole),
  episode: orNull(whole),
  status: text,
  rejection_reason: orNull(text),
  created_at: time,
  updated_at: time,
})

export const webhook = exact({
  id: text,
  name: text,
  url: text,
  events: texts,
  is_active: flag,
  created_at: time,
  updated_at: time,
  last_triggered_at: orNull(time),
  failure_count: count,
  dropped_count: count,
})

export const delivery = exact({
  id: text,
  webhook_id: text,
  webhook_name: text,
  event: text,
  status: text,
  occurred_at: time,
  attempted_at: orNull(time),
  status_code: orNull(whole),
  response_body: orNull(text),
  error_message: orNull(text),
  retry_count: count,
  next_retry_at: orNull(time),
})

export const channel = exact({
  id: text,
  name: text,
  service: text,
  events: texts,
  settings: free,
  created_at: time,
  last_triggered_at: orNull(time),
  failure_count: count,
  dropped_count: count,
})

export const invite = exact({
  id: text,
  created_at: time,
  expires_at: time,
  used_at: orNull(time),
  used_by: orNull(text),
})

export const collection = exact({
  id: text,
  name: text,
  library_id: orNull(text),
  smart_playlist_id: orNull(text),
  parent_id: orNull(text),
  sort_order: Type.Union([text, whole]),
  is_smart: flag,
  item_count: count,
  created_at: time,
  updated_at: time,
})

export const smartPlaylist = exact({
  id: text,
  name: text,
  library_id: text,
  rules_json: free,
  limit: orNull(whole),
  sort_by: orNull(text),
  sort_desc: flag,
  created_at: time,
  updated_at: time,
})

export const setting = exact({
  path: text,
  value: orNull(Type.Union([text, number, flag])),
  origin: text,
  stored: flag,
  restart_required: flag,
})

export const option = exact({
  path: text,
  value: orNull(Type.Union([text, number, flag])),
  origin: text,
  secret: flag,
})

export const transcode = exact({
  id: text,
  media_item_id: text,
  item_name: text,
  profile: text,
  status: text,
  encoders: count,
  encoded_segments: count,
  percent: number,
  created_at: time,
  last_used_at: time,
})

export const marker = exact({
  type: text,
  title: text,
  start_seconds: number,
  end_seconds: number,
  start_ms: number,
  end_ms: number,
  source: text,
  confidence: orNull(number),
})

export const serverKeyKeys = { kid: text, file: text, created_at: orNull(time), jwk: free }

/** A connected player that can be controlled. */
export const playerRecord = exact({
  id: text,
  user_id: text,
  username: text,
  device_name: text,
  device_type: text,
  media_item_id: orNull(text),
  position: orNull(number),
  is_paused: flag,
})

export const apiKey = exact({
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

export const device = exact({
  id: text,
  name: text,
  type: text,
  address: orNull(text),
  last_used_at: time,
  created_at: time,
  is_current: flag,
})

export const signIn = exact({
  id: text,
  user_id: text,
  username: text,
  created_at: time,
  last_used_at: orNull(time),
  expires_at: orNull(time),
})

/** A backup in a list. Of an unreadable file only its path, size and problem are known. */
export const backup = exact({
  id: orNull(text),
  label: orNull(text),
  file_path: text,
  size_bytes: count,
  checksum_sha256: orNull(text),
  is_s3: flag,
  created_at: time,
  expires_at: Type.Null(),
  state: text,
  problem: orNull(text),
  is_encrypted: flag,
  schema_version: orNull(count),
  phlix_version: orNull(text),
  rows: orNull(count),
})

const pluginKeys = {
  name: text,
  version: text,
  type: text,
  enabled: flag,
  disabled_reason: orNull(text),
  installed_at: time,
}

export const plugin = exact(pluginKeys)

/** A plugin with its settings; secrets are masked. */
export const pluginDetail = exact({
  ...pluginKeys,
  source: text,
  sha256: text,
  previous_version: orNull(text),
  min_server_version: orNull(text),
  events: texts,
  permissions: exact({ hosts: texts, private_network: flag, user_details: flag, durable: flag }),
  settings_schema: free,
  settings: free,
  secret_status: Type.Record(text, exact({ set: flag, length: count })),
  updated_at: time,
})

export const catalogueSources = listOf(exact({ url: text, trusted: flag }))

export const cataloguePlugin = exact({
  name: text,
  title: text,
  type: text,
  summary: text,
  description: text,
  repo: text,
  author: text,
  tags: texts,
  installed: flag,
  enabled: flag,
  version: orNull(text),
  installable: flag,
  homepage: orNull(text),
})

export const pluginUpdate = exact({
  name: text,
  installed_version: text,
  latest_version: orNull(text),
  update_available: flag,
  repo: orNull(text),
  checkable: flag,
  error: orNull(text),
})

export const hubUser = exact({
  id: text,
  username: text,
  email: text,
  is_admin: flag,
  status: oneOf('active', 'disabled'),
  created_at: time,
  updated_at: time,
})

export const hubServer = exact({
  id: text,
  name: text,
  owner: text,
  version: text,
  status: oneOf('online', 'offline', 'claiming', 'disabled'),
  has_tunnel: flag,
  last_seen_at: orNull(time),
  last_address: orNull(text),
  libraries: count,
  active_sessions: count,
  active_transcodes: count,
  created_at: time,
})

export const portMapping = exact({
  protocol: oneOf('nat-pmp', 'upnp'),
  gateway: text,
  internal_address: text,
  internal_port: count,
  external_address: orNull(text),
  external_port: count,
  lease_seconds: orNull(count),
  opened_at: time,
  expires_at: orNull(time),
})
