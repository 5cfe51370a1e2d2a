import { sql, type FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import type { Page } from '../../catalogue/index.ts'
import { CountRow, type Connection } from '../../platform/database/index.ts'
import type { Artist } from '../artist.ts'
import { containsWords } from './words.ts'

const ArtistRow = z.strictObject({
  name: z.string(),
  albumCount: z.number(),
  trackCount: z.number(),
  albums: z.array(z.string()),
  pictureIds: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()),
})

/** The number of distinct names: an artist may be in several libraries. */
export async function countArtists(connection: Connection): Promise<number> {
  return connection.oneFirst(sql.type(CountRow)`
    select count(*) from (select from music_artists group by name_key) as names`)
}

/** The first row of each name represents all of them. The totals are counted only for the artists of the page. */
export async function selectArtists(
  connection: Connection,
  { limit, offset, albums }: Page & { albums: number },
): Promise<Artist[]> {
  const page = sql.fragment`
    select r.name, r.name_key, r.sort_key, r.id from music_artists r
    where not exists (select from music_artists o where o.name_key = r.name_key and o.id < r.id)
    order by r.sort_key, r.id limit ${limit} offset ${offset}`
  return [...(await connection.any(artistsOf(page, albums)))]
}

/** The names that contain all words; those that begin with the first word are preferred. Reads all names. */
export async function searchArtistRows(
  connection: Connection,
  { words, limit }: { words: readonly string[]; limit: number },
): Promise<Artist[]> {
  const page = sql.fragment`
    select r.name, r.name_key, r.sort_key, r.id from music_artists r
    where not exists (select from music_artists o where o.name_key = r.name_key and o.id < r.id)
      and ${containsWords(sql.fragment`r.name_key`, words)}
    order by starts_with(r.name_key, case_fold(${words[0] ?? ''})) desc, r.sort_key, r.id limit ${limit}`
  return [...(await connection.any(artistsOf(page, ALBUMS_WITH_PICTURES)))]
}

export async function selectArtistNamed(
  connection: Connection,
  { name, albums }: { name: string; albums: number },
): Promise<Artist | undefined> {
  const page = sql.fragment`
    select r.name, r.name_key, r.sort_key, r.id from music_artists r
    where r.name_key = case_fold(${name}) collate "C" order by r.id limit 1`
  return (await connection.maybeOne(artistsOf(page, albums))) ?? undefined
}

/** Most albums have a picture, so a search in more albums rarely finds one. */
const ALBUMS_WITH_PICTURES = 3

function artistsOf(page: FragmentSqlToken, albums: number) {
  return sql.type(ArtistRow)`
    select page.name, (select count(*) from ${ofPage}) as album_count,
      (select count(*) from music_artists r join music_tracks t on t.artist_id = r.id where r.name_key = page.name_key) as track_count,
      coalesce(first.titles, '{}') as albums,
      coalesce((select r.metadata from music_artists r where r.name_key = page.name_key and r.metadata <> '{}' order by r.id limit 1), '{}') as metadata,
      array(select r.id from music_artists r where r.name_key = page.name_key order by r.id) || coalesce(first.ids, '{}') as picture_ids
    from (${page}) page
    cross join lateral (
      select array_agg(a.title order by a.sort_key, a.id) as titles,
        (array_agg(a.id order by a.sort_key, a.id))[:${ALBUMS_WITH_PICTURES}] as ids
      from (select a.* from ${ofPage} order by a.sort_key, a.id limit ${albums}) a
    ) first
    order by page.sort_key, page.id`
}

const ofPage = sql.fragment`
  (select a.* from music_artists r join music_albums a on a.artist_id = r.id where r.name_key = page.name_key) a`
