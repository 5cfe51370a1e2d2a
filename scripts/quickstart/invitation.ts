import { networkInterfaces } from 'node:os'

export const ADMIN = 'admin'

export type Served = {
  host: string | undefined
  port: number
  /** Known only in the run that made it. */
  password: string | undefined
  /** How a new password is made, when this one is lost. */
  resetCommand: string
}

const EVERY_ADDRESS = new Set([undefined, '0.0.0.0', '::'])

/** Where a browser on this machine finds the server. */
export function localAddress({ host, port }: Pick<Served, 'host' | 'port'>): string {
  if (EVERY_ADDRESS.has(host)) return `http://localhost:${port}`
  return `http://${host?.includes(':') === true ? `[${host}]` : host}:${port}`
}

/** Where other machines find it; none when it listens on one address, which is then the local one. */
export function networkAddress({ host, port }: Pick<Served, 'host' | 'port'>): string | undefined {
  if (!EVERY_ADDRESS.has(host)) return undefined
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const address = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address
  return address === undefined ? undefined : `http://${address}:${port}`
}

/** Three lines for a shell with curl: sign in, list, play. The second and third use what the first one set. */
export function linesToTry(served: Served): string[] {
  const address = localAddress(served)
  const password = served.password ?? `'"\${PHLIX_PASSWORD:?is the password of ${ADMIN}}"'`
  const list = `curl -s -H "Authorization: Bearer $TOKEN" '${address}/api/v1/media?limit=5'`
  const firstId = `${list} | grep -o '"id":"[^"]*"' | head -n 1 | cut -d '"' -f 4`
  return [
    `TOKEN=$(curl -s '${address}/api/v1/auth/login' -H 'Content-Type: application/json' -d '{"username":"${ADMIN}","password":"${password}"}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `${list} -w '\\n'`,
    `curl -s -r 0-99 -o /dev/null -w '%{http_code}, %{size_download} bytes of %{content_type}\\n' -H "Authorization: Bearer $TOKEN" "${address}/media/$(${firstId})/stream"`,
  ]
}

/** What is printed when the server is ready. */
export function invitation(served: Served): string {
  const network = networkAddress(served)
  const known = served.password !== undefined
  return [
    '',
    `Phlix is ready: ${localAddress(served)}${network === undefined ? '' : ` (in your network: ${network})`}`,
    known
      ? `Sign in as ${ADMIN} with the password ${served.password} (shown only this once).`
      : `Sign in as ${ADMIN}; a lost password is replaced by: ${served.resetCommand}`,
    '',
    `Three lines to try in another terminal${known ? '' : ' (set PHLIX_PASSWORD first)'}: sign in, list, play`,
    '',
    ...linesToTry(served),
    '',
    'Ctrl-C stops it.',
    '',
  ].join('\n')
}
