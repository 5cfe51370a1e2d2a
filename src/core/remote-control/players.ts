import { getItem } from '../catalogue/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { AppError, describeError } from '../platform/errors/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import { createRemotePlayers, COMMAND_DONE } from './remote-players.ts'
import { playerErrors } from './errors.ts'
import { createPlayerLink } from './player-link.ts'
import type { PlayerMessage } from './player-messages.ts'
import type { Player, PlayerCommand, PlayerState } from './player.ts'

/** The players of all processes of this database. Those of this process are known by their connections. */
export type Players = {
  /**
   * Makes a connection a player.
   * @param send gives a command to it. It resolves when the player has done it. @throws AppError `player_silent`, `command_refused`
   */
  add(player: Omit<Player, 'state'>, send: (command: PlayerCommand) => Promise<void>): void
  update(playerId: string, state: PlayerState): void
  remove(playerId: string): void
  /** A player of this process. */
  find(playerId: string): Player | undefined
  /** the players of a profile in all processes; of all profiles without one. */
  list(profileId: string | null): Promise<Player[]>
  /** @throws AppError `media_item_not_found`, `player_not_found`, `player_silent`, `command_refused`, `database_unavailable` */
  command(playerId: string, profileId: string | null, command: PlayerCommand): Promise<void>
  size(): number
  close(): Promise<void>
}

/** Nothing is opened before the first player, or the first request. */
export function createPlayers(services: { db: Connection; connectionUri: string; log: Logger }): Players {
  const log = services.log.child({ domain: 'remote-control' })
  const entries = new Map<string, { player: Player; send: (command: PlayerCommand) => Promise<void> }>()
  const link = createPlayerLink({ ...services, log }, (message) => void receive(message))
  const questions = createRemotePlayers(() => link)

  const listHere = (profileId: string | null): Player[] =>
    [...entries.values()]
      .map(({ player }) => player)
      .filter((player) => profileId === null || player.profileId === profileId)

  /** A player of this process, if the profile may control it. */
  function entryOf(playerId: string, profileId: string | null) {
    const entry = entries.get(playerId)
    return entry !== undefined && (profileId === null || entry.player.profileId === profileId) ? entry : undefined
  }

  async function receive(message: PlayerMessage): Promise<void> {
    try {
      const reply = await answerTo(message)
      if (reply !== undefined) await link.send(reply)
    } catch (error) {
      log.warning({ reason: describeError(error) }, 'a question about players was not answered')
    }
  }

  async function answerTo(message: PlayerMessage): Promise<PlayerMessage | undefined> {
    const common = { id: message.id, from: link.processId, to: message.from }
    if (message.kind === 'list') return { kind: 'players', ...common, players: listHere(message.profileId) }
    if (message.kind === 'command') return { kind: 'result', ...common, result: await resultOf(message) }
    if (message.to === link.processId) questions.receive(message)
    return undefined
  }

  async function resultOf({ playerId, profileId, command }: Extract<PlayerMessage, { kind: 'command' }>) {
    const entry = entryOf(playerId, profileId)
    if (entry === undefined) return playerErrors.player_not_found.definition.code
    try {
      await entry.send(command)
      return COMMAND_DONE
    } catch (error) {
      return error instanceof AppError ? error.code : playerErrors.player_silent.definition.code
    }
  }

  return {
    add(player, send) {
      entries.set(player.id, { player: { ...player, state: null }, send })
      link.open().catch((error: unknown) => log.warning({ reason: describeError(error) }, 'players are not reachable'))
    },
    update(playerId, state) {
      const entry = entries.get(playerId)
      if (entry !== undefined) entry.player = { ...entry.player, state }
    },
    remove: (playerId) => void entries.delete(playerId),
    find: (playerId) => entries.get(playerId)?.player,
    list: async (profileId) => [...listHere(profileId), ...(await questions.list(profileId))],
    async command(playerId, profileId, command) {
      const entry = entryOf(playerId, profileId)
      // A player may confirm before it knows that there is no such item.
      if (command.mediaItemId !== undefined) await getItem(services, command.mediaItemId)
      if (entry === undefined) await questions.command({ playerId, profileId, command })
      else await entry.send(command)
    },
    size: () => entries.size,
    close: () => link.close(),
  }
}
