import { isIP } from 'node:net'
import { isAddressAllowed, type OutboundTrust } from './address-guard.ts'
import { outboundErrors } from './errors.ts'

/** Ports of public addresses: among the system ports only web ports are allowed, and above them no ports of databases. */
const HIGHEST_SYSTEM_PORT = 1023
const WEB_PORTS: ReadonlySet<number> = new Set([80, 443])
const DATABASE_PORTS: ReadonlySet<number> = new Set([3306, 5432, 6379, 11_211, 27_017])

/**
 * Parses the address of a request and checks what is known before DNS resolution: scheme, userinfo, port, and a host that is an IP address
 * in any notation (the URL parser normalises it).
 * @throws AppError `outbound_refused`; the message contains only the host, because queries may hold keys
 */
export function checkUrl(text: string, trust: OutboundTrust): URL {
  const url = URL.parse(text)
  if (url === null) throw outboundErrors.outbound_refused({ message: 'The address is not a URL.' })
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw outboundErrors.outbound_refused({ message: 'Only http and https addresses are allowed.' })
  }
  if (url.username !== '' || url.password !== '') {
    throw outboundErrors.outbound_refused({ message: 'An address must not contain a user name or password.' })
  }
  if (!isPortAllowed(url, trust)) {
    throw outboundErrors.outbound_refused({ message: `The port of ${url.host} is not allowed.` })
  }
  const literal = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(literal) !== 0 && !isAddressAllowed(literal, trust)) throw hostRefusedError(url.hostname)
  return url
}

/** The error for a host that is, or resolves to, a forbidden address. */
export function hostRefusedError(host: string) {
  return outboundErrors.outbound_refused({ message: `The address of ${host} is not allowed.` })
}

function isPortAllowed({ port }: URL, trust: OutboundTrust): boolean {
  if (port === '') return true
  const number = Number(port)
  if (number === 0) return false
  if (trust === 'configured') return true
  return (number > HIGHEST_SYSTEM_PORT || WEB_PORTS.has(number)) && !DATABASE_PORTS.has(number)
}
