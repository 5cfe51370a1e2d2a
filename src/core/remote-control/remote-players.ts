import { randomUUID } from 'node:crypto'
import { withTimeLimit } from '../platform/concurrency/index.ts'
import { playerErrors } from './errors.ts'
import type { PlayerLink } from './player-link.ts'
import type { PlayerMessage } from './player-messages.ts'
import type { Player, PlayerCommand } from './player.ts'

/** A process that was killed moments ago may still count as a listener. */
const LIST_MILLISECONDS = 1500

/** Longer than the time that a player has for its reply. */
const COMMAND_MILLISECONDS = 7000

/** Lists and controls the players of the other processes on the database. */
export type RemotePlayers = {
  /** The players of a profile in other processes; of all profiles if it is null. */
  list(profileId: string | null): Promise<Player[]>
  /** @throws AppError `player_not_found`, `player_silent`, `command_refused` */
  command(request: { profileId: string | null; playerId: string; command: PlayerCommand }): Promise<void>
  receive(message: PlayerMessage): void
}

type Pending = { left: number; players: Player[]; finish: (result: string) => void }

export function createRemotePlayers(link: () => PlayerLink): RemotePlayers {
  const open = new Map<string, Pending>()

  /**
   * Sends a request and waits until all processes have replied, or one has executed the command. @returns the result, and all players of
   * the replies
   */
  async function broadcast(
    make: (common: { id: string; from: string }) => PlayerMessage,
    { milliseconds, atTimeout }: { milliseconds: number; atTimeout: string },
  ): Promise<{ result: string; players: Player[] }> {
    const left = await link().countOthers()
    if (left <= 0) return { result: NOT_FOUND, players: [] }
    const id = randomUUID()
    const { promise, resolve } = Promise.withResolvers<string>()
    const pending: Pending = { left, players: [], finish: resolve }
    open.set(id, pending)
    try {
      await link().send(make({ id, from: link().processId }))
      const result = await withTimeLimit(promise, { milliseconds, onTimeout: () => atTimeout })
      return { result, players: pending.players }
    } finally {
      open.delete(id)
    }
  }

  return {
    async list(profileId) {
      const limits = { milliseconds: LIST_MILLISECONDS, atTimeout: COMMAND_DONE }
      const { players } = await broadcast((common) => ({ kind: 'list', ...common, profileId }), limits)
      return players
    },
    async command(request) {
      const limits = { milliseconds: COMMAND_MILLISECONDS, atTimeout: NOT_FOUND }
      const { result } = await broadcast((common) => ({ kind: 'command', ...common, ...request }), limits)
      if (result !== COMMAND_DONE) throw playerErrorOf(result)
    },
    receive(message) {
      const pending = open.get(message.id)
      if (pending === undefined) return
      if (message.kind === 'players') pending.players.push(...message.players)
      pending.left -= 1
      if (message.kind === 'result' && message.result !== NOT_FOUND) pending.finish(message.result)
      else if (pending.left <= 0) pending.finish(NOT_FOUND)
    },
  }
}

/** The result of an executed command. */
export const COMMAND_DONE = 'done'

const NOT_FOUND = playerErrors.player_not_found.definition.code

function playerErrorOf(code: string) {
  const factory = Object.values(playerErrors).find(({ definition }) => definition.code === code)
  return (factory ?? playerErrors.player_silent)()
}
