import type { OidcClient } from '../../../core/oidc/index.ts'

/**
 * Where a browser goes after a sign-in at the provider. Only these addresses exist, so that nobody can be led to another site. The page of
 * the server gets the code in the fragment, which is in no log and no `Referer`.
 */
export function returnAddress(
  client: OidcClient,
  publicUrl: string,
  outcome: { code: string } | { problem: string },
): string {
  const [name, value] = 'code' in outcome ? (['code', outcome.code] as const) : (['problem', outcome.problem] as const)
  if (client === 'app') return `phlix://sign-in?${name}=${value}`
  return `${publicUrl}/#sign-in-${name}=${value}`
}
