/** An event in the activity list. */
export type Activity = {
  /** Unique among all activities. */
  id: string
  /** `playback.completed`, `playback.ended`, `scan.completed` and other jobs, `user.created`, `request.created`. */
  action: string
  /** The account that caused it; null: the server, or a deleted account. */
  actor: { id: string; username: string } | null
  /** The played item of a playback event. */
  mediaItemId: string | null
  /** Name of an item, a library, an account; title of a request. */
  target: string
  occurredAt: Date
}
