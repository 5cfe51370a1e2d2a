import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { UrlSigner } from '../../core/platform/keys/index.ts'
import type { SignatureQuery } from './schemas.ts'

/**
 * Returns the signer for the URLs in the response of a `signed` route. A request without an account gets URLs that expire no later than its
 * own signature; otherwise a leaked URL could renew itself forever. They need the grant of its signature, or none if that has none.
 */
export function signerFor(
  { account, grant, query }: Pick<FastifyRequest, 'account' | 'grant'> & { query: Static<typeof SignatureQuery> },
  signer: UrlSigner,
): UrlSigner {
  // The guard has verified the signature of requests without an account.
  if (account !== null) return signer
  return (grant === null ? signer.withoutGrants() : signer).until(Number(query.exp))
}
