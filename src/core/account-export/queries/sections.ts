import { sql, type FragmentSqlToken } from 'slonik'

/** The rows of one part of an export: `key`, by which they are ordered, and `row`, a JSON object. */
export type Section = (accountId: string) => FragmentSqlToken

/** What a row says about its item. Items that the account may not see are left out with their rows. */
const ITEM = sql.fragment`jsonb_build_object('id', i.id, 'type', i.type, 'name', i.name)`

/**
 * The parts of an export, in their order. Secrets and digests of secrets are never read. A test fails if a table that refers to accounts is
 * neither read here nor listed in `NOT_EXPORTED`.
 */
export const SECTIONS: Readonly<Record<string, Section>> = {
  profiles: (accountId) => sql.fragment`
    select t.id::text as key, jsonb_build_object(
      'id', t.id, 'name', t.name, 'is_main', t.is_main, 'is_kids', t.is_kids, 'avatar', t.avatar, 'created_at', t.created_at) as row
    from profiles t where t.account_id = ${accountId}`,
  settings: (accountId) => sql.fragment`
    select t.profile_id || ' ' || t.name as key, jsonb_build_object('profile_id', t.profile_id, 'name', t.name, 'settings', t.settings) as row
    from user_settings t where t.profile_id in (select id from profiles where account_id = ${accountId})`,
  marks: (accountId) => sql.fragment`
    select t.profile_id || ' ' || t.media_item_id as key, jsonb_build_object('profile_id', t.profile_id, 
      'item', ${ITEM}, 'favorite_since', t.favourite_since, 'rating', t.rating, 'rated_at', t.rated_at,
      'like_level', t.like_level, 'watched_at', t.watched_at) as row
    from user_items t join media_items i on i.id = t.media_item_id where t.profile_id in (select id from profiles where account_id = ${accountId})`,
  history: (accountId) => sql.fragment`
    select t.session_id || ' ' || t.media_item_id as key, jsonb_build_object(
      'item', ${ITEM}, 'started_at', t.started_at, 'counted_at', t.counted_at, 'completed_at', t.completed_at,
      'reached_ticks', t.reached_ticks, 'duration_ticks', t.duration_ticks) as row
    from playback_records t join media_items i on i.id = t.media_item_id where t.profile_id in (select id from profiles where account_id = ${accountId})`,
  positions: (accountId) => sql.fragment`
    select t.session_id || ' ' || t.media_item_id as key, jsonb_build_object(
      'item', ${ITEM}, 'device_name', s.device_name, 'status', t.status, 'position_ticks', t.position_ticks,
      'duration_ticks', t.duration_ticks, 'started_at', t.started_at, 'updated_at', t.updated_at) as row
    from playback_states t join playback_sessions s on s.id = t.session_id join media_items i on i.id = t.media_item_id
    where t.profile_id in (select id from profiles where account_id = ${accountId})`,
  audiobooks: (accountId) => sql.fragment`
    select t.profile_id || ' ' || t.media_item_id as key, jsonb_build_object('profile_id', t.profile_id, 
      'item', ${ITEM}, 'position_ms', t.position_ms, 'current_chapter_index', t.current_chapter_index,
      'completed_chapters', t.completed_chapters, 'percent_complete', t.percent_complete,
      'last_played_at', t.last_played_at) as row
    from audiobook_progress t join media_items i on i.id = t.media_item_id where t.profile_id in (select id from profiles where account_id = ${accountId})`,
  books: (accountId) => sql.fragment`
    select t.profile_id || ' ' || t.media_item_id as key, jsonb_build_object('profile_id', t.profile_id, 
      'item', ${ITEM}, 'position_ms', t.position_ms, 'current_page', t.current_page, 'total_pages', t.total_pages,
      'percent_complete', t.percent_complete, 'last_read_at', t.last_read_at) as row
    from book_progress t join media_items i on i.id = t.media_item_id where t.profile_id in (select id from profiles where account_id = ${accountId})`,
  dismissed_recommendations: (accountId) => sql.fragment`
    select t.profile_id || ' ' || t.media_item_id as key, jsonb_build_object('profile_id', t.profile_id, 'item', ${ITEM}, 'dismissed_at', t.dismissed_at) as row
    from dismissed_recommendations t join media_items i on i.id = t.media_item_id where t.profile_id in (select id from profiles where account_id = ${accountId})`,
  collections: (accountId) => sql.fragment`
    select t.id::text as key, jsonb_build_object(
      'id', t.id, 'name', t.name, 'created_at', t.created_at, 'updated_at', t.updated_at,
      'items', coalesce((
        select jsonb_agg(${ITEM} order by m.sort_order, i.id)
        from collection_items m join media_items i on i.id = m.media_item_id where m.collection_id = t.id), '[]')) as row
    from collections t where t.owner_id = ${accountId}`,
  smart_playlists: (accountId) => sql.fragment`
    select t.id::text as key, jsonb_build_object(
      'id', t.id, 'name', t.name, 'rules', t.rules, 'limit', t.item_limit, 'sort_by', t.sort_by,
      'is_descending', t.is_descending, 'created_at', t.created_at, 'updated_at', t.updated_at) as row
    from smart_playlists t where t.owner_id = ${accountId}`,
  shares: (accountId) => sql.fragment`
    select t.id::text as key, jsonb_build_object(
      'id', t.id, 'kind', t.kind, 'subject_id', t.subject_id, 'photo_day', t.photo_day,
      'allows_download', t.allows_download, 'max_uses', t.max_uses, 'uses', t.uses, 'created_at', t.created_at,
      'expires_at', t.expires_at, 'revoked_at', t.revoked_at, 'last_used_at', t.last_used_at,
      'last_address', t.last_address) as row
    from shares t where t.user_id = ${accountId}`,
  requests: (accountId) => sql.fragment`
    select t.id::text as key, jsonb_build_object(
      'id', t.id, 'type', t.type, 'tmdb_id', t.catalog_id, 'title', t.title, 'season_number', t.season_number,
      'episode_number', t.episode_number, 'status', t.status, 'rejection_reason', t.rejection_reason,
      'created_at', t.created_at, 'updated_at', t.updated_at) as row
    from media_requests t where t.user_id = ${accountId}`,
  subtitles: (accountId) => sql.fragment`
    select t.id::text as key, jsonb_build_object(
      'item', ${ITEM}, 'provider', t.provider, 'language', t.language, 'title', t.title, 'created_at', t.created_at) as row
    from downloaded_subtitles t join media_items i on i.id = t.media_item_id where t.added_by = ${accountId}`,
  scrobblers: (accountId) => sql.fragment`
    select t.service as key, jsonb_build_object(
      'service', t.service, 'service_username', t.service_username, 'created_at', d.created_at) as row
    from scrobblers t join delivery_targets d on d.id = t.id where t.user_id = ${accountId}`,
  devices: (accountId) => sql.fragment`
    select t.id::text as key, jsonb_build_object(
      'id', t.id, 'name', t.device_name, 'type', t.device_type, 'device_id', t.device_id, 'address', t.address,
      'created_at', t.created_at, 'last_used_at', t.last_used_at, 'ended_at', t.revoked_at) as row
    from refresh_families t where t.user_id = ${accountId}`,
  players: (accountId) => sql.fragment`
    select t.id::text as key, jsonb_build_object(
      'device_id', t.device_id, 'device_name', t.device_name, 'device_type', t.device_type, 'created_at', t.created_at,
      'updated_at', t.updated_at, 'ended_at', t.ended_at) as row
    from playback_sessions t where t.profile_id in (select id from profiles where account_id = ${accountId})`,
  sign_in_links: (accountId) => sql.fragment`
    select t.provider as key, jsonb_build_object(
      'provider', t.provider, 'subject', t.subject, 'created_at', t.created_at) as row
    from account_sign_in_links t where t.user_id = ${accountId}`,
  passkeys: (accountId) => sql.fragment`
    select encode(t.credential_id, 'base64') as key, jsonb_build_object(
      'credential_id', encode(t.credential_id, 'base64'), 'device_type', t.device_type, 'aaguid', t.aaguid,
      'registered_at', t.registered_at, 'last_used_at', t.last_used_at) as row
    from passkeys t where t.user_id = ${accountId}`,
  api_keys: (accountId) => sql.fragment`
    select t.id::text as key, jsonb_build_object(
      'id', t.id, 'name', t.name, 'hint', t.hint, 'scopes', t.scopes, 'created_at', t.created_at,
      'expires_at', t.expires_at, 'last_used_at', t.last_used_at, 'last_address', t.last_address) as row
    from api_keys t where t.user_id = ${accountId}`,
  picture: (accountId) => sql.fragment`
    select '' as key, jsonb_build_object(
      'content_type', 'image/jpeg', 'base64', translate(encode(t.bytes, 'base64'), E'\n', ''), 'created_at', t.created_at) as row
    from user_avatars t where t.user_id = ${accountId}`,
}

/** Tables that refer to accounts and are not part of an export, with the reason. */
export const NOT_EXPORTED: Readonly<Record<string, string>> = {
  delivery_targets: 'read with the scrobblers; the others belong to administrators',
  hub_members: 'a person of the hub, whose data the hub has',
  known_devices: 'digests only',
  maintenance_jobs: 'belongs to administrators',
  oidc_sessions: 'ids and tokens of the sign-in provider',
  open_streams: 'exists only while something plays',
  rescue_accounts: 'a setting of the server',
  scan_jobs: 'belongs to administrators',
  stream_limits: 'limits that administrators set',
  watch_groups: 'exists only while people watch',
  webauthn_challenges: 'random numbers of some minutes',
}
