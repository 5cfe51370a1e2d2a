import { isDeepStrictEqual } from 'node:util'
import type { AttemptResult } from '../outbox/index.ts'
import type { ScrobblingDependencies } from './manage-scrobblers.ts'
import { createSendRequest } from './send-request.ts'
import { lockCredentials, updateCredentials } from './queries.ts'
import type { ServerKeys } from './service.ts'
import { scrobbleServiceByName, type ScrobbleCredentials, type ScrobbleServiceName } from './services/index.ts'

/** Credentials that a service has refused. */
export type RefusedCredentials = {
  id: string
  service: ScrobbleServiceName
  credentials: ScrobbleCredentials
  keys: ServerKeys
}

/**
 * Renews the credentials of a scrobbler and stores them at once: those before are used up, whatever happens to the report. The scrobbler is
 * locked meanwhile, so that two processes never renew with the same credentials; the second one gets what the first one has stored.
 * The end of this process does not interrupt the renewal, which has a time limit.
 * @returns the new credentials; why there are none; undefined if the service has no renewal, or the connection was removed
 * @throws AppError of the outbound client
 */
export async function renewCredentials(
  services: ScrobblingDependencies,
  { id, service, credentials: refused, keys }: RefusedCredentials,
): Promise<{ credentials: ScrobbleCredentials } | { failure: AttemptResult } | undefined> {
  const { renew } = scrobbleServiceByName(service)
  if (renew === undefined) return undefined
  return services.db.transaction(async (connection) => {
    const credentials = await lockCredentials(connection, id)
    if (credentials === undefined) return undefined
    if (!isDeepStrictEqual(credentials, refused)) return { credentials }
    const renewed = await renew(createSendRequest(services, service), { credentials, keys })
    if ('credentials' in renewed) await updateCredentials(connection, { id, credentials: renewed.credentials })
    return renewed
  })
}
