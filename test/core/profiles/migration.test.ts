import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import t from 'tap'
import { emptyDatabase } from '../../support/database.ts'

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'migrations')

void t.test('what an account has watched belongs to its main profile after the upgrade', async (t) => {
  const environment = await emptyDatabase(t)
  const client = new Client({
    host: environment['DB_HOST'],
    user: environment['DB_USER'],
    password: environment['DB_PASSWORD'],
    database: environment['DB_NAME'],
  })
  await client.connect()
  t.teardown(() => client.end())
  const files = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
  const index = files.indexOf('0074_profiles.sql')
  for (const name of files.slice(0, index)) await client.query(readFileSync(join(FOLDER, name), 'utf8'))
  const id = async (statement: string): Promise<string> =>
    String((await client.query<{ id: string }>(`${statement} returning id`)).rows[0]?.id)
  const user = await id(`insert into users (username, email, password_hash, created_at, updated_at)
    values ('ada', 'ada@example.org', '$argon2id$x', now(), now())`)
  const library = await id(
    `insert into libraries (name, type, created_at, updated_at) values ('a', 'movie', now(), now())`,
  )
  const item = await id(`insert into media_items (library_id, type, name, sort_title, added_at, created_at, updated_at)
    values ('${library}', 'movie', 'a', 'a', now(), now(), now())`)
  const session = await id(
    `insert into playback_sessions (user_id, created_at, updated_at) values ('${user}', now(), now())`,
  )
  const family =
    await id(`insert into refresh_families (user_id, device_name, device_type, authenticated_at, created_at, last_used_at)
    values ('${user}', '', '', now(), now(), now())`)
  await client.query(`
    insert into user_items (user_id, media_item_id, favourite_since, rating) values ('${user}', '${item}', now(), 8);
    insert into playback_states (session_id, user_id, media_item_id, status, position_ticks, started_at, updated_at)
      values ('${session}', '${user}', '${item}', 'paused', 70, now(), now());
    insert into playback_records (session_id, user_id, media_item_id, started_at, counted_at, reached_ticks)
      values ('${session}', '${user}', '${item}', now(), now(), 70);
    insert into open_plays (session_id, user_id, user_name, media_item_id, media_type, title, started_at, reported_at, is_playing, has_reached_end)
      values ('${session}', '${user}', 'ada', '${item}', 'movie', 'a', now(), now(), true, false);
    insert into book_progress (user_id, media_item_id, position_ms, current_page, total_pages, percent_complete, last_read_at)
      values ('${user}', '${item}', 0, 3, 9, 30, now());
    insert into audiobook_progress (user_id, media_item_id, position_ms, current_chapter_index, completed_chapters, percent_complete, last_played_at)
      values ('${user}', '${item}', 5, 0, '{}', 1, now());
    insert into dismissed_recommendations (user_id, media_item_id, dismissed_at) values ('${user}', '${item}', now());
    insert into user_settings (user_id, name, settings) values ('${user}', 'server', '{"theme":"dark"}');
    insert into quick_connect_codes (code, secret_digest, needs_secret, device_name, device_type, address, client_key, status, approved_by,
      poll_seconds, created_at, expires_at)
      values ('BCDFGHJK', sha256('x'), true, '', '', 'a', 'a', 'approved', '${family}', 5, now(), now() + interval '1 minute')`)
  const days = await client.query('select user_id as owner, play_count from play_days')
  for (const name of files.slice(index)) await client.query(readFileSync(join(FOLDER, name), 'utf8'))

  const profiles = await client.query('select id, account_id, name, is_main from profiles')
  t.strictSame(profiles.rows, [{ id: user, account_id: user, name: 'ada', is_main: true }])
  for (const table of [
    'user_items',
    'playback_sessions',
    'playback_states',
    'playback_records',
    'open_plays',
    'book_progress',
    'audiobook_progress',
    'dismissed_recommendations',
    'user_settings',
    'refresh_families',
    'quick_connect_codes',
  ]) {
    const { rows } = await client.query(`select profile_id from ${table}`)
    t.strictSame(rows, [{ profile_id: user }], table)
  }
  t.strictSame((await client.query('select profile_id as owner, play_count from play_days')).rows, days.rows)
  await client.query('delete from playback_records')
  t.strictSame((await client.query('select 1 from play_days')).rows, [], 'plays are counted as before')
  await client.query('delete from users')
  for (const table of ['profiles', 'user_items', 'playback_sessions', 'book_progress', 'user_settings'])
    t.strictSame((await client.query(`select 1 from ${table}`)).rows, [], table)
})
