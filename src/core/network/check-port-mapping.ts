import type { GatewayClient } from './gateway-client.ts'
import { leaseEndTime, writeMappingFile, type PortMapping } from './mapping-file.ts'
import type { MappingServices } from './change-port-mapping.ts'

/** Clocks of routers may be wrong by an eighth, and by 2 s (RFC 6886, 3.6). */
const [CLOCK_SHARE, CLOCK_SECONDS] = [7 / 8, 2]

/** Interval of the checks whether the router still forwards the port, and of the repetition of a failed attempt. */
const CHECK_MILLISECONDS = 60_000

/** Minimum time between two checks, even if the router grants a lease of only a few seconds. */
const SHORTEST_WAIT_MILLISECONDS = 1000

/**
 * Asks the router whether it still has a mapping.
 * @returns the mapping with the current external address, which is also in the mapping file; `lost` if the router no longer has the mapping
 * @throws AppError `gateway_silent`, `gateway_refused`, `gateway_reply_invalid`; the signal's reason
 */
export async function checkPortMapping(
  services: MappingServices,
  { mapping, client }: { mapping: PortMapping; client: GatewayClient },
  signal?: AbortSignal,
): Promise<PortMapping | 'lost'> {
  const state = await client.readState(signal)
  const now = services.clock.now()
  if (hasRouterRestarted(mapping, { epochSeconds: state.epochSeconds, now })) return 'lost'
  if (!(await client.isMapped(mapping, signal))) return 'lost'
  const checked = { ...mapping, ...state, checkedAt: now }
  writeMappingFile(services, checked)
  return checked
}

/** Whether the router's count of seconds shows that it has started again, and lost its mappings. */
export function hasRouterRestarted(
  { epochSeconds: before, checkedAt }: Pick<PortMapping, 'epochSeconds' | 'checkedAt'>,
  { epochSeconds, now }: { epochSeconds: number | null; now: Date },
): boolean {
  if (before === null || epochSeconds === null) return false
  const elapsedSeconds = (now.getTime() - checkedAt.getTime()) / 1000
  return epochSeconds < before + elapsedSeconds * CLOCK_SHARE - CLOCK_SECONDS
}

/** When a lease is renewed: after half of it. Null: it has no end. */
function renewalTime(mapping: Pick<PortMapping, 'openedAt' | 'leaseSeconds'>): Date | null {
  const end = leaseEndTime(mapping)
  return end === null ? null : new Date((mapping.openedAt.getTime() + end.getTime()) / 2)
}

/**
 * Time until the next request to the router: until the next check, or until the renewal if it is sooner. After a failure the renewal waits
 * for the next check too, because an overdue renewal would otherwise be repeated without a pause.
 */
export function millisecondsUntilCheck(
  mapping: Pick<PortMapping, 'openedAt' | 'leaseSeconds'> | undefined,
  { hasFailed, now }: { hasFailed: boolean; now: Date },
): number {
  const renewal = mapping === undefined ? null : renewalTime(mapping)
  const untilRenewal = renewal === null ? Infinity : renewal.getTime() - now.getTime()
  if (hasFailed || untilRenewal <= 0) return CHECK_MILLISECONDS
  return Math.max(SHORTEST_WAIT_MILLISECONDS, Math.min(CHECK_MILLISECONDS, untilRenewal))
}

/** Whether it is time to renew a lease. After the clock was set back nothing is known about the lease. */
export function isLeaseRenewalDue(mapping: Pick<PortMapping, 'openedAt' | 'leaseSeconds'>, now: Date): boolean {
  const time = renewalTime(mapping)
  return time !== null && (time <= now || now < mapping.openedAt)
}
