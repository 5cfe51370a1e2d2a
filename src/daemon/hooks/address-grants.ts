import type { UrlSigner } from '../../core/platform/keys/index.ts'
import type { App } from '../http/app-types.ts'

/**
 * Replaces the mark in the addresses of a reply by the grant of the request. Handlers and kept lists do not know for whom they sign; an address
 * that leaves without a grant is valid for nobody.
 */
export function installAddressGrants(app: App, { signer }: { signer: UrlSigner }): void {
  app.addHook('onSend', async ({ grant }, _reply, payload) => {
    if (grant === null || typeof payload !== 'string' || !payload.includes(signer.grantMark)) return payload
    return payload.replaceAll(signer.grantMark, signer.grantText(grant))
  })
}
