import { RATED_TYPES } from '../explain-rule.ts'
import { limitsItems, type AccessPolicy, type AccessRule } from '../policy.ts'

/** A table of which a limited account sees some rows, or none. */
type Visible = {
  kind: 'visible'
  /**
   * The condition for a row `t`, as SQL. Names of tables above this one in the list refer to the rows that the account sees. All other names
   * refer to the whole tables. Undefined: this rule hides no row.
   */
  condition: (rule: AccessRule, policyId: number) => string | undefined
  /** The query of a view that is more than a condition. */
  query?: (rule: AccessRule) => string | undefined
  /** Columns of the system that statements read. */
  systemColumns?: readonly string[]
  /** The account cannot write rows that it could not see. */
  isChecked?: true
}

/** A table that a limited account reads as it is. */
type Whole = { kind: 'whole'; why: string }

type Table = Visible | Whole

const whole = (why: string): Whole => ({ kind: 'whole', why })

/** The item of the row is visible. */
const ofItem = (more: Partial<Visible> = {}, column = 'media_item_id'): Visible => ({
  kind: 'visible',
  condition: () => `exists (select from media_items i where i.id = t.${column})`,
  ...more,
})

/** The library of the row is visible. */
const ofLibrary = (column = 'library_id'): Visible => ({
  kind: 'visible',
  condition: (rule) => libraryCondition(rule, `t.${column}`),
})

/** No row: only administrators and background work read the table. */
const hidden: Visible = { kind: 'visible', condition: () => 'false' }

const ACCOUNTS = 'rows of accounts, sign-in and rights; they name no item'
const SERVER = 'state of the server; only administrators read it, and events of all accounts write it'

const RATED_TYPE_LIST = `(${RATED_TYPES.map((type) => `'${type}'`).join(', ')})`

function libraryCondition({ libraryIds }: AccessRule, column: string): string | undefined {
  return libraryIds === null ? undefined : `${column} = any ('{${libraryIds.map(checkedId).join()}}'::uuid[])`
}

/** The condition for items and for counts of items, which have the same columns. */
function itemCondition(rule: AccessRule): string | undefined {
  const { maxAge, allowsUnrated, blockedTags, allowedTags } = rule
  const conditions = [
    libraryCondition(rule, 't.library_id'),
    maxAge === null ? undefined : `(t.access_age is null or t.access_age <= ${checkedAge(maxAge)})`,
    maxAge === null || allowsUnrated ? undefined : `(not t.is_unrated or t.type not in ${RATED_TYPE_LIST})`,
    blockedTags.length === 0 ? undefined : `(t.access_tags is null or not t.access_tags && ${textArray(blockedTags)})`,
    ...allowedTags.filter((list) => list.length > 0).map((list) => `t.access_top_tags && ${textArray(list)}`),
  ].filter((condition) => condition !== undefined)
  return conditions.length === 0 ? undefined : conditions.join(' and ')
}

/** Checks an id, because ids become parts of the statement. */
function checkedId(id: string): string {
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw new RangeError(`not the id of a library: ${id}`)
  return id
}

function checkedAge(age: number): number {
  if (!Number.isInteger(age)) throw new RangeError(`not an age: ${age}`)
  return age
}

/** Writes texts into a statement as the codes of their characters, so that no quotation mark in them can end a string or a block. */
function textArray(texts: readonly string[]): string {
  const literals = texts.map((text) => {
    const codes = Array.from(text, (character) => (character.codePointAt(0) ?? 0).toString(16).padStart(6, '0'))
    return `U&'${codes.map((code) => `\\+${code}`).join('')}'`
  })
  return `array[${literals.join()}]::text[]`
}

/**
 * Every table of the database: what a limited account sees of it, or why it sees the whole table. The views are made in this order. A test fails
 * if a migration adds a table that is missing here.
 */
