export { playerErrors } from './errors.ts'
export { playersVisibleTo } from './limit-players.ts'
export { PLAYER_ACTIONS, type Player, type PlayerCommand } from './player.ts'
export { createPlayers, type Players } from './players.ts'
