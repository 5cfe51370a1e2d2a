import { Type, type TSchema } from 'typebox'
import { GROUP_LIMITS } from '../../../core/watch-together/index.ts'

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })

const optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema)

const Id = text(100)

/** Milliseconds. */
const Position = Type.Number({ minimum: 0, maximum: GROUP_LIMITS.positionMilliseconds })

const Seq = optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))

/** SHA-256 in hexadecimal. */
const PasswordHash = Type.String({ pattern: '^[0-9A-Fa-f]{64}$' })

const Password = text(200)

/** Who joins. Clients also send `member_id`, which is not read: a member is known by its token. */
const Joining = {
  member_name: optional(text(GROUP_LIMITS.memberNameLength)),
  password: optional(Password),
  password_hash: optional(PasswordHash),
  /** The client reports with `syncplay_ready` when it can play. */
  reports_readiness: optional(Type.Boolean()),
}

/** All messages name their group, or mean the one of the connection. */
const Group = { group_id: optional(Id) }

/** The fields of a message by type. */
export const SYNCPLAY_MESSAGES = {
  syncplay_time_ping: Type.Object({ client_time: Type.Number() }),
  syncplay_group_list: Type.Object({}),
  syncplay_group_create: Type.Object({
    ...Joining,
    group_name: optional(text(GROUP_LIMITS.nameLength)),
    name: optional(text(GROUP_LIMITS.nameLength)),
    is_public: optional(Type.Boolean()),
    everyone_controls: optional(Type.Boolean()),
    media_id: optional(Id),
    position: optional(Position),
  }),
  syncplay_group_join: Type.Object({ ...Joining, group_id: Id, resume_token: optional(text(100)) }),
  syncplay_group_leave: Type.Object(Group),
  syncplay_playback_play: Type.Object({ ...Group, position: optional(Position), seq: Seq }),
  syncplay_playback_pause: Type.Object({ ...Group, position: optional(Position), seq: Seq }),
  syncplay_playback_seek: Type.Object({ ...Group, to_position: Position, seq: Seq }),
  syncplay_playback_rate: Type.Object({
    ...Group,
    rate: Type.Number({ minimum: GROUP_LIMITS.minRate, maximum: GROUP_LIMITS.maxRate }),
    seq: Seq,
  }),
  syncplay_playback_media: Type.Object({ ...Group, media_id: Id, position: optional(Position), seq: Seq }),
  syncplay_playback_next: Type.Object({ ...Group, seq: Seq }),
  syncplay_playback_queue: Type.Object({
    ...Group,
    queue: Type.Array(Type.Object({ media_id: Id, media_info: optional(Type.Unknown()) }), {
      maxItems: GROUP_LIMITS.queueEntries,
    }),
  }),
  syncplay_playback_sync: Type.Object({ ...Group, position: Position }),
  syncplay_ready: Type.Object({ ...Group, ready: Type.Boolean(), seq: Seq }),
  syncplay_report: Type.Object({
    ...Group,
    position: Position,
    /** Server time of the position in milliseconds; default: now. */
    at: optional(Type.Number({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    rtt: optional(Type.Number({ minimum: 0, maximum: 60_000 })),
  }),
  syncplay_ignore_wait: Type.Object({ ...Group, on: Type.Boolean() }),
  syncplay_chat: Type.Object({ ...Group, message: text(GROUP_LIMITS.chatLength) }),
  syncplay_typing: Type.Object({ ...Group, is_typing: Type.Boolean() }),
  syncplay_host_transfer: Type.Object({ ...Group, new_host_id: Id }),
}

export type SyncplayType = keyof typeof SYNCPLAY_MESSAGES
