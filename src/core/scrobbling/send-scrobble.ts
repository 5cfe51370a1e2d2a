import { catalogueErrors } from '../catalogue/index.ts'
import { musicErrors } from '../music/index.ts'
import type { AttemptResult, Delivery } from '../outbox/index.ts'
import { AppError } from '../platform/errors/index.ts'
import type { ScrobblingDependencies } from './manage-scrobblers.ts'
import { createSendRequest } from './send-request.ts'
import { findServerKeys } from './server-keys.ts'
import type { ReportedPlay } from './reported-play.ts'
import { selectCredentials } from './queries.ts'
import { loadPlayedItem } from './load-played-item.ts'
import { renewCredentials } from './renew-credentials.ts'
import { scrobbleServiceByName, type ScrobbleCredentials } from './services/index.ts'

/** After an outage the begins of plays are of no interest, and the ends have happened at another time than now. */
const LATE_MILLISECONDS = 600_000

/**
 * Reports a play to the service of a scrobbler. Plays that the service does not take count as delivered.
 * @throws the signal's reason
 */
export async function sendScrobble(
  services: ScrobblingDependencies,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const { config, db, clock } = services
  const stored = await selectCredentials(db, delivery.targetId)
  if (stored === undefined) return failure('The connection was removed.', { isFinal: true })
  const service = scrobbleServiceByName(stored.service)
  const play = await readPlay(services, delivery)
  if (play === 'removed') return failure('The item was removed.', { isFinal: true })
  if (play === undefined || !service.accepts(play)) return NOTHING_TO_REPORT
  const isLate = clock.now().getTime() - play.occurredAt.getTime() > LATE_MILLISECONDS
  if (play.end === null && isLate) return NOTHING_TO_REPORT
  const keys = findServerKeys(config, stored.service)
  if (keys === undefined) return failure(`The keys of this server for ${service.title} are missing.`)
  try {
    const send = createSendRequest(services, stored.service, signal)
    const report = (credentials: ScrobbleCredentials) => service.report(send, { play, isLate, credentials, keys })
    const { isUnauthorized = false, ...result } = await report(stored.credentials)
    if (!isUnauthorized) return result
    const renewed = await renewCredentials(services, { id: delivery.targetId, ...stored, keys })
    if (renewed === undefined) return result
    if ('failure' in renewed) return renewed.failure
    const { isUnauthorized: _, ...second } = await report(renewed.credentials)
    return second
  } catch (error) {
    if (signal.aborted || !(error instanceof AppError)) throw error
    return failure(error.message)
  }
}

const NOTHING_TO_REPORT: AttemptResult = { isDelivered: true, statusCode: null, responseBody: null, error: null }

/** Undefined for events and items that services are not told about. */
async function readPlay(
  services: Pick<ScrobblingDependencies, 'db'>,
  { facts, occurredAt }: Delivery,
): Promise<ReportedPlay | 'removed' | undefined> {
  if (facts.event !== 'playback.started' && facts.event !== 'playback.ended') return undefined
  try {
    const item = await loadPlayedItem(services, facts)
    if (item === undefined) return undefined
    const end =
      facts.event === 'playback.started'
        ? null
        : { playedSeconds: facts.durationSeconds, isCompleted: facts.isCompleted }
    return { item, occurredAt, end }
  } catch (error) {
    if (error instanceof AppError && REMOVED.has(error.code)) return 'removed'
    throw error
  }
}

const REMOVED: ReadonlySet<string> = new Set([
  catalogueErrors.media_item_not_found.definition.code,
  musicErrors.track_not_found.definition.code,
])

function failure(error: string, { isFinal = false } = {}): AttemptResult {
  return { isDelivered: false, statusCode: null, responseBody: null, error, ...(isFinal ? { isFinal } : {}) }
}
