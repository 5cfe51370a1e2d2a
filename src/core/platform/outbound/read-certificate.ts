import { isIP } from 'node:net'
import type { DetailedPeerCertificate, PeerCertificate } from 'node:tls'

export type Certificate = {
  expiresAt: Date
  /** Why clients refuse the certificate, in the words of OpenSSL; null if it is valid. */
  problem: string | null
}

const TIMEOUT_MILLISECONDS = 4000

/**
 * Reads the certificate of a server of this installation, whose address the administrator configured.
 * @throws Error when it cannot be reached or offers none
 */
export async function readCertificate({ host, port }: { host: string; port: number }): Promise<Certificate> {
  const tls = await import('node:tls')
  return new Promise((resolve, reject) => {
    // An invalid certificate is a result: the connection is closed before anything is sent.
    const name = isIP(host) === 0 ? { servername: host } : {}
    const socket = tls.connect({ host, port, ...name, rejectUnauthorized: false })
    socket.setTimeout(TIMEOUT_MILLISECONDS, () => socket.destroy(new Error('it does not answer')))
    socket.once('error', reject)
    socket.once('secureConnect', () => {
      const certificate: PeerCertificate | DetailedPeerCertificate = socket.getPeerCertificate()
      const problem = socket.authorizationError as unknown as string | null
      socket.destroy()
      if (certificate.valid_to === undefined) reject(new Error('it offers no certificate'))
      else resolve({ expiresAt: new Date(certificate.valid_to), problem: problem === undefined ? null : problem })
    })
  })
}
