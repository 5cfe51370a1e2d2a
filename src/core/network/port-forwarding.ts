import { Semaphore } from '../platform/concurrency/index.ts'
import type { Config } from '../platform/config/index.ts'
import type { Database } from '../platform/database/index.ts'
import { AppError, describeError } from '../platform/errors/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { Outbound } from '../platform/outbound/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { openPortMapping, removePortMapping, mappingMatchesSettings } from './change-port-mapping.ts'
import { checkPortMapping, isLeaseRenewalDue, millisecondsUntilCheck } from './check-port-mapping.ts'
import { findGateway } from './find-gateway.ts'
import { readForwardingSettings, type ForwardingSettings } from './forwarding-settings.ts'
import type { GatewayClient, GatewayLimits } from './gateway-client.ts'
import { readMappingFile, type PortMapping } from './mapping-file.ts'
import { describeReachability, classifyReachability } from './reachability.ts'
import { reportForwarding, type ForwardingReport } from './forwarding-report.ts'
import { saveForwarding, checkForwardingChange } from './save-forwarding.ts'
import { withTotalTimeout } from './with-total-timeout.ts'

export type ForwardingServices = Readonly<{
  config: Config
  clock: Clock
  log: Logger
  db: Database
  outbound: Outbound
  gatewayLimits?: GatewayLimits
}>

/** The end of the process does not wait longer for the router. */
const STOP_MILLISECONDS = 2000

/** Keeps the forwarding of the port of this process as the settings say. */
export type PortForwarding = {
  /** Opens the mapping if the settings require it. From then on checks and renews it. */
  start(input: { serverPort: number }): void
  /** Checks the settings, the router and the lease now, and does what is needed. Never rejects. */
  check(): Promise<void>
  /** The state; changed settings are applied first. */
  report(): Promise<ForwardingReport>
  /**
   * Opens the mapping and switches the setting on, within the total limit, which includes the end of a running check. A failure changes no
   * setting; the next check removes what the router granted before it.
   * @throws AppError the errors of `openPortMapping`, `setting_locked`
   */
  enable(): Promise<ForwardingReport>
  /**
   * Switches the setting off and removes the mapping. If the router does not confirm that, the report says when its lease ends.
   * @throws AppError `setting_locked`
   */
  disable(): Promise<ForwardingReport>
  /** Ends the checks and removes the mapping, within 2 s. Idempotent. */
  stop(): Promise<void>
}

