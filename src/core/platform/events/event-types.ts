/** What one part of the product tells the others, by name; who reacts is nobody's business here. */
export type Events = {
  /** An administrator has changed what an account may do or has removed it, or a session of it was ended. */
  'account.changed': { accountId: string }
  /** A scan job has ended for good, and the library may have changed (document 2, Events). */
  'library.updated': {
    libraryId: string
    scanJobId: string
    /** `scan`, `rescan`, `prune` … */
    jobType: string
    outcome: 'completed' | 'failed' | 'cancelled'
    itemsAdded: number
    itemsRemoved: number
  }
  /** A person's media request was denied, or its title has arrived (document 1, Media request). */
  'request.answered': {
    requestId: string
    /** Whoever made the request. */
    userId: string
    title: string
    status: string
    rejectionReason: string | null
  }
}

export type EventName = keyof Events
