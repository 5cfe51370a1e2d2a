import { PLAYER_ACTIONS } from '../../../core/remote-control/index.ts'
import { playerView } from '../../../core/views/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters } from '../../http/schemas.ts'
import { requireProfileId } from '../../http/signed-in-account.ts'
import { CommandBody, CommandDone, PlayerList } from './players.schemas.ts'

/** The own players: connected devices that this profile may control from another one. */
export const playerRoutes: RoutePlugin = (app, { services }) => {
  const { players } = services

  app.route({
    method: 'GET',
    url: '/players',
    config: { access: 'user', reveals: 'items' },
    schema: { response: { 200: PlayerList } },
    handler: async (request) => ({ players: (await players.list(requireProfileId(request))).map(playerView) }),
  })

  app.route({
    method: 'POST',
    url: '/players/:id/command',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters, body: CommandBody, response: { 200: CommandDone } },
    handler: async (request) => {
      const { command, media_item_id: mediaItemId, position: positionMilliseconds, volume } = request.body
      const action = PLAYER_ACTIONS.find((word) => word === command) ?? 'pause'
      const profileId = requireProfileId(request)
      await players.command(request.params.id, profileId, { action, mediaItemId, positionMilliseconds, volume })
      return { success: true as const, message: 'The player has confirmed the command' }
    },
  })
}
