import { getItem } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import type { Players } from './players.ts'

/** The players as accounts see them that see only some items: an item that is hidden from them is unknown in a command. */
export function limitPlayers(players: Players, db: Connection): Players {
  return {
    ...players,
    async command(playerId, ownerId, command) {
      if (command.mediaItemId !== undefined) await getItem({ db }, command.mediaItemId)
      await players.command(playerId, ownerId, command)
    },
  }
}
