import type { Mapping } from './mapping-file.ts'
import { describeReach, reachOf, type Reach } from './reach.ts'

/** The state of port forwarding. */
export type ForwardingReport = Readonly<{
  isEnabled: boolean
  mapping: Mapping | null
  /** Null without a mapping. */
  reach: Reach | null
  /** Why the router forwards no port, or why the Internet does not reach it; null if nothing is wrong. */
  problem: string | null
}>

/** @param input.failure why the last attempt failed */
export function reportForwarding({
  isEnabled,
  mapping,
  failure = null,
}: {
  isEnabled: boolean
  mapping: Mapping | undefined
  failure?: string | null
}): ForwardingReport {
  if (mapping === undefined) {
    const problem = isEnabled ? (failure ?? 'The gateway forwards no port.') : null
    return { isEnabled, mapping: null, reach: null, problem }
  }
  const reach = reachOf(mapping.externalAddress)
  const problem = failure ?? (reach === 'public' ? null : describeReach(mapping.externalAddress))
  return { isEnabled, mapping, reach, problem }
}
