import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { SigningServices } from '../../core/services.ts'
import { findJobItemId } from '../../core/streaming/index.ts'
import { maxKbpsOf, requireHours } from '../../core/viewing/index.ts'
import type { App } from '../http/app-types.ts'

const REMEMBERED_JOBS = 1000

type Services = Pick<SigningServices, 'addressGrants' | 'clock' | 'db' | 'streamSlots'>

/**
 * Enforces the schedules and the limits of streams of profiles on routes with which players play. It runs after the body was read, because
 * reports of players name their item there.
 */
export function installViewing(app: App, services: Services): void {
  const itemOfJob = new LRUCache<string, string>({ max: REMEMBERED_JOBS })
  app.decorateRequest('maxKbps', null)
  app.decorateRequest('keepPlace', null)
  app.addHook('preHandler', async (request) => {
    const { viewing } = request.routeOptions.config
    const { grant } = request
    if (viewing === undefined || grant === null) return
    const rule = (await services.addressGrants.holderOf(grant))?.viewing
    if (rule === undefined) return
    const device = `${grant.kind}${grant.id}`
    if (viewing === 'end') return services.streamSlots.release(device)
    requireHours(rule, services.clock.now())
    request.maxKbps = maxKbpsOf(rule)
    const itemId = await itemOf(request)
    if (itemId === undefined) return
    await services.streamSlots.hold({ rule, device, itemId })
    request.keepPlace = (current) => services.streamSlots.hold({ rule: current, device, itemId })
  })

  async function itemOf({ routeOptions, params, body }: FastifyRequest): Promise<string | undefined> {
    const { viewing } = routeOptions.config
    const { id, jobId } = params as { id?: string; jobId?: string }
    if (viewing === 'item') return id
    if (viewing === 'report') return (body as { media_item_id?: string } | undefined)?.media_item_id
    if (viewing !== 'job' || jobId === undefined) return undefined
    const known = itemOfJob.get(jobId)
    if (known !== undefined) return known
    const found = await findJobItemId(services, jobId)
    if (found !== undefined) itemOfJob.set(jobId, found)
    return found
  }
}
