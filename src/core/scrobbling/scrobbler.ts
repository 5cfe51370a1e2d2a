import type { ScrobbleServiceName } from './services/index.ts'

/** The connection of an account with a service. */
export type Scrobbler = {
  /** UUID. */
  id: string
  userId: string
  service: ScrobbleServiceName
  /** The name of the account at the service. */
  serviceUsername: string
  /** Number of plays that could not be delivered. */
  failureCount: number
  /** Time of the last report. */
  lastTriggeredAt: Date | null
  createdAt: Date
}

/** A service as an account sees it. */
export type ScrobbleServiceState = {
  service: ScrobbleServiceName
  title: string
  /** Whether this server has the keys that the service needs. */
  isConfigured: boolean
  /** Whether the user copies a token from the service, instead of approving this server there. */
  needsToken: boolean
  /** Null: not connected. */
  scrobbler: (Scrobbler & LastReport) | null
}

/** `lastError`: why the newest report was not delivered; null if it was, or if there is none. */
export type LastReport = { lastError: string | null }
