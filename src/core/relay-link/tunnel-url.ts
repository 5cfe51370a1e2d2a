/** The port of tunnels of a hub that is reached without a proxy and does not announce its port. */
const TUNNEL_PORT = 8802

/**
 * The address of the tunnels of a hub. A hub with TLS is behind a proxy, which forwards `/relay/` to the port for tunnels; without TLS that
 * port is used directly.
 * @param tunnelPort the port that the hub names; null if it does not
 * @param origin the origin that the administrator has set; undefined if there is none
 */
export function hubTunnelUrl({
  hubBaseUrl,
  serverId,
  tunnelPort,
  origin,
}: {
  hubBaseUrl: string
  serverId: string
  tunnelPort: number | null
  origin: string | undefined
}): string {
  const url = new URL(origin ?? hubBaseUrl)
  if (origin === undefined && url.protocol === 'http:') url.port = String(tunnelPort ?? TUNNEL_PORT)
  const base = url.pathname.replace(/\/+$/, '')
  return `${url.protocol.replace('http', 'ws')}//${url.host}${base}/relay/${serverId}`
}
