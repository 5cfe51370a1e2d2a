import { sql, type FragmentSqlToken } from 'slonik'

/** The type of a column of a key. */
export type KeyType = 'uuid' | 'text' | 'timestamptz'

/** One part of an export. */
export type ExportSection = {
  /** Whether the rows belong to the account, or to each of its profiles. */
  of: 'account' | 'profile'
  /** The column with the id of the account or the profile. */
  owner: FragmentSqlToken
  /** Columns that are unique among the rows of an owner, in whose order they are read: an index has those of long lists. */
  key: readonly (readonly [column: FragmentSqlToken, type: KeyType])[]
  /** A JSON object. */
  row: FragmentSqlToken
  from: FragmentSqlToken
}

/** What a row says about its item. Items that the account may not see are left out with their rows. */
const ITEM = sql.fragment`jsonb_build_object('id', i.id, 'type', i.type, 'name', i.name)`

/**
 * The parts of an export, in their order. Secrets and digests of secrets are never read. A test fails if a table that refers to accounts is
 * neither read here nor listed in `TABLES_NOT_EXPORTED`.
 */
export const EXPORT_SECTIONS: Readonly<Record<string, ExportSection>> = {
  profiles: {
    of: 'account',
    owner: sql.fragment`t.account_id`,
    key: [[sql.fragment`t.id`, 'uuid']],
    row: sql.fragment`jsonb_build_object(
      'id', t.id, 'name', t.name, 'is_main', t.is_main, 'is_kids', t.is_kids, 'avatar', t.avatar, 'created_at', t.created_at,
      'has_pin', t.pin_hash is not null, 'can_download', t.may_download,
      'library_ids', p.rule -> 'libraries', 'max_age', p.rule -> 'max_age',
      'allow_unrated', coalesce(p.rule -> 'allows_unrated', 'false'),
      'blocked_tags', coalesce(p.rule -> 'blocked_tags', '[]'),
      'allowed_tags', coalesce(jsonb_path_query_array(p.rule, '$.allowed_tags[*][*]'), '[]'),
      'stream_limits', jsonb_build_object('max_concurrent_streams', l.max_streams, 'max_total_bandwidth_kbps', l.max_kbps))`,
    from: sql.fragment`
      from profiles t left join access_policies p on p.id = t.policy_id left join stream_limits l on l.profile_id = t.id`,
  },
  schedules: {
    of: 'profile',
    owner: sql.fragment`t.profile_id`,
    key: [[sql.fragment`t.id`, 'uuid']],
    row: sql.fragment`jsonb_build_object(
      'profile_id', t.profile_id, 'name', t.name, 'start_time', to_char(make_interval(mins => t.start_minute), 'HH24:MI'),
      'end_time', to_char(make_interval(mins => t.end_minute), 'HH24:MI'), 'days_of_week', t.days, 'time_zone', t.zone,
      'is_active', t.is_active)`,
    from: sql.fragment`from profile_schedules t`,
  },
  settings: {
    of: 'profile',
    owner: sql.fragment`t.profile_id`,
    key: [[sql.fragment`t.name`, 'text']],
    row: sql.fragment`jsonb_build_object('profile_id', t.profile_id, 'name', t.name, 'settings', t.settings)`,
    from: sql.fragment`from user_settings t`,
  },
  marks: {
    of: 'profile',
    owner: sql.fragment`t.profile_id`,
    key: [[sql.fragment`t.media_item_id`, 'uuid']],
    row: sql.fragment`jsonb_build_object('profile_id', t.profile_id, 
      'item', ${ITEM}, 'favorite_since', t.favourite_since, 'rating', t.rating, 'rated_at', t.rated_at,
      'like_level', t.like_level, 'watched_at', t.watched_at)`,
    from: sql.fragment`from user_items t join media_items i on i.id = t.media_item_id`,
  },
  history: {
    of: 'profile',
    owner: sql.fragment`t.profile_id`,
    key: [
      [sql.fragment`t.counted_at`, 'timestamptz'],
      [sql.fragment`t.session_id`, 'uuid'],
      [sql.fragment`t.media_item_id`, 'uuid'],
    ],
    row: sql.fragment`jsonb_build_object(
      'item', ${ITEM}, 'started_at', t.started_at, 'counted_at', t.counted_at, 'completed_at', t.completed_at,
      'reached_ticks', t.reached_ticks, 'duration_ticks', t.duration_ticks)`,
    from: sql.fragment`from playback_records t join media_items i on i.id = t.media_item_id`,
  },
  positions: {
    of: 'profile',
    owner: sql.fragment`t.profile_id`,
    key: [
      [sql.fragment`t.media_item_id`, 'uuid'],
      [sql.fragment`t.session_id`, 'uuid'],
    ],
    row: sql.fragment`jsonb_build_object(
      'item', ${ITEM}, 'device_name', s.device_name, 'status', t.status, 'position_ticks', t.position_ticks,
      'duration_ticks', t.duration_ticks, 'started_at', t.started_at, 'updated_at', t.updated_at)`,
    from: sql.fragment`from playback_states t join playback_sessions s on s.id = t.session_id join media_items i on i.id = t.media_item_id`,
  },
  audiobooks: {
    of: 'profile',
    owner: sql.fragment`t.profile_id`,
    key: [[sql.fragment`t.media_item_id`, 'uuid']],
    row: sql.fragment`jsonb_build_object('profile_id', t.profile_id, 
      'item', ${ITEM}, 'position_ms', t.position_ms, 'current_chapter_index', t.current_chapter_index,
      'completed_chapters', t.completed_chapters, 'percent_complete', t.percent_complete,
      'last_played_at', t.last_played_at)`,
    from: sql.fragment`from audiobook_progress t join media_items i on i.id = t.media_item_id`,
  },
  books: {
    of: 'profile',
    owner: sql.fragment`t.profile_id`,
    key: [[sql.fragment`t.media_item_id`, 'uuid']],
    row: sql.fragment`jsonb_build_object('profile_id', t.profile_id, 
      'item', ${ITEM}, 'position_ms', t.position_ms, 'current_page', t.current_page, 'total_pages', t.total_pages,
      'percent_complete', t.percent_complete, 'locator', t.locator, 'last_read_at', t.last_read_at)`,
    from: sql.fragment`from book_progress t join media_items i on i.id = t.media_item_id`,
  },
  dismissed_recommendations: {
    of: 'profile',
    owner: sql.fragment`t.profile_id`,
    key: [[sql.fragment`t.media_item_id`, 'uuid']],
    row: sql.fragment`jsonb_build_object('profile_id', t.profile_id, 'item', ${ITEM}, 'dismissed_at', t.dismissed_at)`,
    from: sql.fragment`from dismissed_recommendations t join media_items i on i.id = t.media_item_id`,
  },
  collections: {
    of: 'account',
    owner: sql.fragment`t.owner_id`,
    key: [[sql.fragment`t.id`, 'uuid']],
    row: sql.fragment`jsonb_build_object(
      'id', t.id, 'name', t.name, 'created_at', t.created_at, 'updated_at', t.updated_at,
      'items', coalesce((
        select jsonb_agg(${ITEM} order by m.sort_order, i.id)
        from collection_items m join media_items i on i.id = m.media_item_id where m.collection_id = t.id), '[]'))`,
    from: sql.fragment`from collections t`,
  },
  smart_playlists: {
    of: 'account',
    owner: sql.fragment`t.owner_id`,
    key: [[sql.fragment`t.id`, 'uuid']],
    row: sql.fragment`jsonb_build_object(
      'id', t.id, 'name', t.name, 'rules', t.rules, 'limit', t.item_limit, 'sort_by', t.sort_by,
      'is_descending', t.is_descending, 'created_at', t.created_at, 'updated_at', t.updated_at)`,
    from: sql.fragment`from smart_playlists t`,
  },
  shares: {
    of: 'account',
    owner: sql.fragment`t.user_id`,
    key: [[sql.fragment`t.id`, 'uuid']],
    row: sql.fragment`jsonb_build_object(
      'id', t.id, 'profile_id', t.profile_id, 'kind', t.kind, 'subject_id', case t.kind
        when 'item' then (select i.id from media_items i where i.id = t.subject_id)
        when 'album' then (select a.id from music_albums a where a.id = t.subject_id)
        when 'collection' then (select c.id from collections c where c.id = t.subject_id) end,
      'photo_day', (select t.photo_day where exists (select from photos p where p.local_date = t.photo_day)),
      'allows_download', t.allows_download, 'max_uses', t.max_uses, 'uses', t.uses, 'created_at', t.created_at,
      'expires_at', t.expires_at, 'revoked_at', t.revoked_at, 'last_used_at', t.last_used_at,
      'last_address', t.last_address)`,
    from: sql.fragment`from shares t`,
  },
  requests: {
    of: 'account',
    owner: sql.fragment`t.user_id`,
    key: [[sql.fragment`t.id`, 'uuid']],
    row: sql.fragment`jsonb_build_object(
      'id', t.id, 'type', t.type, 'tmdb_id', t.catalog_id, 'title', t.title, 'season_number', t.season_number,
      'episode_number', t.episode_number, 'status', t.status, 'rejection_reason', t.rejection_reason,
      'created_at', t.created_at, 'updated_at', t.updated_at)`,
    from: sql.fragment`from media_requests t`,
  },
  subtitles: {
    of: 'account',
    owner: sql.fragment`t.added_by`,
    key: [[sql.fragment`t.id`, 'uuid']],
    row: sql.fragment`jsonb_build_object(
      'item', ${ITEM}, 'provider', t.provider, 'language', t.language, 'title', t.title, 'created_at', t.created_at)`,
    from: sql.fragment`from downloaded_subtitles t join media_items i on i.id = t.media_item_id`,
  },
  scrobblers: {
    of: 'account',
    owner: sql.fragment`t.user_id`,
    key: [[sql.fragment`t.service`, 'text']],
    row: sql.fragment`jsonb_build_object(
      'service', t.service, 'service_username', t.service_username, 'created_at', d.created_at)`,
    from: sql.fragment`from scrobblers t join delivery_targets d on d.id = t.id`,
  },
  devices: {
    of: 'account',
    owner: sql.fragment`t.user_id`,
    key: [[sql.fragment`t.id`, 'uuid']],
    row: sql.fragment`jsonb_build_object(
      'id', t.id, 'name', t.device_name, 'type', t.device_type, 'device_id', t.device_id, 'address', t.address,
      'created_at', t.created_at, 'last_used_at', t.last_used_at, 'ended_at', t.revoked_at)`,
    from: sql.fragment`from refresh_families t`,
  },
  players: {
    of: 'profile',
    owner: sql.fragment`t.profile_id`,
    key: [[sql.fragment`t.id`, 'uuid']],
    row: sql.fragment`jsonb_build_object(
      'device_id', t.device_id, 'device_name', t.device_name, 'device_type', t.device_type, 'created_at', t.created_at,
      'updated_at', t.updated_at, 'ended_at', t.ended_at)`,
    from: sql.fragment`from playback_sessions t`,
  },
  sign_in_links: {
    of: 'account',
    owner: sql.fragment`t.user_id`,
    key: [[sql.fragment`t.provider`, 'text']],
    row: sql.fragment`jsonb_build_object(
      'provider', t.provider, 'subject', t.subject, 'created_at', t.created_at)`,
    from: sql.fragment`from account_sign_in_links t`,
  },
  passkeys: {
    of: 'account',
    owner: sql.fragment`t.user_id`,
    key: [[sql.fragment`encode(t.credential_id, 'hex')`, 'text']],
    row: sql.fragment`jsonb_build_object(
      'credential_id', encode(t.credential_id, 'base64'), 'device_type', t.device_type, 'aaguid', t.aaguid,
      'registered_at', t.registered_at, 'last_used_at', t.last_used_at)`,
    from: sql.fragment`from passkeys t`,
  },
  api_keys: {
    of: 'account',
    owner: sql.fragment`t.user_id`,
    key: [[sql.fragment`t.id`, 'uuid']],
    row: sql.fragment`jsonb_build_object(
      'id', t.id, 'name', t.name, 'hint', t.hint, 'scopes', t.scopes, 'created_at', t.created_at,
      'expires_at', t.expires_at, 'last_used_at', t.last_used_at, 'last_address', t.last_address)`,
    from: sql.fragment`from api_keys t`,
  },
  picture: {
    of: 'account',
    owner: sql.fragment`t.user_id`,
    key: [[sql.fragment`t.user_id`, 'uuid']],
    row: sql.fragment`jsonb_build_object(
      'content_type', 'image/jpeg', 'base64', translate(encode(t.bytes, 'base64'), E'\n', ''), 'created_at', t.created_at)`,
    from: sql.fragment`from user_avatars t`,
  },
}

/** Tables that refer to accounts and are not part of an export, with the reason. */
export const TABLES_NOT_EXPORTED: Readonly<Record<string, string>> = {
  download_askers: 'exists only while files are kept that were made for everybody',
  delivery_targets: 'read with the scrobblers; the others belong to administrators',
  hub_members: 'a person of the hub, whose data the hub has',
  known_devices: 'digests only',
  maintenance_jobs: 'belongs to administrators',
  oidc_sessions: 'ids and tokens of the sign-in provider',
  open_streams: 'exists only while something plays',
  rescue_accounts: 'a setting of the server',
  scan_jobs: 'belongs to administrators',
  watch_groups: 'exists only while people watch',
  webauthn_challenges: 'random numbers of some minutes',
}
