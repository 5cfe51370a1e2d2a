import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'
import { PlaybackInfo } from '../playback/playback.schemas.ts'

/** A device name chosen by the client. PostgreSQL cannot store U+0000 in text. */
const DeviceText = Type.Optional(Type.String({ maxLength: 255, pattern: '^[^\\u0000]*$' }))

export const StartSessionBody = Type.Object({
  device_id: DeviceText,
  device_name: DeviceText,
  device_type: DeviceText,
})

export const StartedSession = Type.Object({ session_id: Type.String() })

/** About three years in ticks of 100 ns; larger values are not positions in a film. */
const MAX_TICKS = 1e15

const Ticks = Type.Integer({ minimum: 0, maximum: MAX_TICKS })

export const ProgressBody = Type.Object({
  media_item_id: Type.String(),
  position_ticks: Ticks,
  duration_ticks: Type.Optional(Ticks),
  is_paused: Type.Optional(Type.Boolean()),
})

export const ProgressStored = Type.Object({ ok: Type.Boolean(), message: Type.String() })

const State = Nullable(
  Type.Object({
    session_id: Type.String(),
    media_item_id: Type.String(),
    status: Type.String(),
    is_paused: Type.Boolean(),
    position_ticks: Type.Integer(),
    duration_ticks: Nullable(Type.Integer()),
    started_at: Type.String(),
    updated_at: Type.String(),
  }),
)

export const SessionProgress = Type.Object({
  progress: State,
  ...Type.Pick(PlaybackInfo, ['intro_marker', 'outro_marker', 'markers', 'skip_button_spec', 'chapters']).properties,
})

export const CompleteBody = Type.Object({
  media_item_id: Type.Optional(Type.String()),
  reached_end: Type.Optional(Type.Boolean()),
})

export const CompletedItemReply = Type.Object({ message: Type.String(), reached_end: Type.Boolean() })

const NullableText = Nullable(Type.String())

export const SessionList = Type.Object({
  sessions: Type.Array(
    Type.Object({
      id: Type.String(),
      session_id: Type.String(),
      device_id: NullableText,
      device_name: NullableText,
      device_type: NullableText,
      progress: State,
      created_at: Type.String(),
      updated_at: Type.String(),
    }),
  ),
})
