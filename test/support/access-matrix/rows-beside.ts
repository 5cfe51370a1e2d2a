import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'slonik'
import type { Database } from '../../../src/core/platform/database/index.ts'
import type { Planted } from '../access-canaries.ts'

type Beside = { planted: Planted; word: string; profileId: string }

/** Plants a row of a hidden item, or of its library, in every table that `plant` and `plantHistory` leave empty. */
export async function plantRowsBeside(db: Database, { planted, word, profileId }: Beside): Promise<void> {
  const { itemId, libraryId, albumId, artistId, collectionId } = planted
  const hash = sql.binary(randomBytes(32))
  const [shareId, jobId] = [randomUUID(), randomUUID()]
  const statements = [
    sql.unsafe`insert into item_extras (media_item_id, extras, listed_at) values (${itemId}, ${sql.jsonb([{ title: word }])}, now())`,
    sql.unsafe`
      insert into downloaded_subtitles (media_item_id, provider, download_id, language, format, title, is_hearing_impaired, text, created_at, added_by)
      values (${itemId}, 'plugin', '1', 'en', 'srt', ${word}, false, 'text', now(), ${profileId})`,
    sql.unsafe`insert into edited_posters (media_item_id, bytes, created_at) values (${itemId}, 'x', now())`,
    sql.unsafe`
      insert into stream_indexes (media_item_id, size_bytes, modified_ns, stream_index, first_microseconds, end_microseconds, frame_count, has_constant_rate,
        key_frames, key_frame_bytes) values (${itemId}, 1, 1, 0, 0, 1, 1, true, '', '')`,
    sql.unsafe`
      insert into downloads (media_item_id, quality, status, percent, source_stamp, created_at, used_at)
      values (${itemId}, '720p', 'waiting', 0, 'stamp', now(), now())`,
    sql.unsafe`
      insert into file_analyses (media_item_id, feature, size_bytes, modified_ns, outcome, analysed_at) values (${itemId}, 'trickplay', 1, 1, 'done', now())`,
    sql.unsafe`
      insert into media_markers (media_item_id, type, start_ms, end_ms, source, confidence, created_at)
      values (${itemId}, 'intro', 0, 1000, 'manual', 1, now())`,
    sql.unsafe`insert into season_analyses (season_id, input_hash, analysed_at) values (${itemId}, ${hash}, now())`,
    sql.unsafe`insert into metadata_misses (media_item_id, question_hash, providers, asked_at) values (${itemId}, ${hash}, 'tmdb', now())`,
    sql.unsafe`
      insert into scan_folders (library_id, path_hash, path, listing_hash, file_count) values (${libraryId}, ${hash}, ${`/srv/${word}`}, ${hash}, 1)`,
    sql.unsafe`
      insert into music_covers (library_id, folder_hash, path, size_bytes, modified_ns) values (${libraryId}, ${hash}, ${`/srv/${word}/cover.jpg`}, 1, 1)`,
    sql.unsafe`insert into provider_artwork (media_item_id, kind, url) values (${itemId}, 'poster', ${`https://x/${word}/1`})`,
    sql.unsafe`insert into provider_artwork (album_id, kind, url) values (${albumId}, 'cover', ${`https://x/${word}/2`})`,
    sql.unsafe`insert into provider_artwork (artist_id, kind, url) values (${artistId}, 'profile', ${`https://x/${word}/3`})`,
    sql.unsafe`insert into collection_exclusions (collection_id, media_item_id) values (${collectionId}, ${itemId})`,
    sql.unsafe`insert into dismissed_box_sets (library_id, box_set_id) values (${libraryId}, ${word})`,
    sql.unsafe`
      insert into shares (id, user_id, profile_id, kind, subject_id, digest, allows_download, created_at, expires_at)
      values (${shareId}, ${profileId}, ${profileId}, 'item', ${itemId}, ${sql.binary(randomBytes(32))}, false, now(), now() + interval '1 day')`,
    sql.unsafe`insert into share_items (share_id, media_item_id, position) values (${shareId}, ${itemId}, 0)`,
    sql.unsafe`insert into dismissed_recommendations (profile_id, media_item_id, dismissed_at) values (${profileId}, ${itemId}, now())`,
    sql.unsafe`
      insert into audiobook_progress (profile_id, media_item_id, position_ms, current_chapter_index, completed_chapters, percent_complete, last_played_at)
      values (${profileId}, ${itemId}, 1, 0, '{}', 1, now())`,
    sql.unsafe`
      insert into book_progress (profile_id, media_item_id, position_ms, current_page, total_pages, percent_complete, last_read_at)
      values (${profileId}, ${itemId}, 1, 1, 2, 50, now())`,
    sql.unsafe`
      insert into scan_jobs (id, library_id, type, status, queued_at, started_at, completed_at) values (${jobId}, ${libraryId}, 'scan', 'completed', now(), now(), now())`,
    sql.unsafe`
      insert into scan_failures (scan_job_id, path_hash, path, code, reason, occurred_at) values (${jobId}, ${hash}, ${`/srv/${word}/x`}, 'x', 'x', now())`,
    sql.unsafe`insert into scan_removals (scan_job_id, media_item_id, title) values (${jobId}, ${itemId}, ${word})`,
    sql.unsafe`
      insert into storage_snapshots (library_id, day, recorded_at, media_type, item_count, total_bytes, transcode_cache_bytes)
      values (${libraryId}, current_date, now(), 'movie', 1, 1, 1) on conflict do nothing`,
    sql.unsafe`insert into access_tags (tag, is_written) values (${`${word} tag`}, true) on conflict do nothing`,
    sql.unsafe`
      insert into open_streams (device, media_item_id, account_id, profile_id, seen_at) values (${word}, ${itemId}, ${profileId}, ${profileId}, now())`,
    sql.unsafe`
      insert into media_requests (user_id, type, catalog_id, title, status, created_at, updated_at, arrived_at)
      values (${profileId}, 'movie', 1, 'A title', 'available', now(), now(), now())`,
  ]
  for (const statement of statements) await db.query(statement)
}
