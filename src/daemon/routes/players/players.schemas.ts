import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'

export const PlayerList = Type.Object({
  players: Type.Array(
    Type.Object({
      id: Type.String(),
      user_id: Type.String(),
      username: Type.String(),
      device_name: Type.String(),
      device_type: Type.String(),
      media_item_id: Nullable(Type.String()),
      position: Nullable(Type.Number()),
      is_paused: Type.Boolean(),
    }),
  ),
})

/** Positions in milliseconds. */
export const CommandBody = Type.Object({
  command: Type.Union(['play', 'pause', 'stop', 'next', 'seek', 'volume'].map((word) => Type.Literal(word))),
  media_item_id: Type.Optional(Type.String({ maxLength: 100 })),
  position: Type.Optional(Type.Number({ minimum: 0, maximum: 1e11 })),
  volume: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
})

export const CommandDone = Type.Object({ success: Type.Literal(true), message: Type.String() })
