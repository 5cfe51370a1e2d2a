import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Database } from '../../core/platform/database/index.ts'
import { AppError } from '../../core/platform/errors/index.ts'
import type { SigningServices } from '../../core/services.ts'
import { findJobItemId } from '../../core/streaming/index.ts'
import {
  computeMaxKbps,
  requireTimeWindow,
  requireBandwidth,
  type PlayedStream,
  type StreamNeeds,
  type PlaybackLimits,
} from '../../core/playback-limits/index.ts'
import type { App, ReadNeeds } from '../http/app-types.ts'
import { connectionClosedSignal } from '../http/connection-closed-signal.ts'

const REMEMBERED_JOBS = 1000

type Services = Pick<SigningServices, 'addressGrants' | 'clock' | 'db' | 'streamSlots' | 'viewers'>

/** Who plays, with which limits. */
type Player = { limits: PlaybackLimits; device: string }

/**
 * Enforces the schedules and the limits of streams of profiles on routes with which players play. It runs after the body was read, because
 * reports of players name their item there. Guests of a link have the limits of the profile that made it.
 */
export function installPlaybackLimits(app: App, services: Services): void {
  const itemOfJob = new LRUCache<string, string>({ max: REMEMBERED_JOBS })
  app.decorateRequest('maxKbps', null)
  app.decorateRequest('playAt', null)
  app.decorateRequest('keepPlace', null)
  app.addHook('preHandler', async (request, reply) => {
    const { playback } = request.routeOptions.config
    const player = playback === undefined ? undefined : await playerOf(services, request)
    if (player === undefined) return
    if (playback === 'end') return services.streamSlots.release(player.device)
    requireTimeWindow(player.limits, services.clock.now())
    request.maxKbps = computeMaxKbps(player.limits)
    const itemId = await itemOf(request)
    if (itemId === undefined) return
    const stream = { ...player, itemId, seenBy: await databaseOf(services, request) }
    request.maxKbps = await services.streamSlots.hold(stream)
    keepStream(services, { request, reply, stream })
  })

  async function itemOf({ routeOptions, params, body }: FastifyRequest): Promise<string | undefined> {
    const { playback } = routeOptions.config
    const { id, jobId } = params as { id?: string; jobId?: string }
    if (playback === 'item') return id
    if (playback === 'report') return (body as { media_item_id?: string } | undefined)?.media_item_id
    if (playback !== 'job' || jobId === undefined) return undefined
    const known = itemOfJob.get(jobId)
    if (known !== undefined) return known
    const found = await findJobItemId(services, jobId)
    if (found !== undefined) itemOfJob.set(jobId, found)
    return found
  }
}

async function playerOf({ addressGrants }: Services, { grant, guest }: FastifyRequest): Promise<Player | undefined> {
  if (guest !== null) return { limits: guest.limits, device: `l${guest.shareId} ${guest.browser}` }
  const holder = grant === null ? undefined : await addressGrants.holderOf(grant)
  return grant === null || holder === undefined
    ? undefined
    : { limits: holder.limits, device: `${grant.kind}${grant.id}` }
}

async function databaseOf({ db, viewers }: Services, { policyId }: FastifyRequest): Promise<Database> {
  return policyId === null ? db : (await viewers.servicesOf(policyId)).db
}

/**
 * Lets the handler say what is played, and keeps the place while it is sent. Without a limit of bandwidth the rate is read only if there is one
 * before the reply ends.
 */
function keepStream(
  { streamSlots }: Services,
  { request, reply, stream }: { request: FastifyRequest; reply: FastifyReply; stream: PlayedStream },
): void {
  let readNeeds: ReadNeeds | undefined
  let known: StreamNeeds | undefined
  let until: AbortSignal | undefined
  const readPlaying = async (): Promise<Pick<PlayedStream, 'needs' | 'until'>> => {
    known ??= await readNeeds?.()
    until ??= connectionClosedSignal(reply)
    return known === undefined ? {} : { needs: known, until }
  }
  /** What is sent was removed meanwhile: its rate is not known, now and later. Its place is still limited. */
  const forgetNeeds = (error: unknown): Pick<PlayedStream, 'needs' | 'until'> => {
    if (!(error instanceof AppError) || error.kind !== 'not_found') throw error
    readNeeds = undefined
    return {}
  }
  request.playAt = async (read) => {
    readNeeds = read
    if (request.maxKbps !== null) await streamSlots.hold({ ...stream, ...(await readPlaying()) })
  }
  request.keepPlace = async (limits) => {
    const maxKbps = computeMaxKbps(limits)
    const playing = maxKbps === null ? {} : await readPlaying().catch(forgetNeeds)
    // Before the place: if the device has reported its end, its bandwidth may be taken.
    if (playing.needs !== undefined) requireBandwidth(playing.needs, maxKbps)
    await streamSlots.hold({ ...stream, ...playing, limits, isBeingSent: true })
  }
}
