import { sql } from 'slonik'
import { IdRow, type Connection } from '../../platform/database/index.ts'

/** Stores the poster that a person has chosen for an item. */
export async function setChosenPoster(
  connection: Connection,
  { itemId, url }: { itemId: string; url: string },
): Promise<void> {
  await connection.query(sql.unsafe`
    update media_items set chosen_poster_url = ${url} where id = ${itemId} and chosen_poster_url is distinct from ${url}::text`)
}

/** The items among these whose poster was chosen by a person. */
export async function selectWithChosenPoster(
  connection: Connection,
  itemIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const ids = await connection.anyFirst(sql.type(IdRow)`
    select id from media_items where id = any (${sql.array([...itemIds], 'uuid')}) and chosen_poster_url is not null`)
  return new Set(ids)
}
