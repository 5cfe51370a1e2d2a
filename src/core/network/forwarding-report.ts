import type { PortMapping } from './mapping-file.ts'
import { describeReachability, classifyReachability, type Reachability } from './reachability.ts'

/** The state of port forwarding. */
export type ForwardingReport = Readonly<{
  isEnabled: boolean
  mapping: PortMapping | null
  /** Null without a mapping. */
  reach: Reachability | null
  /** Why the port is not forwarded or not reachable from the Internet; null if there is no problem. */
  problem: string | null
}>

/** @param input.failure why the last attempt failed */
export function reportForwarding({
  isEnabled,
  mapping,
  failure = null,
}: {
  isEnabled: boolean
  mapping: PortMapping | undefined
  failure?: string | null
}): ForwardingReport {
  if (mapping === undefined) {
    const problem = isEnabled ? (failure ?? 'The gateway forwards no port.') : null
    return { isEnabled, mapping: null, reach: null, problem }
  }
  const reach = classifyReachability(mapping.externalAddress)
  const problem = failure ?? (reach === 'public' ? null : describeReachability(mapping.externalAddress))
  return { isEnabled, mapping, reach, problem }
}
