import { createSignInProviders, type SignInProviders } from '../../src/core/accounts/index.ts'

/** No plugin checks passwords. */
export function noSignInProviders(): SignInProviders {
  return createSignInProviders({
    list: () => [],
    needsApproval: async () => false,
    lockEnabled: async () => false,
    secret: Buffer.alloc(32),
  })
}
