import { startPeriodicTask, type PeriodicTask } from '../../platform/concurrency/index.ts'
import { describeError } from '../../platform/errors/index.ts'
import { writeEnrolment, type StoredEnrolment } from '../enrolment/enrolment-file.ts'
import type { WatchedEnrolment } from '../enrolment/watch-enrolment.ts'
import { hubLinkErrors } from '../errors.ts'
import { createHubClient, hubErrorCode } from '../hub-client.ts'
import type { MemberServices } from '../members/member-services.ts'
import { storeMembers } from '../members/members.ts'
import type { PairingServices } from '../pairing.ts'
import { createEnrolmentRenewal, isEnrolmentRenewalDue } from '../enrolment-renewal.ts'
import { createHeartbeatReport } from './heartbeat-report.ts'

export type HeartbeatServices = PairingServices & MemberServices

/** How the last heartbeats went. */
export type HeartbeatState = {
  lastHeartbeatAt: Date | null
  /** Failed heartbeats since the last success. */
  failures: number
  /** Duration of the last successful heartbeat. */
  latencyMilliseconds: number | null
  /** Why the last heartbeat failed; null after a success. */
  failure: string | null
}

export type Heartbeats = {
  start(input: { serverPort: number }): void
  state(): HeartbeatState
  /**
   * Sends a heartbeat now. If one is being sent, waits for it.
   * @throws AppError `not_paired`, `hub_unreachable`, `hub_refused`
   */
  send(): Promise<Date>
  /** Sends a heartbeat that begins after this call: one that is being sent may not know the latest changes. Never rejects. */
  sendAnother(): Promise<void>
  /** @throws AppError as `send` does */
  renew(): Promise<void>
  stop(): Promise<void>
}

/** A command that pairs is noticed within this time. */
const WATCH_MILLISECONDS = 2000

/** The heartbeats of many servers are spread: each one is sent up to a tenth earlier. */
const JITTER = 0.1

/** Codes with which a hub refuses a token that a new one may replace. */
const TOKEN_CODES: ReadonlySet<string> = new Set(['UNAUTHENTICATED', 'ENROLLMENT_TOKEN_EXPIRED'])

const UNKNOWN: HeartbeatState = { lastHeartbeatAt: null, failures: 0, latencyMilliseconds: null, failure: null }

/** Tells the hub about this server, as long as it is paired, and stores whom the hub names. Renews the enrolment before it ends. */
export function createHeartbeats(services: HeartbeatServices, enrolment: WatchedEnrolment): Heartbeats {
  const { config, clock } = services
  const log = services.log.child({ domain: 'hub' })
  const renewal = createEnrolmentRenewal(services)
  const stopping = new AbortController()
  const startedAt = clock.monotonicMilliseconds()
  let serverPort = config.options['server.port']
  let state = UNKNOWN
  /** What the log says; undefined before its first line. */
  let isLoggedAsFailed: boolean | undefined
  let timer: NodeJS.Timeout | undefined
  let watching: PeriodicTask | undefined
  let sending: Promise<Date> | undefined

  const clientOf = ({ hubBaseUrl }: StoredEnrolment) => createHubClient(services, hubBaseUrl, stopping.signal)

  function requirePaired(): StoredEnrolment {
    const stored = enrolment.stored()
    if (stored === undefined) throw hubLinkErrors.not_paired()
    return stored
  }

  /** Renews what is due, then reports; a refused token is renewed once. @returns the duration of the report */
  async function exchange(): Promise<number> {
    const client = clientOf(requirePaired())
    let current = await renewal.announceKey(client, requirePaired())
    if (isEnrolmentRenewalDue(current, clock.now())) current = await renewal.renew(client, current)
    const { serverId } = current
    const upMilliseconds = clock.monotonicMilliseconds() - startedAt
    const report = await createHeartbeatReport(services, { serverId, serverPort, upMilliseconds })
    const sentAt = clock.monotonicMilliseconds()
    const reply = await client.sendHeartbeat(report, current.enrolmentJwt).catch(async (error: unknown) => {
      if (!TOKEN_CODES.has(hubErrorCode(error) ?? '')) throw error
      return client.sendHeartbeat(report, (await renewal.renew(client, current)).enrolmentJwt)
    })
    const milliseconds = Math.round(clock.monotonicMilliseconds() - sentAt)
    await storeMembers(services, reply.members)
    storeTunnelPort(reply.tunnel_port ?? null)
    return milliseconds
  }

  function storeTunnelPort(tunnelPort: number | null): void {
    const stored = enrolment.stored()
    if (stored !== undefined && stored.tunnelPort !== tunnelPort) writeEnrolment({ config }, { ...stored, tunnelPort })
  }

  /** One line of the log for each change between working and failing. */
  async function sendOnce(): Promise<Date> {
    try {
      const latencyMilliseconds = await exchange()
      const now = clock.now()
      state = { lastHeartbeatAt: now, failures: 0, latencyMilliseconds, failure: null }
      if (isLoggedAsFailed !== false) log.notice({ hub: enrolment.stored()?.hubBaseUrl }, 'the hub knows this server')
      isLoggedAsFailed = false
      return now
    } catch (error) {
      if (!stopping.signal.aborted && enrolment.stored() !== undefined) noteFailure(describeError(error))
      throw error
    } finally {
      enrolment.check()
    }
  }

  function noteFailure(failure: string): void {
    state = { ...state, failures: state.failures + 1, failure }
    if (isLoggedAsFailed !== true) log.warning({ reason: failure }, 'the hub is not told about this server')
    isLoggedAsFailed = true
  }

  const send = (): Promise<Date> => (sending ??= sendOnce().finally(() => (sending = undefined)))

  async function sendAndSchedule(): Promise<void> {
    await send().catch(() => undefined)
    clearTimeout(timer)
    if (stopping.signal.aborted || enrolment.current() === undefined) return
    const interval = config.options['hub.heartbeat_seconds'] * 1000
    timer = setTimeout(() => void sendAndSchedule(), interval * (1 - Math.random() * JITTER))
  }

  /** Another hub, or none: what was known about the last one does not apply. */
  function beginAgain(isPaired: boolean): void {
    state = UNKNOWN
    isLoggedAsFailed = undefined
    clearTimeout(timer)
    if (isPaired) return void sendAndSchedule()
    storeMembers(services, []).catch((error: unknown) => {
      log.warning({ reason: describeError(error) }, 'the users of the former hub could not be removed')
    })
  }

  return {
    send,
    state: () => state,
    async sendAnother() {
      await sending?.catch(() => undefined)
      await send().catch(() => undefined)
    },
    start(input) {
      serverPort = input.serverPort
      let pairedAs = enrolment.current()?.serverId
      enrolment.onChange((current) => {
        if (current?.serverId === pairedAs) return
        pairedAs = current?.serverId
        beginAgain(pairedAs !== undefined)
      })
      watching = startPeriodicTask({
        intervalMilliseconds: WATCH_MILLISECONDS,
        keepsProcessAlive: false,
        work: async () => enrolment.check(),
        onError: (error) => log.warning({ reason: describeError(error) }, 'reading the enrolment failed'),
      })
      if (pairedAs !== undefined) void sendAndSchedule()
    },
    async renew() {
      const stored = requirePaired()
      await renewal.renew(clientOf(stored), stored)
      enrolment.check()
    },
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await watching?.stop()
      await sending?.catch(() => undefined)
    },
  }
}
