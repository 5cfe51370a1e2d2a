/** The events between the domains, by name. */
export type Events = {
  /** An administrator changed the rights of an account or deleted it, or one of its sessions was ended. */
  'account.changed': { accountId: string }
  /** A film is wanted as a file in a quality. */
  'download.requested': { downloadId: string }
  /** A scan job has reached a final state; the library may have changed. */
  'library.updated': {
    libraryId: string
    scanJobId: string
    /** `scan`, `rescan`, `prune` … */
    jobType: string
    outcome: 'completed' | 'failed' | 'cancelled'
    itemsAdded: number
    itemsRemoved: number
  }
  /** An event for plugins, published after its change was committed. docs/plugins.md describes the names and keys. */
  'plugin.event': { name: string; payload: Readonly<Record<string, unknown>> }
  /** A media request was denied, or its title is now in the library. */
  'request.answered': {
    requestId: string
    /** The account that made the request. */
    userId: string
    title: string
    status: string
    rejectionReason: string | null
  }
}

export type EventName = keyof Events
