/** Where a home server proves at one of its addresses who it is. */
export const SERVER_IDENTITY_PATH = '/api/v1/server-identity'

/** A nonce: 16 to 64 bytes as base64url. */
export const IDENTITY_NONCE_PATTERN = '^[A-Za-z0-9_-]{22,86}$'

/**
 * The text that a home server signs with its Ed25519 key when it is asked at one of its addresses. The first line separates it from
 * everything else that the key signs: those are JWTs, which have no line breaks.
 * @param input.nonce of the client, so that an earlier reply proves nothing
 * @param input.host host and port that the client has asked, as in the header `Host`
 */
export function serverIdentityText({
  serverId,
  nonce,
  host,
}: {
  serverId: string
  nonce: string
  host: string
}): string {
  return ['phlix server identity v1', serverId.toLowerCase(), nonce, host.toLowerCase()].join('\n')
}
