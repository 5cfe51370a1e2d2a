import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectSecurely, type ConnectionOptions, type TLSSocket } from 'node:tls'
import type { Client } from 'ldapts'
import type { LdapOptions } from './ldap-options.ts'

/** Connecting, TLS and each request. A sign-in may take five seconds. */
const STEP_MILLISECONDS = 4000

/** An open connection to the directory; the caller ends it. */
export type LdapConnection = { client: Client; end: () => void }

/**
 * Connects to the directory, with TLS if it is configured. After a lost connection the library would connect again by itself, and go on without
 * the account that searches: only one connection is permitted.
 * @throws Error of the library or of the network
 */
export async function openLdapConnection(options: LdapOptions): Promise<LdapConnection> {
  const { Client } = await import('ldapts')
  const { url, startsTls, authorities: ca } = options
  const tls: ConnectionOptions = { ...identityOf(url), ...(ca === undefined ? {} : { ca }) }
  let socket: Socket | undefined
  const onlyOnce = (open: () => Socket): Socket => {
    if (socket !== undefined) throw new Error('the directory has closed the connection')
    socket = open()
    // A TLS handshake has no time limit of its own.
    return socket.setTimeout(STEP_MILLISECONDS, () => void socket?.destroy())
  }
  const client = new Client({
    url,
    timeout: STEP_MILLISECONDS,
    connectTimeout: STEP_MILLISECONDS,
    // With these options the library uses TLS for every address.
    ...(url.startsWith('ldaps:') ? { tlsOptions: tls } : {}),
    createConnection: ((port: number, host: string) => onlyOnce(() => connectPlain(port, host))) as typeof connectPlain,
    createSecureConnection: ((first: unknown, ...rest: unknown[]) =>
      // With StartTLS it gets the open socket in its options.
      typeof first === 'object'
        ? connectSecurely(first as ConnectionOptions)
        : onlyOnce(() => openSecurely(first, rest))) as typeof connectSecurely,
  })
  const end = (): void => void socket?.destroy()
  try {
    if (startsTls) await client.startTLS(tls)
    return { client, end }
  } catch (error) {
    end()
    throw error
  }
}

function openSecurely(port: unknown, [host, options]: unknown[]): TLSSocket {
  return connectSecurely(port as number, host as string, options as ConnectionOptions)
}

/** Whom the certificate must name. Addresses are no names in TLS (RFC 6066, 3). */
function identityOf(url: string): ConnectionOptions {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) === 0 ? { host, servername: host } : { host }
}
