import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { UrlSigner } from '../../core/platform/keys/index.ts'
import type { SignatureQuery } from './schemas.ts'

/**
 * What signs the addresses in an answer of a `signed` route. Who came by a signature alone gets none that is good for longer than it:
 * an address that leaked would otherwise renew itself for ever (decisions 3.7, security SU-12).
 */
export function signerFor(
  { account, query }: Pick<FastifyRequest, 'account'> & { query: Static<typeof SignatureQuery> },
  signer: UrlSigner,
): UrlSigner {
  // Without an account the guard has found the signature good.
  return account === null ? signer.until(Number(query.exp)) : signer
}
