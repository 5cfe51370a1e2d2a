import { randomUUID } from 'node:crypto'
import { withTimeLimit } from '../../../core/platform/concurrency/index.ts'
import { playerErrors, type PlayerCommand, type Players } from '../../../core/remote-control/index.ts'
import { typeGuardFor } from '../../http/compile-on-first-use.ts'
import type { SocketConnection } from '../connection.ts'
import { socketErrors } from '../errors.ts'
import type { MessageViews } from '../messages.view.ts'
import { CommandResult, PlaybackReport, PlayerSessionReference, SessionStart } from './players.schemas.ts'

/** The messages of clients that can be controlled from other devices of the same profile. */
export type PlayerSessions = {
  /** Whether this is a message of players. */
  has(type: string): boolean
  /** @throws AppError `invalid_message`, `player_not_found` */
  handle(connection: SocketConnection, type: string, content: object): void
  /** The connection has closed. */
  remove(connection: SocketConnection): void
  size(): number
}

/** `reason`: why the player did not do it. */
type Answer = { isDone: boolean; reason?: string | undefined }

const ANSWER_MILLISECONDS = 5000

const DEFAULT_NAME = 'Player'

const REPORTS: ReadonlySet<string> = new Set(
  ['start', 'pause', 'progress', 'seek', 'stop'].map((word) => `playback_${word}`),
)

const isSessionStart = typeGuardFor(SessionStart)
const isSessionAddress = typeGuardFor(PlayerSessionReference)
const isPlaybackReport = typeGuardFor(PlaybackReport)
const isCommandResult = typeGuardFor(CommandResult)

export function createPlayerSessions(players: Players, views: Pick<MessageViews, 'envelope'>): PlayerSessions {
  /** Connections that follow a player, by its id. */
  const followers = new Map<string, Set<SocketConnection>>()
  /** Commands that were not answered yet, with their player. */
  const commands = new Map<string, { playerId: string; answer: (answer: Answer) => void }>()

  async function sendCommand(connection: SocketConnection, command: PlayerCommand): Promise<void> {
    const commandId = randomUUID()
    const { promise, resolve } = Promise.withResolvers<Answer>()
    commands.set(commandId, { playerId: connection.id, answer: resolve })
    connection.send(views.envelope('session_command', commandData(commandId, command)))
    try {
      const { isDone, reason } = await withTimeLimit(promise, {
        milliseconds: ANSWER_MILLISECONDS,
        onTimeout: () => {
          throw playerErrors.player_silent()
        },
      })
      if (!isDone)
        throw playerErrors.command_refused(
          reason === undefined ? undefined : { message: `The player refused the command: ${reason}` },
        )
    } finally {
      commands.delete(commandId)
    }
  }

  function start(connection: SocketConnection, content: object): void {
    if (!isSessionStart(content)) throw socketErrors.invalid_message({ message: 'session_start needs data' })
    const { device_name: deviceName = DEFAULT_NAME, device_type: deviceType = 'web' } = content.data
    const { id, account } = connection
    players.add(
      { id, accountId: account.id, profileId: account.profile.id, username: account.username, deviceName, deviceType },
      (command) => sendCommand(connection, command),
    )
    connection.send(views.envelope('session_start', { session_id: id }))
  }

  function end(connection: SocketConnection): void {
    remove(connection)
    connection.send(views.envelope('session_end', { session_id: connection.id }))
  }

  function report(connection: SocketConnection, type: string, content: object): void {
    if (!isPlaybackReport(content)) throw socketErrors.invalid_message({ message: `${type} has a wrong field` })
    const {
      media_item_id: mediaItemId = null,
      position = null,
      is_paused: isPaused = type !== 'playback_start',
    } = content.data
    const isStopped = type === 'playback_stop'
    players.update(connection.id, {
      mediaItemId: isStopped ? null : mediaItemId,
      positionMilliseconds: isStopped ? null : position,
      isPaused: isStopped || isPaused,
    })
    const message = views.envelope(type, { ...content.data, session_id: connection.id })
    for (const follower of followers.get(connection.id) ?? []) follower.send(message)
  }

  /** Only players of the own profile, in this process, can be followed. */
  function follow(connection: SocketConnection, content: object): void {
    const sessionId = addressOf(content)
    if (players.find(sessionId)?.profileId !== connection.account.profile.id) throw playerErrors.player_not_found()
    const others = followers.get(sessionId) ?? new Set()
    followers.set(sessionId, others.add(connection))
    connection.send(views.envelope('session_join', { session_id: sessionId }))
  }

  function unfollow(connection: SocketConnection, content: object): void {
    const sessionId = addressOf(content)
    drop(sessionId, connection)
    connection.send(views.envelope('session_leave', { session_id: sessionId }))
  }

  function drop(playerId: string, connection: SocketConnection): void {
    const others = followers.get(playerId)
    others?.delete(connection)
    if (others?.size === 0) followers.delete(playerId)
  }

  function takeResult(connection: SocketConnection, content: object): void {
    if (!isCommandResult(content)) throw socketErrors.invalid_message({ message: 'command_id and ok are missing' })
    const command = commands.get(content.data.command_id)
    // A client cannot reply for another player.
    if (command?.playerId === connection.id) command.answer({ isDone: content.data.ok, reason: content.data.reason })
  }

  function remove(connection: SocketConnection): void {
    players.remove(connection.id)
    for (const follower of followers.get(connection.id) ?? [])
      follower.send(views.envelope('session_end', { session_id: connection.id }))
    followers.delete(connection.id)
    for (const playerId of followers.keys()) drop(playerId, connection)
    for (const { playerId, answer } of commands.values()) if (playerId === connection.id) answer({ isDone: false })
  }

  const HANDLERS: ReadonlyMap<string, (connection: SocketConnection, content: object) => void> = new Map([
    ['session_start', start],
    ['session_end', end],
    ['session_join', follow],
    ['session_leave', unfollow],
    ['session_command_result', takeResult],
  ])

  return {
    has: (type) => HANDLERS.has(type) || REPORTS.has(type),
    handle(connection, type, content) {
      // A message that waited behind others: what it adds would never be removed.
      if (!connection.isOpen()) return
      if (REPORTS.has(type)) report(connection, type, content)
      else HANDLERS.get(type)?.(connection, content)
    },
    remove,
    size: () => players.size() + followers.size + commands.size,
  }
}

function addressOf(content: object): string {
  if (!isSessionAddress(content)) throw socketErrors.invalid_message({ message: 'data.session_id is missing' })
  return content.data.session_id
}

function commandData(commandId: string, { action, mediaItemId, positionMilliseconds, volume }: PlayerCommand): object {
  return {
    command_id: commandId,
    command: action,
    ...(mediaItemId !== undefined && { media_item_id: mediaItemId }),
    ...(positionMilliseconds !== undefined && { position: positionMilliseconds }),
    ...(volume !== undefined && { volume }),
  }
}
