import type { Test } from 'tap'
import { RATE_LIMIT_SURFACES } from '../../../src/core/platform/config/index.ts'
import type { SigningServices } from '../../../src/core/services.ts'
import { testServices } from '../services.ts'

/** Services without limits of rate: a refusal for too many requests says nothing about an item. */
export function unlimitedServices(t: Test): Promise<SigningServices> {
  const flags = Object.keys(RATE_LIMIT_SURFACES).map((surface) => [`server.rate_limit.${surface}.max`, '1000000'])
  return testServices(t, { flags: Object.fromEntries(flags) as Record<string, string> })
}