export const TABLES: Readonly<Record<string, Table>> = {
  libraries: ofLibrary('id'),
  library_roots: ofLibrary(),
  // Its columns are followed by the version of the row, which caches compare.
  media_items: { kind: 'visible', condition: itemCondition, systemColumns: ['xmin'] },
  item_tallies: {
    kind: 'visible',
    condition: itemCondition,
    // Rows of kind `change` are visible to all accounts, because caches are compared by them; no reply contains them. The ids are negated, so
    // that the ids of the two tables stay distinct.
    query: (rule) =>
      limitsItems(rule)
        ? `select id, library_id, type, is_top_level, kind, label, count from item_tallies t where t.kind = 'change'
           union all select -id, library_id, type, is_top_level, kind, label, count from access_tallies t where ${itemCondition(rule) ?? 'true'}`
        : `select * from item_tallies t where t.kind = 'change' or ${itemCondition(rule) ?? 'true'}`,
  },
  access_tallies: hidden,

  media_streams: ofItem(),
  item_sidecars: ofItem(),
  item_extras: ofItem(),
  downloaded_subtitles: ofItem(),
  edited_posters: ofItem(),
  stream_indexes: ofItem(),
  transcode_jobs: ofItem(),
  downloads: ofItem({ isChecked: true }),
  file_analyses: ofItem(),
  media_markers: ofItem(),
  season_analyses: ofItem({}, 'season_id'),
  metadata_misses: ofItem(),
  photos: {
    kind: 'visible',
    condition: (rule) =>
      limitsItems(rule)
        ? 'exists (select from media_items i where i.id = t.media_item_id)'
        : libraryCondition(rule, 't.library_id'),
  },
  // A limit by age or tags hides all theme media, because they have no rating and no tags.
  theme_media: {
    kind: 'visible',
    condition: (rule) => (limitsItems(rule) ? 'false' : libraryCondition(rule, 't.library_id')),
  },

  music_tracks: ofItem(),
  music_artists: {
    kind: 'visible',
    condition: (rule) =>
      limitsItems(rule)
        ? `exists (select from media_items i join music_tracks m on m.media_item_id = i.id where m.artist_id = t.id)`
        : libraryCondition(rule, 't.library_id'),
  },
  music_albums: {
    kind: 'visible',
    condition: (rule) =>
      limitsItems(rule)
        ? `exists (select from media_items i join music_tracks m on m.media_item_id = i.id where m.album_id = t.id)`
        : 'exists (select from music_artists a where a.id = t.artist_id)',
  },
  music_covers: ofLibrary(),
  provider_artwork: {
    kind: 'visible',
    condition: () =>
      `case when t.media_item_id is not null then exists (select from media_items i where i.id = t.media_item_id)
         when t.album_id is not null then exists (select from music_albums a where a.id = t.album_id)
         else exists (select from music_artists a where a.id = t.artist_id) end`,
  },

  // Rules and names may reveal hidden titles. Under a limit by age or tags, only the lists of accounts with the same policy are visible.
  smart_playlists: {
    kind: 'visible',
    condition: (rule, policyId) =>
      limitsItems(rule)
        ? `${libraryCondition(rule, 't.library_id') ?? 'true'}
           and exists (select from users u where u.id = t.owner_id and u.policy_id = ${policyId})`
        : libraryCondition(rule, 't.library_id'),
  },
  collections: {
    kind: 'visible',
    // The name of a collection reveals its content, so an item in it, or in a collection below it, must be visible. A collection without items,
    // collections and rules reveals nothing.
    condition: (rule) =>
      [
        libraryCondition(rule, 't.library_id') ?? 'true',
        `exists (
          with recursive below (id, playlist_id) as (
            select t.id, t.smart_playlist_id
            union select c.id, c.smart_playlist_id from collections c join below b on c.parent_id = b.id)
          select from below b
          where exists (select from collection_items m join media_items i on i.id = m.media_item_id where m.collection_id = b.id)
            or (not exists (select from collection_items m where m.collection_id = b.id)
              and not exists (select from collections c where c.parent_id = b.id)
              and (b.playlist_id is null or exists (select from smart_playlists p where p.id = b.playlist_id))))`,
      ].join(' and '),
  },
  collection_items: ofItem({ isChecked: true }),
  collection_exclusions: ofItem({ isChecked: true }),
  share_items: ofItem({ isChecked: true }),
  dismissed_box_sets: ofLibrary(),

  user_items: ofItem({ isChecked: true }),
  dismissed_recommendations: ofItem({ isChecked: true }),
  playback_states: ofItem({ isChecked: true }),
  playback_records: ofItem({ isChecked: true }),
  audiobook_progress: ofItem({ isChecked: true, systemColumns: ['xmin'] }),
  book_progress: ofItem({ isChecked: true }),
  play_days: ofItem(),

  // The arrival of a title is not shown, because the title may be hidden. Accounts that may see it find it in the catalogue.
  media_requests: {
    kind: 'visible',
    condition: () => undefined,
    query: () => `
      select id, user_id, type, catalog_id, title, poster_url, season_number, episode_number,
        case t.status when 'available' then 'approved' else t.status end as status,
        rejection_reason, created_at, updated_at, tvdb_id, null::timestamptz as arrived_at
      from media_requests t`,
  },

  scan_folders: hidden,
  scan_jobs: hidden,
  scan_failures: hidden,
  scan_removals: hidden,
  storage_snapshots: hidden,

  playback_sessions: whole('the sessions of accounts; what they played is read with the item'),
  open_plays: whole(
    'the current play of each session, which a report ends also if its item is hidden since; nothing lists it',
  ),
  item_words: whole('words of titles that only narrow a search down; a search answers items'),
  watch_groups: whole('watch groups; the registry compares the items of a group with each member'),
  rating_ages: whole('the words of the boards'),
  access_policies: whole('the rules themselves'),
  access_tags: hidden,
  open_streams: hidden,
  provider_replies: whole('replies of metadata providers by address; only matching reads them'),

  account_invites: whole(ACCOUNTS),
  account_sign_in_links: whole(ACCOUNTS),
  api_keys: whole(ACCOUNTS),
  known_devices: whole(ACCOUNTS),
  oidc_codes: whole(ACCOUNTS),
  oidc_logout_tokens: whole(ACCOUNTS),
  oidc_requests: whole(ACCOUNTS),
  oidc_sessions: whole(ACCOUNTS),
  passkeys: whole(ACCOUNTS),
  profiles: whole(ACCOUNTS),
  profile_schedules: whole(ACCOUNTS),
  quick_connect_codes: whole(ACCOUNTS),
  rate_limits: whole(ACCOUNTS),
  refresh_families: whole(ACCOUNTS),
  refresh_tokens: whole(ACCOUNTS),
  rescue_accounts: whole(ACCOUNTS),
  scrobblers: whole('the services that accounts report their own plays to'),
  setup_codes: whole(ACCOUNTS),
  stream_limits: whole(ACCOUNTS),
  shares: whole('links of accounts; their titles are read with the items'),
  download_askers: whole('accounts that wait for downloads, whose items are read with them'),
  user_avatars: whole(ACCOUNTS),
  user_settings: whole(ACCOUNTS),
  users: whole(ACCOUNTS),
  webauthn_challenges: whole(ACCOUNTS),

  deliveries: whole(SERVER),
  delivery_targets: whole(SERVER),
  hub_members: whole(SERVER),
  maintenance_jobs: whole(SERVER),
  notification_channels: whole(SERVER),
  plugin_catalogue_pins: whole(SERVER),
  plugin_catalogues: whole(SERVER),
  plugin_events: whole(SERVER),
  plugin_values: whole(SERVER),
  plugins: whole(SERVER),
  release_checks: whole(SERVER),
  schema_migrations: whole(SERVER),
  settings: whole(SERVER),
  webhooks: whole(SERVER),
}

/**
 * The statement that puts the views of a policy in front of the tables, for one connection: all of them or, if it fails, none (PostgreSQL
 * manual, 5.10.3 The Schema Search Path).
 */
export function viewsStatement(policy: AccessPolicy): string {
  const views = Object.entries(TABLES).flatMap(([name, table]) =>
    table.kind === 'whole' ? [] : viewOf(name, table, policy),
  )
  return `do $views$ begin\n${views.map((view) => `${view};\n`).join('')}end $views$`
}

function viewOf(
  name: string,
  { condition, query, systemColumns = [], isChecked }: Visible,
  { id, rule }: AccessPolicy,
): string[] {
  const wanted = condition(rule, id)
  const text =
    query?.(rule) ??
    (wanted === undefined && systemColumns.length === 0
      ? undefined
      : `select ${['*', ...systemColumns].join(', ')} from ${name} t where ${wanted ?? 'true'}`)
  if (text === undefined) return []
  return [`create temporary view ${name} as ${text}${isChecked === true ? ' with check option' : ''}`]
}
