import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { UrlSigner } from '../../core/platform/keys/index.ts'
import type { SignatureQuery } from './schemas.ts'

/**
 * Returns the signer for the URLs in the response of a `signed` route. A request without an account gets URLs that expire no later than its
 * own signature; otherwise a leaked URL could renew itself forever.
 */
export function signerFor(
  { account, query }: Pick<FastifyRequest, 'account'> & { query: Static<typeof SignatureQuery> },
  signer: UrlSigner,
): UrlSigner {
  // The guard has verified the signature of requests without an account.
  return account === null ? signer.until(Number(query.exp)) : signer
}
