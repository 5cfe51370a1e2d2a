import { z } from 'zod'
import { PLAYER_ACTIONS } from './player.ts'

const Command = z.object({
  action: z.enum(PLAYER_ACTIONS),
  mediaItemId: z.string().optional(),
  positionMilliseconds: z.number().optional(),
  volume: z.number().optional(),
})

const PlayerRecord = z.object({
  id: z.string(),
  accountId: z.string(),
  profileId: z.string(),
  username: z.string(),
  deviceName: z.string(),
  deviceType: z.string(),
  state: z
    .object({ mediaItemId: z.string().nullable(), positionMilliseconds: z.number().nullable(), isPaused: z.boolean() })
    .nullable(),
})

const common = { id: z.string(), from: z.string() }

/** Messages on the channel of all processes that have or request players. `id` is the id of the request. */
export const PlayerMessage = z.discriminatedUnion('kind', [
  /** Without a profile: the players of all. */
  z.object({ kind: z.literal('list'), ...common, profileId: z.string().nullable() }),
  z.object({ kind: z.literal('players'), ...common, to: z.string(), players: z.array(PlayerRecord) }),
  z.object({
    kind: z.literal('command'),
    ...common,
    profileId: z.string().nullable(),
    playerId: z.string(),
    command: Command,
  }),
  /** `result` is `done`, or the code of an error. */
  z.object({ kind: z.literal('result'), ...common, to: z.string(), result: z.string() }),
])

export type PlayerMessage = z.infer<typeof PlayerMessage>
