import { isIpv6Host, isLocalHost } from '../../hub-protocol/index.ts'

/** How a client may reach a home server. Clients try them in this order. */
const ACCESS_KINDS = ['lan', 'public', 'ipv6', 'relay'] as const

type AccessCandidate = {
  /** `lan`: in the network of the server; `public`: a name, or a forwarded port of IPv4; `relay`: through the hub, always the last one. */
  kind: (typeof ACCESS_KINDS)[number]
  url: string
}

/**
 * The addresses of a home server in the order in which clients try them. The hub cannot know which of the direct ones answer, and who does:
 * clients have the server prove itself there.
 * @param urls base URLs that the home server has reported
 */
export function listAccessCandidates(urls: readonly string[], relayUrl: string): AccessCandidate[] {
  const direct = urls.flatMap((url) => {
    const kind = directKind(url)
    return kind === undefined ? [] : [{ kind, url }]
  })
  const rank = ({ kind }: AccessCandidate): number => ACCESS_KINDS.indexOf(kind)
  return [...direct.toSorted((a, b) => rank(a) - rank(b)), { kind: 'relay', url: relayUrl }]
}

function directKind(url: string): AccessCandidate['kind'] | undefined {
  const host = URL.parse(url)?.hostname
  if (host === undefined) return undefined
  if (isLocalHost(host)) return 'lan'
  return isIpv6Host(host) ? 'ipv6' : 'public'
}
