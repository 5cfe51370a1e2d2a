import { deleteTarget, insertTarget, listDeliveries } from '../outbox/index.ts'
import type { Config } from '../platform/config/index.ts'
import type { Connection, Database } from '../platform/database/index.ts'
import { AppError, describeError } from '../platform/errors/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import type { Outbound } from '../platform/outbound/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { scrobblingErrors } from './errors.ts'
import { createSendRequest } from './send-request.ts'
import { findServerKeys, requireServerKeys } from './server-keys.ts'
import { insertScrobbler, selectCredentials, selectScrobbler, selectScrobblers } from './queries.ts'
import type { LastReport, Scrobbler, ScrobbleServiceState } from './scrobbler.ts'
import type { ScrobbleAuthorization, SendServiceRequest } from './service.ts'
import { SCROBBLE_SERVICES, scrobbleServiceByName, type ScrobbleServiceName } from './services/index.ts'

export type ScrobblingDependencies = { config: Config; db: Database; clock: Clock; log: Logger; outbound: Outbound }

type Reference = { userId: string; service: ScrobbleServiceName }

const EVENTS = ['playback.started', 'playback.ended'] as const

/** All services, each with the connection of the account. */
export async function listScrobbleServices(
  { config, db }: { config: Config; db: Connection },
  userId: string,
): Promise<ScrobbleServiceState[]> {
  const scrobblers = await selectScrobblers(db, userId)
  const connected = new Map<ScrobbleServiceName, Scrobbler & LastReport>()
  for (const scrobbler of scrobblers) connected.set(scrobbler.service, await withLastReport({ db }, scrobbler))
  return SCROBBLE_SERVICES.map((service) => {
    const { title, authorize } = scrobbleServiceByName(service)
    return {
      service,
      title,
      isConfigured: findServerKeys(config, service) !== undefined,
      needsToken: authorize === undefined,
      scrobbler: connected.get(service) ?? null,
    }
  })
}

/** The connections of all accounts. */
export async function listScrobblers({ db }: { db: Connection }): Promise<readonly Scrobbler[]> {
  return selectScrobblers(db)
}

/**
 * Starts a connection: what the user has to do at the service. Undefined for a service whose users copy a token.
 * @throws AppError `scrobbling_not_configured`, `scrobbling_service_failed`
 */
export async function authorizeScrobbler(
  services: ScrobblingDependencies,
  service: ScrobbleServiceName,
): Promise<ScrobbleAuthorization | undefined> {
  const keys = requireServerKeys(services.config, service)
  const { authorize } = scrobbleServiceByName(service)
  return authorize?.(createUserFacingRequest(services, service), keys)
}

/**
 * Completes a connection; one that exists is replaced. Plays of the account are reported from now on.
 * @param input.code the code of `authorizeScrobbler`, or the token that the user copied
 * @throws AppError `scrobbling_not_configured`, `scrobbler_not_approved`, `scrobbler_refused`, `scrobbling_service_failed`
 */
export async function connectScrobbler(
  services: ScrobblingDependencies,
  { userId, service, code }: Reference & { code: string },
): Promise<Scrobbler> {
  const { db, clock, config } = services
  const keys = requireServerKeys(config, service)
  const { connect } = scrobbleServiceByName(service)
  const { username, credentials } = await connect(createUserFacingRequest(services, service), {
    code: code.trim(),
    keys,
  })
  return db.transaction(async (connection) => {
    const former = await selectScrobbler(connection, { userId, service })
    if (former !== undefined) await deleteTarget(connection, { id: former.id, kind: 'scrobbler' })
    const target = { kind: 'scrobbler', name: service, events: EVENTS, userId, now: clock.now() } as const
    const id = await insertTarget(connection, target)
    await insertScrobbler(connection, { id, userId, service, serviceUsername: username, credentials })
    return getScrobbler({ db: connection }, { userId, service })
  })
}

/**
 * Removes a connection with its waiting reports, and gives the keys back to the service if it can be reached.
 * @throws AppError `scrobbler_not_found`
 */
export async function disconnectScrobbler(services: ScrobblingDependencies, reference: Reference): Promise<Scrobbler> {
  const { config, db, log } = services
  const scrobbler = await getScrobbler({ db }, reference)
  const stored = await selectCredentials(db, scrobbler.id)
  await deleteTarget(db, { id: scrobbler.id, kind: 'scrobbler' })
  const { revoke } = scrobbleServiceByName(reference.service)
  const keys = findServerKeys(config, reference.service)
  if (stored !== undefined && keys !== undefined) {
    const { credentials } = stored
    await revoke?.(createSendRequest(services, reference.service), { credentials, keys }).catch((error: unknown) => {
      log.notice({ service: reference.service, reason: describeError(error) }, 'the service did not revoke the key')
    })
  }
  return scrobbler
}

async function getScrobbler({ db }: { db: Connection }, reference: Reference): Promise<Scrobbler> {
  const scrobbler = await selectScrobbler(db, reference)
  if (scrobbler === undefined) throw scrobblingErrors.scrobbler_not_found()
  return scrobbler
}

async function withLastReport({ db }: { db: Connection }, scrobbler: Scrobbler): Promise<Scrobbler & LastReport> {
  const { deliveries } = await listDeliveries({ db }, { kind: 'scrobbler', targetId: scrobbler.id, perPage: 1 })
  return { ...scrobbler, lastError: deliveries[0]?.errorMessage ?? null }
}

/** Failures of the transport are those of the service for the user. */
function createUserFacingRequest(services: ScrobblingDependencies, service: ScrobbleServiceName): SendServiceRequest {
  const send = createSendRequest(services, service)
  return async (request) => {
    try {
      return await send(request)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      throw scrobblingErrors.scrobbling_service_failed({ message: error.message, cause: error })
    }
  }
}
