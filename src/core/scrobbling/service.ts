import type { z } from 'zod'
import type { AttemptResult, DeliveryHttpReply } from '../outbox/index.ts'
import type { ReportedPlay } from './reported-play.ts'

/** A request to the API of a service. `path` starts with `/`; it is appended to the configured address. */
export type ServiceRequest = {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
}

/**
 * The transport to the API of a service.
 * @throws AppError of the outbound client; the signal's reason
 */
export type SendServiceRequest = (request: ServiceRequest) => Promise<DeliveryHttpReply>

/** The keys of this server for a service, by the name of their option. */
export type ServerKeys = Readonly<Record<string, string>>

/** What the user does to connect: open the address and, if there is a code, enter it. */
export type ScrobbleAuthorization = {
  /** Address at the service. */
  url: string
  /** The code that the user enters there; null if the address contains it. */
  userCode: string | null
  /** Identifies the attempt when the connection is completed. */
  code: string
  /** How long to wait between two attempts to complete. */
  intervalSeconds: number
  expiresInSeconds: number
}

/** An account at a service. */
export type ConnectedAccount<Credentials> = { username: string; credentials: Credentials }

/** The result of a report. `isUnauthorized`: the service refuses the credentials; new ones may help, if it has a `renew`. */
export type ReportResult = AttemptResult & { isUnauthorized?: boolean }

/** A service that keeps the history of listeners or viewers. */
export type ScrobbleService<Credentials> = {
  title: string
  /** Names of the options below `scrobbling.NAME` that the service needs. */
  keys: readonly string[]
  /** Schema of the stored credentials. */
  credentials: z.ZodType<Credentials>
  /** Whether this play is reported to the service. Pure. */
  accepts: (play: ReportedPlay) => boolean
  /**
   * Starts a connection; undefined for a service whose users copy a token from its page.
   * @throws AppError `scrobbling_service_failed`
   */
  authorize?: (send: SendServiceRequest, keys: ServerKeys) => Promise<ScrobbleAuthorization>
  /**
   * Completes a connection.
   * @param code the code of `authorize`, or the token of the user
   * @throws AppError `scrobbler_not_approved`, `scrobbler_refused`, `scrobbling_service_failed`
   */
  connect: (
    send: SendServiceRequest,
    input: { code: string; keys: ServerKeys },
  ) => Promise<ConnectedAccount<Credentials>>
  report: (
    send: SendServiceRequest,
    input: { play: ReportedPlay; isLate: boolean; credentials: Credentials; keys: ServerKeys },
  ) => Promise<ReportResult>
  /** New credentials for expired ones, which are invalid afterwards; or why there are none. */
  renew?: (
    send: SendServiceRequest,
    input: { credentials: Credentials; keys: ServerKeys },
  ) => Promise<{ credentials: Credentials } | { failure: AttemptResult }>
  /** Gives the credentials back; a failure changes nothing. */
  revoke?: (send: SendServiceRequest, input: { credentials: Credentials; keys: ServerKeys }) => Promise<unknown>
}
