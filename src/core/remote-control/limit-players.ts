import { seenItemIds } from '../access/index.ts'
import { getItem } from '../catalogue/index.ts'
import { isRowId, type Connection } from '../platform/database/index.ts'
import type { Player } from './player.ts'
import type { Players } from './players.ts'

/**
 * The players as accounts see them that see only some items: an item that is hidden from them is unknown in a command, and a player that has begun
 * with it before shows none.
 */
export function playersVisibleTo(players: Players, db: Connection): Players {
  return {
    ...players,
    async list(profileId) {
      const listed = await players.list(profileId)
      // Clients write anything as an id.
      const playing = listed.flatMap(({ state }) =>
        isRowId(state?.mediaItemId) ? [state.mediaItemId.toLowerCase()] : [],
      )
      const seen = await seenItemIds(db, playing)
      return listed.map((player) =>
        player.state === null || seen.has((player.state.mediaItemId ?? '').toLowerCase())
          ? player
          : withoutItem(player),
      )
    },
    async command(playerId, ownerId, command) {
      if (command.mediaItemId !== undefined) await getItem({ db }, command.mediaItemId)
      await players.command(playerId, ownerId, command)
    },
  }
}

const withoutItem = (player: Player): Player => ({
  ...player,
  state: player.state === null ? null : { ...player.state, mediaItemId: null },
})
