/**
 * Which folder of `src/core` writes which table. Other folders only read it. `npm run check` compares this with the sources, and
 * `npm run docs` writes docs/tables.md from it.
 */
export const TABLE_OWNERS: Readonly<Record<string, readonly string[]>> = {
  access_policies: ['access'],
  access_tags: ['access'],
  account_invites: ['accounts'],
  account_sign_in_links: ['accounts'],
  api_keys: ['api-keys'],
  audiobook_progress: ['audiobooks'],
  book_progress: ['books'],
  collection_exclusions: ['collections'],
  collection_items: ['collections'],
  collections: ['collections'],
  deliveries: ['outbox'],
  delivery_targets: ['outbox'],
  dismissed_box_sets: ['collections'],
  dismissed_recommendations: ['recommendations'],
  downloaded_subtitles: ['subtitles'],
  download_askers: ['downloads'],
  downloads: ['downloads'],
  edited_posters: ['artwork'],
  file_analyses: ['analysis'],
  hub_audit: ['hub'],
  hub_claims: ['hub'],
  hub_invites: ['hub'],
  hub_members: ['hub-link'],
  hub_servers: ['hub'],
  hub_sessions: ['hub'],
  hub_shares: ['hub'],
  hub_signing_keys: ['hub'],
  hub_tunnels: ['hub'],
  hub_users: ['hub'],
  item_extras: ['extras'],
  item_sidecars: ['catalogue'],
  known_devices: ['accounts'],
  libraries: ['libraries'],
  library_roots: ['libraries'],
  maintenance_jobs: ['maintenance'],
  // Facts of providers and sums of books are written by statements whose conditions need the rows of their own domain.
  media_items: ['catalogue', 'metadata', 'audiobooks'],
  media_markers: ['analysis'],
  media_requests: ['requests'],
  media_streams: ['catalogue'],
  metadata_misses: ['metadata'],
  music_albums: ['music'],
  music_artists: ['music'],
  music_covers: ['music'],
  music_tracks: ['music'],
  notification_channels: ['notifications'],
  oidc_codes: ['oidc'],
  oidc_logout_tokens: ['oidc'],
  oidc_requests: ['oidc'],
  oidc_sessions: ['oidc'],
  open_plays: ['playback'],
  passkeys: ['passkeys'],
  photos: ['photos'],
  playback_records: ['playback'],
  playback_sessions: ['playback'],
  playback_states: ['playback'],
  plugin_catalogue_pins: ['plugins'],
  plugin_catalogues: ['plugins'],
  plugin_events: ['plugins'],
  plugin_values: ['plugins'],
  plugins: ['plugins'],
  profiles: ['profiles'],
  provider_artwork: ['artwork'],
  provider_replies: ['metadata'],
  quick_connect_codes: ['quick-connect'],
  rate_limits: ['platform/rate-limits'],
  profile_schedules: ['playback-limits'],
  stream_limits: ['playback-limits'],
  open_streams: ['playback-limits'],
  refresh_families: ['accounts'],
  rescue_accounts: ['accounts'],
  refresh_tokens: ['accounts'],
  release_checks: ['maintenance'],
  scan_failures: ['scanning'],
  scan_folders: ['scanning'],
  scan_jobs: ['scanning'],
  scan_removals: ['scanning'],
  scrobblers: ['scrobbling'],
  season_analyses: ['analysis'],
  settings: ['platform/settings'],
  share_items: ['shares'],
  shares: ['shares'],
  setup_codes: ['accounts'],
  smart_playlists: ['smart-playlists'],
  storage_snapshots: ['statistics'],
  stream_indexes: ['streaming'],
  theme_media: ['theme-media'],
  transcode_jobs: ['streaming'],
  user_avatars: ['accounts'],
  user_items: ['user-items'],
  user_settings: ['preferences'],
  users: ['accounts'],
  watch_groups: ['watch-together'],
  webauthn_challenges: ['passkeys'],
  webhooks: ['webhooks'],
}

/** Tables that only triggers of the database write, with the folder whose writes they follow. */
export const TRIGGER_TABLES: Readonly<Record<string, string>> = {
  access_tallies: 'catalogue',
  item_tallies: 'catalogue',
  item_words: 'catalogue',
  play_days: 'playback',
  rating_ages: 'catalogue',
}

const WRITE = /\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate)\s+(?:only\s+)?(?<table>[a-z_]+)/g
const READ = /\b(?:from|join)\s+(?<table>[a-z_]+)/g

/** The tables that a source writes. Words that are not table names, as in comments, are ignored. */
export function writtenTables(text: string): string[] {
  return tablesIn(text, WRITE)
}

/** The tables that a source reads. */
export function readTables(text: string): string[] {
  return tablesIn(text, READ)
}

function tablesIn(text: string, pattern: RegExp): string[] {
  const names = [...text.matchAll(pattern)].map(({ groups }) => groups?.['table'] ?? '')
  return [...new Set(names)].filter((name) => Object.hasOwn(TABLE_OWNERS, name) || Object.hasOwn(TRIGGER_TABLES, name))
}

/** The violation of a write; undefined when the folder owns the table. */
export function checkTableWrite(folder: string | undefined, table: string): string | undefined {
  const owners = TABLE_OWNERS[table]
  if (owners === undefined) return `${table} is written by triggers only`
  return folder !== undefined && owners.includes(folder)
    ? undefined
    : `${table} is written by ${owners.join(', ')} only`
}

/** docs/tables.md */
export function tablesPage(
  sources: ReadonlyMap<string, string>,
  folderOf: (path: string) => string | undefined,
): string {
  const readers = new Map<string, Set<string>>()
  for (const [path, text] of sources) {
    const folder = folderOf(path)
    if (folder === undefined || !path.startsWith('src/core/')) continue
    for (const table of readTables(text)) readers.set(table, (readers.get(table) ?? new Set()).add(folder))
  }
  const owners = {
    ...TABLE_OWNERS,
    ...Object.fromEntries(Object.entries(TRIGGER_TABLES).map(([name, owner]) => [name, [`triggers of ${owner}`]])),
  }
  const rows = Object.keys(owners)
    .toSorted()
    .map((table) => {
      const writers = owners[table] ?? []
      const others = [...(readers.get(table) ?? [])].filter((folder) => !writers.includes(folder)).toSorted()
      return `| \`${table}\` | ${writers.join(', ')} | ${others.join(', ')} |`
    })
  return `# Tables and their owners

A table is written by the folder of \`src/core\` that owns it. Other folders read it. \`npm run check\` compares the sources with
\`scripts/table-owners.ts\`; \`npm run docs\` writes this page.

| table | written by | also read by |
| --- | --- | --- |
${rows.join('\n')}
`
}
