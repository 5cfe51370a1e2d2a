import { sql } from 'slonik'
import { IdRow, type Connection } from '../../platform/database/index.ts'

/** Locks an item and its descendants, seasons and episodes, against deletion until the transaction ends. Returns their ids. */
export async function lockItemsBelow(connection: Connection, itemId: string): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(IdRow)`
    with children as materialized (select id from media_items where parent_id = ${itemId})
    select i.id from media_items i where i.id in (
      select ${itemId}::uuid union all select id from children
      union all select e.id from media_items e where e.parent_id in (select id from children))
    order by i.id for key share of i`)
}

/**
 * Stops the playback states of a profile for these items in every session, and resets their positions to 0. Their times stay, because
 * nothing was played.
 */
export async function stopPlaybackStates(
  connection: Connection,
  { profileId, mediaItemIds }: { profileId: string; mediaItemIds: readonly string[] },
): Promise<void> {
  await connection.query(sql.unsafe`
    update playback_states set status = 'stopped', position_ticks = 0 where (session_id, media_item_id) in (
      select session_id, media_item_id from playback_states
      where profile_id = ${profileId} and media_item_id = any (${sql.array([...mediaItemIds], 'uuid')}) and status <> 'stopped'
      order by session_id, media_item_id for update)`)
}
