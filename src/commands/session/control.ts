import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import type { Player, PlayerCommand } from '../../core/remote-control/index.ts'
import { playerView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { commandErrors } from '../_support/errors.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { renderTable, type Column } from '../_support/output/table.ts'

const ACTIONS = ['play', 'pause', 'stop', 'next', 'seek', 'volume'] as const

const COLUMNS: readonly Column<Player>[] = [
  { title: 'id', text: ({ id }) => id },
  { title: 'username', text: ({ username }) => username },
  { title: 'device', text: ({ deviceName }) => deviceName },
  { title: 'item', text: ({ state }) => state?.mediaItemId ?? '' },
  {
    title: 'state',
    text: ({ state }) =>
      state === null || state.mediaItemId === null ? 'idle' : state.isPaused ? 'paused' : 'playing',
  },
]

export default class SessionControl extends BaseCommand {
  static override summary = 'Control a player: play, pause, stop, next, seek, volume.'
  static override description =
    'Without arguments it lists the players, which are clients with an open connection to a running server. --item plays an item on ' +
    'the player, from --position on. A player confirms each command (docs/api/players.md).'
  static override examples = [
    '<%= config.bin %> session:control',
    '<%= config.bin %> session:control 0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11 pause',
    '<%= config.bin %> session:control 0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11 seek --position 90.5',
    '<%= config.bin %> session:control 0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11 volume --volume 40',
  ]
  static override args = {
    player: Args.string({ ignoreStdin: true, description: 'id of the player; without it the players are listed' }),
    action: Args.string({ ignoreStdin: true, options: [...ACTIONS], description: 'what the player does' }),
  }
  static override flags = {
    item: Flags.string({ helpValue: 'ITEM_ID', summary: 'For play: the item.' }),
    position: Flags.string({ helpValue: 'SECONDS', summary: 'For seek and for play with --item: the position.' }),
    volume: Flags.integer({ min: 0, max: 100, helpValue: 'PERCENT', summary: 'For volume.' }),
    plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]
  static override isIdempotent = false

  async run(): Promise<object> {
    const { args, flags } = await this.parse(SessionControl)
    const { player: playerId, action } = args
    if (playerId !== undefined && action === undefined)
      throw commandErrors.usage({ message: `name an action: ${ACTIONS.join(', ')}` })
    const command = commandOf(action, flags)
    const players = await this.withServices(async (services) => {
      const { createPlayers } = await import('../../core/remote-control/index.ts')
      const remote = createPlayers(services)
      try {
        if (playerId === undefined || command === undefined) return await remote.list(null)
        await remote.command(playerId, null, command)
        return []
      } finally {
        await remote.close()
      }
    })
    if (playerId !== undefined)
      return this.finish({ result: { player: { id: playerId }, action }, text: `${playerId}: ${action}.` })
    return this.finish({
      result: { players: players.map(playerView) },
      text:
        players.length === 0 && !flags.plain
          ? 'No player is connected'
          : renderTable(COLUMNS, players, { plain: flags.plain, output: this.output }),
    })
  }
}

type Values = { item?: string | undefined; position?: string | undefined; volume?: number | undefined }

/** @throws AppError `usage` for values that the action does not take, or lacks */
function commandOf(action: string | undefined, { item, position, volume }: Values): PlayerCommand | undefined {
  const known = ACTIONS.find((word) => word === action)
  const refuse = (message: string): never => {
    throw commandErrors.usage({ message })
  }
  if (item !== undefined && known !== 'play') refuse('--item belongs to play')
  if (position !== undefined && known !== 'seek' && item === undefined)
    refuse('--position belongs to seek, or to play with --item')
  if (known === 'seek' && position === undefined) refuse('seek needs --position SECONDS')
  if ((volume !== undefined) !== (known === 'volume'))
    refuse('volume needs --volume PERCENT, and nothing else takes it')
  if (known === undefined) return undefined
  const seconds = position === undefined ? undefined : Number(position)
  if (seconds !== undefined && !(seconds >= 0 && seconds <= 1e8)) refuse('--position is a number of seconds from 0 on')
  return {
    action: known,
    mediaItemId: item,
    positionMilliseconds: seconds === undefined ? undefined : seconds * 1000,
    volume,
  }
}
