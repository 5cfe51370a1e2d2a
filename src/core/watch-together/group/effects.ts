import type { ChatMessage, QueueEntry } from './group.ts'
import type { Timeline } from './timeline.ts'

/** What caused a timeline. `start`: the wait has ended; `wait`: a member has stalled; `end`: the media has ended, or no member is left. */
export type TimelineCause = 'play' | 'pause' | 'seek' | 'rate' | 'media' | 'start' | 'wait' | 'end' | 'correction'

/** A message that a step causes. Without `to` it is for all connected members. */
export type GroupEffect =
  | {
      kind: 'timeline'
      to?: string
      timeline: Timeline
      cause: TimelineCause
      /** The member whose command it was; null for a decision of the server. */
      by: string | null
      /** The position before a jump, in milliseconds. */
      fromPosition: number
    }
  /** The whole state. */
  | { kind: 'state'; to?: string }
  /** Whom the group waits for. */
  | { kind: 'waiting'; for: readonly string[] }
  | { kind: 'joined' | 'resumed' | 'lost' | 'left'; memberId: string; name: string }
  /** `by` is null for a decision of the server. */
  | { kind: 'hostElected'; electedId: string; by: string | null }
  | { kind: 'queue'; queue: readonly QueueEntry[]; by: string }
  | { kind: 'chat'; message: ChatMessage }
  | { kind: 'typing'; memberId: string; isTyping: boolean }
  | { kind: 'dissolved' }
