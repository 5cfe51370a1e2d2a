import { sign } from 'node:crypto'
import { isLocalHost, serverIdentityText } from '../../hub-protocol/index.ts'
import type { Config } from '../../platform/config/index.ts'
import { readServerKeyPair } from '../../platform/keys/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import type { StoredEnrolment } from '../enrolment/enrolment-file.ts'
import { listServerUrlCandidates } from '../server-url-candidates.ts'

/** What a client asks at an address of this server. */
export type IdentityQuestion = {
  serverId: string
  nonce: string
  /** The header `Host` of the request. */
  host: string
  /** Whether the client is known to be in a local network. */
  isClientLocal: boolean
  /** The port at which the request has arrived. */
  serverPort: number
}

export type IdentityProof = {
  /** The key that the hub knows. */
  kid: string
  /** Ed25519, as base64url. */
  signature: string
  /** The origin of the hub, whose page may read the proof. */
  hubOrigin: string
}

/**
 * Signs for hosts that this server reports to its hub: another program that passes the question on cannot choose the host. An address of
 * the local network is proved to clients of a local network only. Otherwise a program in another network, where the same address is its
 * own, could get a proof through the public address of this server.
 */
export async function proveIdentity(
  { config, clock }: { config: Config; clock: Clock },
  enrolment: StoredEnrolment,
  { serverId, nonce, host, isClientLocal, serverPort }: IdentityQuestion,
): Promise<IdentityProof | undefined> {
  if (serverId.toLowerCase() !== enrolment.serverId.toLowerCase()) return undefined
  const own = listServerUrlCandidates({ config, clock }, serverPort).map((url) => new URL(url))
  const asked = own.find((url) => url.host === host.toLowerCase())
  if (asked === undefined || (isLocalHost(asked.hostname) && !isClientLocal)) return undefined
  const { kid, privateKey } = await readServerKeyPair({ config }, { kid: enrolment.keyId })
  const text = serverIdentityText({ serverId, nonce, host })
  const signature = sign(null, Buffer.from(text), privateKey).toString('base64url')
  return { kid, signature, hubOrigin: enrolment.hubBaseUrl }
}
