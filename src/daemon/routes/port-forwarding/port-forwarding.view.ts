import { leaseEndTime, type ForwardingReport } from '../../../core/network/index.ts'
import { isoTimestampOrNull } from '../../../core/platform/time/index.ts'

/** The state, with the key names that existing clients read. `hostname` is the host of `server.public_url`. */
export function portForwardingView(report: ForwardingReport, publicUrl: string | undefined) {
  const { isEnabled, mapping, reach, problem } = report
  return {
    success: true as const,
    enabled: isEnabled,
    method: mapping?.protocol ?? null,
    externalIp: mapping?.externalAddress ?? null,
    externalPort: mapping?.externalPort ?? null,
    hostname: publicUrl === undefined ? null : new URL(publicUrl).hostname,
    reach,
    expiresAt: isoTimestampOrNull(mapping === null ? null : leaseEndTime(mapping)),
    problem,
  }
}

/**
 * The addresses at which clients on the Internet reach the server; empty if the external address is not public. In spite of its name,
 * `hostname` is a URL here: existing clients expect it.
 */
export function addressCandidatesView({ mapping, reach }: ForwardingReport, publicUrl: string | undefined) {
  const externalIp = mapping?.externalAddress ?? null
  if (mapping === null || externalIp === null || reach !== 'public') return { success: true as const, candidates: [] }
  const direct = { hostname: `http://${externalIp}:${mapping.externalPort}`, externalIp, port: mapping.externalPort }
  const named = publicUrl === undefined ? [] : [{ hostname: publicUrl, externalIp, port: portOf(publicUrl) }]
  return { success: true as const, candidates: [...named, direct] }
}

function portOf(text: string): number {
  const { port, protocol } = new URL(text)
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}
