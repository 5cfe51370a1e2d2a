import type { FastifyRequest } from 'fastify'
import { startPeriodicTask } from '../../core/platform/concurrency/index.ts'
import { AppError, describeError } from '../../core/platform/errors/index.ts'
import type { SigningServices } from '../../core/services.ts'
import { isPlayableAt, type PlaybackLimits } from '../../core/playback-limits/index.ts'
import type { App } from '../http/app-types.ts'
import { isDownloadRequest } from '../http/is-download-request.ts'
import { createOpenReplies } from '../http/open-replies.ts'
import { parseGuestRequest } from './guest-requests.ts'

/** Sessions can be ended by other processes, which send no event to this one. */
const CHECK_MILLISECONDS = 1000

/**
 * Cuts off a reply that is being sent when its session has ended, its API key was revoked, its share link no longer shows it, the limits of
 * its account have changed, the hours of its profile are over, or it may no longer be downloaded. If this process made that change, the
 * reply ends at once, else within about a second. The same applies to signed addresses of media, which contain a session or a key.
 */
export function cutOffEndedSessions(app: App, services: SigningServices): void {
  const { events, log } = services
  const replies = createOpenReplies()
  const onError = (error: unknown): void =>
    log.debug({ reason: describeError(error) }, 'the sessions of running replies could not be checked')
  app.decorateRequest('needsDownloads', false)
  app.addHook('onRequest', async (request, { raw }) => {
    const mayContinue = createCheck(services, request)
    if (mayContinue === undefined) return
    const accountId = request.account?.id ?? request.guest?.accountId
    const remove = replies.add({ accountId, mayContinue, reply: raw })
    raw.once('close', remove)
  })
  const unsubscribe = events.subscribe('account.changed', ({ accountId }) => {
    replies.endUnauthorized(accountId).catch(onError)
  })
  const task = startPeriodicTask({
    intervalMilliseconds: CHECK_MILLISECONDS,
    keepsProcessAlive: false,
    work: () => replies.endUnauthorized(),
    onError,
  })
  app.addHook('onClose', async () => {
    unsubscribe()
    await task.stop()
  })
}

/** Whether the session, the key or the link of a request may still be used. Undefined for a request with none of them. */
function createCheck(
  { addressGrants, clock, guests }: Pick<SigningServices, 'addressGrants' | 'clock' | 'guests'>,
  request: FastifyRequest,
): (() => Promise<boolean>) | undefined {
  const { grant, policyId } = request
  const isPlaying = request.routeOptions.config.playback !== undefined
  const mayGoOn = async (limits: PlaybackLimits, mayDownload: boolean): Promise<boolean> => {
    if ((request.needsDownloads || isDownloadRequest(request)) && !mayDownload) return false
    if (isPlaying && !isPlayableAt(limits, clock.now())) return false
    return request.keepPlace === null || keepsPlace(request.keepPlace(limits))
  }
  if (request.guest !== null) {
    const asking = parseGuestRequest(request)
    return async () => {
      const guest = await guests.find(asking)
      return guest !== undefined && mayGoOn(guest.limits, guest.allowsDownload)
    }
  }
  if (grant === null) return undefined
  return async () => {
    const holder = await addressGrants.holderOf(grant)
    return holder?.policyId === policyId && mayGoOn(holder.limits, holder.mayDownload)
  }
}

/** False for a stream that has lost its place: its limits were narrowed. */
async function keepsPlace(keeping: Promise<void>): Promise<boolean> {
  try {
    await keeping
    return true
  } catch (error) {
    if (error instanceof AppError && error.kind === 'limited') return false
    throw error
  }
}
