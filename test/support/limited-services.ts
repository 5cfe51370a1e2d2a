import { EVERYTHING, ensureItemsCarryTags, checkAndStoreRule, type AccessRule } from '../../src/core/access/index.ts'
import type { SigningServices } from '../../src/core/services.ts'

/** The services of accounts with these limits. */
export async function limitedServices(services: SigningServices, limits: Partial<AccessRule>) {
  await ensureItemsCarryTags(services, { ...EVERYTHING, ...limits })
  const policy = await checkAndStoreRule(services.db, { ...EVERYTHING, ...limits })
  if (policy === undefined) throw new Error('these limits hide nothing')
  return services.viewers.servicesOf(policy.id)
}
