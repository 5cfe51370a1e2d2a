import { defineErrors } from '../platform/errors/index.ts'

export const playerErrors = defineErrors({
  player_not_found: {
    kind: 'not_found',
    title: 'Player not found',
    doc: 'No connected player of the account has this id. A player is known while its WebSocket is open.',
  },
  player_silent: {
    kind: 'unavailable',
    title: 'The player does not answer',
    doc: 'The player has not confirmed a command within 5 seconds.',
  },
  command_refused: {
    kind: 'conflict',
    title: 'The player refused the command',
    doc: 'The player could not do what it was told, for example `next` without a next item.',
  },
})
