import { sql } from 'slonik'
import { z } from 'zod'
import { CountRow, type Connection } from '../../platform/database/index.ts'
import { assignNames, uneditedNames } from './unedited-names.ts'

const ClearableRow = z.strictObject({ id: z.string(), path: z.string().nullable(), airDate: z.string().nullable() })

/** An item with the fields that clearing needs; `airDate` comes from its metadata, whatever its source. */
export type ClearableItem = z.infer<typeof ClearableRow>

const clearableColumns = sql.fragment`
  id, path, case when type = 'episode' then metadata->>'air_date' end as air_date`

type LibraryRange = { libraryId: string; after: string | null }

export async function countClearable(connection: Connection, { libraryId, after }: LibraryRange): Promise<number> {
  const isAfter = after === null ? sql.fragment`true` : sql.fragment`id > ${after}`
  return connection.oneFirst(sql.type(CountRow)`
    select count(*) as count from media_items where library_id = ${libraryId} and ${isAfter}`)
}

/** All rows of a library, by id: data that clearing missed could not be found later. */
export async function selectClearable(
  connection: Connection,
  { libraryId, after, limit }: LibraryRange & { limit: number },
): Promise<ClearableItem[]> {
  const isAfter = after === null ? sql.fragment`true` : sql.fragment`id > ${after}`
  const rows = await connection.any(sql.type(ClearableRow)`
    select ${clearableColumns} from media_items
    where library_id = ${libraryId} and ${isAfter} order by id limit ${limit}`)
  return [...rows]
}

export async function selectClearableAmong(connection: Connection, ids: readonly string[]): Promise<ClearableItem[]> {
  const rows = await connection.any(sql.type(ClearableRow)`
    select ${clearableColumns} from media_items where id = any (${sql.array([...ids], 'uuid')})`)
  return [...rows]
}

/**
 * Removes the keys, and the name if a provider gave it. Rows without such data are not written.
 * @param input.items `keptAirDate`: the one in the file name
 */
export async function clearProviderFacts(
  connection: Connection,
  input: {
    items: readonly { id: string; keptAirDate: string | null }[]
    keys: readonly string[]
    keepsChosenPosters: boolean
    now: Date
  },
): Promise<void> {
  const { items, now } = input
  const keys = sql.fragment`${sql.array([...input.keys], 'text')}::text[]`
  const isRenamed = sql.fragment`(i.name_source = 'provider' and i.naming_before is not null)`
  await connection.query(sql.unsafe`
    update media_items i set updated_at = ${sql.timestamp(now)}, metadata_refreshed_at = null, naming_before = null,
      chosen_poster_url = ${input.keepsChosenPosters ? sql.fragment`i.chosen_poster_url` : sql.fragment`null`},
      metadata = (i.metadata - ${keys})
        || case when v.kept_air_date is null then '{}'::jsonb else jsonb_build_object('air_date', v.kept_air_date) end,
      ${assignNames(sql.fragment`(case when ${isRenamed} then i.naming_before else ${uneditedNames} end)`)},
      name_source = case when ${isRenamed} then 'file' else i.name_source end
    from ${sql.unnest(
      items.map(({ id, keptAirDate }) => [id, keptAirDate]),
      ['uuid', 'text'],
    )} as v (id, kept_air_date)
    where i.id = v.id and (i.metadata_refreshed_at is not null or i.naming_before is not null
      or i.chosen_poster_url is not null or i.metadata ?| ${keys})`)
}

/** Removes keys and the chosen poster only. Rows without them are not written. */
export async function clearMetadataKeys(
  connection: Connection,
  input: { ids: readonly string[]; keys: readonly string[]; now: Date },
): Promise<void> {
  const keys = sql.fragment`${sql.array([...input.keys], 'text')}::text[]`
  await connection.query(sql.unsafe`
    update media_items set metadata = metadata - ${keys}, chosen_poster_url = null, updated_at = ${sql.timestamp(input.now)}
    where id = any (${sql.array([...input.ids], 'uuid')}) and (chosen_poster_url is not null or metadata ?| ${keys})`)
}
