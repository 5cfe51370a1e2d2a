import type { FastifyRequest } from 'fastify'
import type { UrlSigner } from '../../core/platform/keys/index.ts'

/**
 * What signs the addresses in an answer of a `signed` route. Who came by a signature alone gets none that is good for longer than it:
 * an address that leaked would otherwise renew itself for ever (decisions 3.7, security SU-12).
 */
export function signerFor({ account, query }: Pick<FastifyRequest, 'account' | 'query'>, signer: UrlSigner): UrlSigner {
  if (account !== null) return signer
  // The guard has found it good.
  const { exp } = query as { exp: string }
  return signer.until(Number(exp))
}
