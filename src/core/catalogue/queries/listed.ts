import { sql, type FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import { MEDIA_ITEM_TYPES, type ListedItem } from '../media-item.ts'

const Fact = z.unknown()

/** An item, and what changes with every write of its row. */
export type RowVersion = { id: string; version: string }

const version = sql.fragment`i.xmin::text`

const Versions = z.strictObject({ versions: z.array(z.tuple([z.string(), z.string()])) })

/**
 * The versions of some items, in one value, which is read faster than as many rows.
 * @param found what follows `from`, with the items as `i`
 */
export async function readVersions(
  connection: Connection,
  found: FragmentSqlToken,
  order?: FragmentSqlToken,
): Promise<RowVersion[]> {
  const inOrder = order === undefined ? sql.fragment`` : sql.fragment` order by ${order}`
  const versions = await connection.oneFirst(sql.type(Versions)`
    select coalesce(json_agg(json_build_array(i.id, ${version})${inOrder}), '[]') as versions from ${found}`)
  return versions.map(([id, version]) => ({ id, version }))
}

/** An item as pages of lists answer it. */
const ListedRow = z.strictObject({
  id: z.string(),
  version: z.string(),
  libraryId: z.string(),
  parentId: z.string().nullable(),
  type: z.enum(MEDIA_ITEM_TYPES),
  name: z.string(),
  sortTitle: z.string(),
  year: z.number().nullable(),
  seasonNumber: z.number().nullable(),
  episodeNumber: z.number().nullable(),
  episodeTitle: z.string().nullable(),
  path: z.string().nullable(),
  durationSeconds: z.number().nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
  genres: Fact,
  rating: Fact,
  overview: Fact,
  actors: Fact,
  director: Fact,
  airDate: Fact,
  artist: Fact,
  album: Fact,
})

const factOf = (key: string) =>
  sql.fragment`coalesce(i.local_metadata -> ${sql.literalValue(key)}, i.metadata -> ${sql.literalValue(key)})`

/**
 * Of the metadata only what lists show: a matched film's whole cast and crew are many times as much, and would be written, sent and
 * parsed for every row of every page.
 */
const listedColumns = sql.fragment`
  i.id, ${version} as version, i.library_id, i.parent_id, i.type, i.name, i.sort_title, i.year, i.season_number, i.episode_number, i.episode_title,
  i.path, i.duration_seconds, i.created_at, i.updated_at, ${factOf('genres')} as genres, ${factOf('rating')} as rating,
  ${factOf('overview')} as overview, ${factOf('actors')} as actors, ${factOf('director')} as director,
  ${factOf('air_date')} as air_date, ${factOf('artist')} as artist, ${factOf('album')} as album`

export async function selectListedById(
  connection: Connection,
  ids: readonly string[],
): Promise<{ version: string; item: ListedItem }[]> {
  const rows = await connection.any(sql.type(ListedRow)`
    select ${listedColumns} from media_items i where i.id = any (${sql.array([...ids], 'uuid')})`)
  return rows.map(({ version, ...row }) => ({ version, item: toListedItem(row) }))
}

/** A row as the domain knows it. */
function toListedItem(row: Omit<z.infer<typeof ListedRow>, 'version'>): ListedItem {
  const { genres, rating, overview, actors, director, airDate, artist, album, ...item } = row
  return { ...item, metadata: { genres, rating, overview, actors, director, air_date: airDate, artist, album } }
}

/** In no order; ids that no item has are left out. */
export async function selectVersions(connection: Connection, ids: readonly string[]): Promise<RowVersion[]> {
  return readVersions(connection, sql.fragment`media_items i where i.id = any (${sql.array([...ids], 'uuid')})`)
}
