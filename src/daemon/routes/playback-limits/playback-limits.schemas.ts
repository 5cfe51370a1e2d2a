import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'

/** For profiles that ask for their PIN before they are changed. */
const PROOF = {
  current_pin: Type.Optional(Type.String({ maxLength: 10 })),
  password: Type.Optional(Type.String({ maxLength: 1000 })),
}

export const ProofBody = Type.Optional(Type.Object(PROOF))

const ScheduleRow = Type.Object({
  id: Type.String(),
  name: Type.String(),
  start_time: Type.String(),
  end_time: Type.String(),
  days_of_week: Type.Array(Type.String()),
  time_zone: Nullable(Type.String()),
  is_active: Type.Boolean(),
})

const SCHEDULE_FIELDS = {
  name: Type.Optional(Type.String({ maxLength: 200 })),
  days_of_week: Type.Optional(Type.Array(Type.String({ maxLength: 20 }), { maxItems: 50 })),
  time_zone: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
  is_active: Type.Optional(Type.Boolean()),
}

export const NewScheduleBody = Type.Object({
  ...SCHEDULE_FIELDS,
  ...PROOF,
  start_time: Type.String({ maxLength: 20 }),
  end_time: Type.String({ maxLength: 20 }),
})

export const ScheduleChangesBody = Type.Object({
  ...SCHEDULE_FIELDS,
  ...PROOF,
  start_time: Type.Optional(Type.String({ maxLength: 20 })),
  end_time: Type.Optional(Type.String({ maxLength: 20 })),
})

export const Schedules = Type.Object({ schedules: Type.Array(ScheduleRow) })
export const CreatedSchedule = Type.Object({
  schedule_id: Type.String(),
  message: Type.String(),
  schedule: ScheduleRow,
})
export const ChangedSchedule = Type.Object({ message: Type.String(), schedule: ScheduleRow })
export const ScheduleParameters = Type.Object({ id: Type.String(), scheduleId: Type.String() })

const TagRow = Type.Object({ id: Type.String(), tag: Type.String(), tag_type: Type.String() })

export const TagBody = Type.Object({
  ...PROOF,
  tag: Type.String({ maxLength: 1000 }),
  tag_type: Type.Union([Type.Literal('blocked'), Type.Literal('allowed')]),
})

export const ProfileTags = Type.Object({ tags: Type.Array(TagRow) })
export const ChangedTags = Type.Object({ message: Type.String(), tags: Type.Array(TagRow) })
export const TagParameters = Type.Object({ id: Type.String(), tagId: Type.String() })

const Limits = Type.Object({
  max_concurrent_streams: Nullable(Type.Integer()),
  max_total_bandwidth_kbps: Nullable(Type.Integer()),
})

/** Absent limits stay; null removes one. */
export const LimitsBody = Type.Object({
  ...PROOF,
  max_concurrent_streams: Type.Optional(Nullable(Type.Integer())),
  max_total_bandwidth_kbps: Type.Optional(Nullable(Type.Integer())),
})

export const ProfileLimits = Type.Object({ stream_limits: Limits })
