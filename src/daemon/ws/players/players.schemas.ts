import { Type } from 'typebox'

const DeviceText = Type.Optional(Type.String({ maxLength: 255 }))

export const SessionStart = Type.Object({
  data: Type.Object({ device_name: DeviceText, device_type: DeviceText }),
})

export const PlayerSessionReference = Type.Object({
  data: Type.Object({ session_id: Type.String({ maxLength: 100 }) }),
})

/** Positions in milliseconds. */
export const PlaybackReport = Type.Object({
  data: Type.Object({
    media_item_id: Type.Optional(Type.Union([Type.String({ maxLength: 100 }), Type.Null()])),
    position: Type.Optional(Type.Number({ minimum: 0, maximum: 1e11 })),
    is_paused: Type.Optional(Type.Boolean()),
  }),
})

export const CommandResult = Type.Object({
  data: Type.Object({
    command_id: Type.String({ maxLength: 100 }),
    ok: Type.Boolean(),
    /** Why it was not done, for the user. */
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  }),
})
