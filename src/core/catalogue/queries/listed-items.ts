import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import type { ItemVersion, ListedItem } from '../item/media-item.ts'
import { itemFields, commonItemColumns } from './item-fields.ts'

const Fact = z.unknown()

/** A value that changes with every write of the row. */
export const rowVersion = sql.fragment`i.xmin::text`

/** The row of a listed item. */
const ListedRow = z.strictObject({
  ...itemFields,
  rowVersion: z.string(),
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
 * Only the metadata that lists show: the whole cast and crew of a matched film is many times as much, and would be written, sent and parsed
 * for every row of every page.
 */
const listedColumns = sql.fragment`
  ${commonItemColumns}, ${rowVersion} as row_version, ${factOf('genres')} as genres, ${factOf('rating')} as rating,
  ${factOf('overview')} as overview, ${factOf('actors')} as actors, ${factOf('director')} as director,
  ${factOf('air_date')} as air_date, ${factOf('artist')} as artist, ${factOf('album')} as album`

/** The rows are in no particular order; unknown ids are omitted. */
export async function selectListedById(
  connection: Connection,
  ids: readonly string[],
): Promise<ItemVersion<ListedItem>[]> {
  const rows = await connection.any(sql.type(ListedRow)`
    select ${listedColumns} from media_items i where i.id = any (${sql.array([...ids], 'uuid')})`)
  return rows.map(({ rowVersion, ...row }) => ({ rowVersion, item: toListedItem(row) }))
}

/** Converts a row to the type of the domain. */
function toListedItem(row: Omit<z.infer<typeof ListedRow>, 'rowVersion'>): ListedItem {
  const { genres, rating, overview, actors, director, airDate, artist, album, ...item } = row
  return { ...item, metadata: { genres, rating, overview, actors, director, air_date: airDate, artist, album } }
}

const Versions = z.strictObject({ versions: z.record(z.string(), z.string()) })

/** The row versions of items by id. Unknown ids are left out. A single aggregated value is read faster than one row per item. */
export async function selectRowVersions(
  connection: Connection,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const versions = await connection.oneFirst(sql.type(Versions)`
    select coalesce(json_object_agg(i.id, ${rowVersion}), '{}') as versions
    from media_items i where i.id = any (${sql.array([...ids], 'uuid')})`)
  return new Map(Object.entries(versions))
}