export function createPortForwarding(services: ForwardingServices): PortForwarding {
  const { config, clock } = services
  const log = services.log.child({ domain: 'network' })
  const stopping = new AbortController()
  const turns = new Semaphore({ permits: 1 })
  let serverPort = config.options['server.port']
  /** The connection of the last success. */
  let client: GatewayClient | undefined
  /** Whether the mapping of the file was opened, renewed or replaced by this process. */
  let isConfirmed = false
  let failure: string | null = null
  let lastNote = ''
  let timer: NodeJS.Timeout | undefined
  let isStarted = false
  let stopped: Promise<void> | undefined

  const internalPort = (): number => config.options['network.internal_port'] || serverPort
  const current = (): PortMapping | undefined => readMappingFile(services, clock.now())

  /** Logs one line for each change of the state. */
  function note(key: string, write: () => void): void {
    if (key !== lastNote) write()
    lastNote = key
  }

  function noteMapping(mapping: PortMapping): void {
    const { protocol, externalAddress, externalPort, internalPort: port, gatewayAddress } = mapping
    note(`${protocol} ${externalAddress} ${externalPort} ${port} ${gatewayAddress}`, () => {
      const fields = { protocol, gateway: gatewayAddress, externalAddress, externalPort, internalPort: port }
      if (classifyReachability(externalAddress) === 'public')
        log.notice(fields, 'the gateway forwards a port to this server')
      else {
        const reason = describeReachability(externalAddress)
        log.warning({ ...fields, reason }, 'the gateway forwards a port, but the Internet does not reach it')
      }
    })
  }

  /** Opens or renews the mapping. The first call in a process takes over a mapping that a killed process left. */
  async function open(settings: ForwardingSettings, signal: AbortSignal): Promise<void> {
    const opened = await openPortMapping(services, { settings, internalPort: internalPort(), client }, signal)
    client = opened.client
    isConfirmed = true
    failure = null
    noteMapping(opened.mapping)
  }

  /** Whether the mapping is open and needs nothing. */
  async function isKept(settings: ForwardingSettings, signal: AbortSignal): Promise<boolean> {
    const mapping = current()
    if (mapping === undefined || client === undefined || !isConfirmed) return false
    const gateway = await findGateway(services)
    const isSame = gateway.address === client.gateway.address && gateway.localAddress === client.gateway.localAddress
    if (!isSame || !mappingMatchesSettings(mapping, { settings, internalPort: internalPort(), client })) {
      client = undefined
      return false
    }
    if (isLeaseRenewalDue(mapping, clock.now())) return false
    const checked = await checkPortMapping(services, { mapping, client }, signal)
    if (checked === 'lost') {
      log.notice({ gateway: gateway.address }, 'the gateway has lost the port forwarding; it is opened again')
      lastNote = ''
      return false
    }
    failure = null
    noteMapping(checked)
    return true
  }

  async function keep(settings: ForwardingSettings, signal: AbortSignal): Promise<void> {
    try {
      if (await isKept(settings, signal)) return
      await open(settings, signal)
    } catch (error) {
      if (client === undefined || !(error instanceof AppError)) throw error
      // The router may have changed its protocol or the address of its service.
      client = undefined
      await open(settings, signal)
    }
  }

  async function close(): Promise<void> {
    const removed = await removePortMapping(services, { client }, stopping.signal)
    client = undefined
    failure = null
    if (removed === undefined) return
    note('off', () => log.notice({ externalPort: removed.externalPort }, 'the gateway no longer forwards a port'))
  }

  async function apply(): Promise<void> {
    try {
      const settings = await readForwardingSettings(services)
      if (settings.isEnabled) await withTotalTimeout(services, stopping.signal, (limited) => keep(settings, limited))
      else if (current() !== undefined) await close()
      else failure = null
    } catch (error) {
      if (stopping.signal.aborted) return
      failure = describeError(error)
      note(`failed ${failure}`, () => log.warning({ reason: failure }, 'port forwarding failed'))
    }
  }

  function schedule(): void {
    clearTimeout(timer)
    if (!isStarted || stopping.signal.aborted) return
    const wait = millisecondsUntilCheck(current(), { hasFailed: failure !== null, now: clock.now() })
    timer = setTimeout(() => void check(), wait)
  }

  /** Runs alone; afterwards the next check is scheduled. */
  async function alone<Result>(work: () => Promise<Result>, signal = stopping.signal): Promise<Result> {
    return turns.run(async () => {
      try {
        return await work()
      } finally {
        schedule()
      }
    }, signal)
  }

  async function check(): Promise<void> {
    await alone(apply).catch((error: unknown) => {
      if (!stopping.signal.aborted) log.warning({ reason: describeError(error) }, 'port forwarding failed')
    })
  }

  async function report(): Promise<ForwardingReport> {
    const { isEnabled } = await readForwardingSettings(services)
    const isOpen = current() !== undefined
    if (isEnabled !== isOpen && isStarted && failure === null) await check()
    return reportForwarding({ isEnabled, mapping: current(), failure })
  }

  return {
    start(input) {
      serverPort = input.serverPort
      isStarted = true
      void check()
    },
    check,
    report,
    enable: () =>
      withTotalTimeout(services, stopping.signal, (limited) =>
        alone(async () => {
          checkForwardingChange(services, { isEnabled: true })
          await keep({ ...(await readForwardingSettings(services)), isEnabled: true }, limited)
          await saveForwarding(services, { isEnabled: true })
          return reportForwarding({ isEnabled: true, mapping: current() })
        }, limited),
      ),
    disable: () =>
      alone(async () => {
        await saveForwarding(services, { isEnabled: false })
        await close().catch((error: unknown) => {
          failure = describeError(error)
          log.warning({ reason: failure }, 'the port forwarding was not removed')
        })
        return reportForwarding({ isEnabled: false, mapping: current(), failure })
      }),
    stop: () =>
      (stopped ??= (async () => {
        stopping.abort()
        clearTimeout(timer)
        // A running attempt ends by the signal and gives its turn back.
        const release = await turns.acquire()
        try {
          if (!isStarted || current() === undefined) return
          const removed = await removePortMapping(services, { client }, AbortSignal.timeout(STOP_MILLISECONDS))
          log.notice({ externalPort: removed?.externalPort }, 'the gateway no longer forwards a port')
        } catch (error) {
          log.warning({ reason: describeError(error) }, 'the port forwarding was not removed')
        } finally {
          release()
        }
      })()),
  }
}
