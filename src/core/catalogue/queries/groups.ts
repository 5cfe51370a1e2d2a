import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import { storableJson, storableName, storableText } from '../storable.ts'
import { nameOf, type PlacedGroup } from '../write-groups.ts'

const GroupRow = z.strictObject({ id: z.string(), type: z.string(), key: z.string() })

/** Ids of the groups that exist, by type and key. */
export async function selectGroups(
  connection: Connection,
  { libraryId, groups }: { libraryId: string; groups: readonly PlacedGroup[] },
): Promise<Map<string, string>> {
  if (groups.length === 0) return new Map()
  const keys = groups.map(({ type, key }) => [type, storableText(key)])
  const rows = await connection.any(sql.type(GroupRow)`
    select i.id, i.type, i.group_key as key from media_items i
    join ${sql.unnest(keys, ['text', 'text'])} as wanted (type, key) on wanted.type = i.type and wanted.key = i.group_key
    where i.library_id = ${libraryId} and i.group_key is not null`)
  return idsByName(rows)
}

export async function insertGroups(
  connection: Connection,
  { libraryId, groups, now }: { libraryId: string; groups: readonly PlacedGroup[]; now: Date },
): Promise<Map<string, string>> {
  if (groups.length === 0) return new Map()
  const at = sql.timestamp(now)
  const rows = groups.map((group) => [
    group.type,
    storableText(group.key),
    storableName(group.name),
    storableName(group.sortTitle),
    group.year,
    group.seasonNumber ?? null,
    group.parentId,
    storableJson(group.metadata),
  ])
  const types = ['text', 'text', 'text', 'text', 'int4', 'int4', 'uuid', 'jsonb'] as const
  const inserted = await connection.any(sql.type(GroupRow)`
    insert into media_items as i (library_id, type, group_key, name, sort_title, year, season_number, parent_id, metadata,
      added_at, created_at, updated_at)
    select ${libraryId}::uuid, *, ${at}, ${at}, ${at} from ${sql.unnest(rows, [...types])}
    returning i.id, i.type, i.group_key as key`)
  return idsByName(inserted)
}

function idsByName(rows: readonly z.infer<typeof GroupRow>[]): Map<string, string> {
  return new Map(rows.map(({ id, type, key }) => [nameOf({ type: type as PlacedGroup['type'], key }), id]))
}
