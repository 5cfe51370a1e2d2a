import type { GroupMember, QueueEntry } from './group.ts'

/** A new seat. The caller has checked the password. */
export type NewMember = Pick<
  GroupMember,
  'id' | 'profileId' | 'username' | 'sessionId' | 'name' | 'resumeHash' | 'reportsReadiness'
>

/** A command of a member for the timeline. `basedOn` is the sequence number of the timeline that its user saw. */
type Command<Fields> = { memberId: string; basedOn?: number } & Fields

/** Everything that changes a group. Positions are in milliseconds. */
export type GroupEvent =
  | { kind: 'join'; member: NewMember }
  | { kind: 'resume'; memberId: string; sessionId: string; resumeHash: string; reportsReadiness: boolean }
  | { kind: 'connect'; memberId: string; reportsReadiness?: boolean }
  | { kind: 'disconnect'; memberId: string }
  | { kind: 'leave'; memberId: string }
  | Command<{ kind: 'play'; position?: number }>
  | Command<{ kind: 'pause'; position?: number }>
  | Command<{ kind: 'seek'; to: number }>
  | Command<{ kind: 'rate'; rate: number }>
  | Command<{
      kind: 'media'
      mediaId: string
      position: number
      durationMilliseconds: number | null
      /** It is the first one of the queue, and leaves it. */
      isFromQueue?: boolean
    }>
  | { kind: 'queue'; memberId: string; entries: readonly Pick<QueueEntry, 'mediaId' | 'mediaInfo'>[] }
  | { kind: 'ready'; memberId: string; isReady: boolean; seq?: number }
  | { kind: 'report'; memberId: string; position: number; at?: number; roundTripMilliseconds?: number }
  | { kind: 'ignoreWait'; memberId: string; isOn: boolean }
  | { kind: 'chat'; memberId: string; text: string }
  | { kind: 'typing'; memberId: string; isTyping: boolean }
  | { kind: 'transferHost'; memberId: string; to: string }
  | { kind: 'tick' }
