import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import { postgresSafeJson, postgresSafeName, postgresSafeSortTitle, postgresSafeText } from '../item/postgres-safe.ts'
import type { GroupFacts, GroupWithParent } from '../item/group-write.ts'
import { groupIdentity } from '../item/group-identity.ts'

const GroupRow = z.strictObject({ id: z.string(), type: z.string(), key: z.string() })

/** Ids of the groups that exist, by type and key. */
export async function selectGroupIds(
  connection: Connection,
  { libraryId, groups }: { libraryId: string; groups: readonly Pick<GroupWithParent, 'type' | 'key'>[] },
): Promise<Map<string, string>> {
  if (groups.length === 0) return new Map()
  const keys = groups.map(({ type, key }) => [type, postgresSafeText(key)])
  const rows = await connection.any(sql.type(GroupRow)`
    select i.id, i.type, i.group_key as key from media_items i
    join ${sql.unnest(keys, ['text', 'text'])} as wanted (type, key) on wanted.type = i.type and wanted.key = i.group_key
    where i.library_id = ${libraryId} and i.group_key is not null`)
  return idsByName(rows)
}

const namedTypes = ['text', 'text', 'text', 'text', 'int4'] as const

function namedValues({ type, key, name, sortTitle, year }: GroupFacts | GroupWithParent) {
  return [type, postgresSafeText(key), postgresSafeName(name), postgresSafeSortTitle(sortTitle), year]
}

export async function insertGroups(
  connection: Connection,
  { libraryId, groups, now }: { libraryId: string; groups: readonly GroupWithParent[]; now: Date },
): Promise<Map<string, string>> {
  if (groups.length === 0) return new Map()
  const at = sql.timestamp(now)
  const rows = groups.map((group) => [
    ...namedValues(group),
    group.seasonNumber ?? null,
    group.parentId,
    postgresSafeJson(group.metadata),
  ])
  const types = [...namedTypes, 'int4', 'uuid', 'jsonb'] as const
  const inserted = await connection.any(sql.type(GroupRow)`
    insert into media_items as i (library_id, type, group_key, name, sort_title, year, season_number, parent_id, metadata,
      added_at, created_at, updated_at)
    select ${libraryId}::uuid, *, ${at}, ${at}, ${at} from ${sql.unnest(rows, [...types])}
    returning i.id, i.type, i.group_key as key`)
  return idsByName(inserted)
}

/** Writes what folders say about groups that exist. Unchanged rows are not written. */
export async function updateGroups(
  connection: Connection,
  { libraryId, groups, now }: { libraryId: string; groups: readonly GroupFacts[]; now: Date },
): Promise<void> {
  const rows = groups.map((group) => [
    ...namedValues(group),
    group.nameSource,
    postgresSafeJson(group.localMetadata),
    group.isFromFile,
  ])
  const types = [...namedTypes, 'text', 'jsonb', 'bool'] as const
  await connection.query(sql.unsafe`
    update media_items i set updated_at = ${sql.timestamp(now)}, local_metadata = v.local_metadata,
      name = case when v.is_named then v.name else i.name end,
      sort_title = case when v.is_named then v.sort_title else i.sort_title end,
      year = case when v.is_named then v.year else i.year end,
      name_source = case when v.is_named then v.name_source else i.name_source end
    from (
      select t.*, g.id, t.name_source = 'local' or g.name_source <> 'provider' as is_named
      from ${sql.unnest(rows, [...types])}
        as t (type, key, name, sort_title, year, name_source, local_metadata, is_told)
      join media_items g on g.library_id = ${libraryId} and g.type = t.type and g.group_key = t.key
    ) v
    where i.id = v.id
      and (i.local_metadata is distinct from v.local_metadata or v.is_named
        and (i.name, i.sort_title, i.year, i.name_source) is distinct from (v.name, v.sort_title, v.year, v.name_source))
      and (v.is_told or not exists (select 1 from item_sidecars s where s.media_item_id = v.id and s.kind = 'nfo'))`)
}

function idsByName(rows: readonly z.infer<typeof GroupRow>[]): Map<string, string> {
  return new Map(rows.map(({ id, type, key }) => [groupIdentity({ type: type as GroupWithParent['type'], key }), id]))
}
