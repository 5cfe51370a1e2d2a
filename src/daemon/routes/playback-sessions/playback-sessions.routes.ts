import type { FastifyRequest } from 'fastify'
import { listMarkers } from '../../../core/analysis/index.ts'
import { getItem, listItemParts } from '../../../core/catalogue/index.ts'
import {
  completeItemInSession,
  endPlaybackSession,
  getSessionProgress,
  listPlaybackSessions,
  recordProgress,
  startPlaybackSession,
} from '../../../core/playback/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { readDeviceDescription } from '../../http/request-device.ts'
import { IdParameters, MessageReply } from '../../http/schemas.ts'
import { requireProfileId } from '../../http/signed-in-account.ts'
import {
  CompleteBody,
  CompletedItemReply,
  SessionProgress,
  ProgressBody,
  ProgressStored,
  SessionList,
  StartedSession,
  StartSessionBody,
} from './playback-sessions.schemas.ts'
import { EMPTY_PROGRESS, progressView, sessionView } from './playback-sessions.view.ts'

/** Playback reports of players. */
export const playbackSessionRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'POST',
    url: '',
    config: { access: 'user', reveals: 'items', playback: 'nothing' },
    schema: { body: StartSessionBody, response: { 201: StartedSession } },
    handler: async (request, reply) => {
      const profileId = requireProfileId(request)
      const { id } = await startPlaybackSession(services, {
        profileId,
        ...readDeviceDescription(request, request.body),
      })
      return reply.code(201).send({ session_id: id })
    },
  })

  app.route({
    method: 'POST',
    url: '/:id/progress',
    config: { access: 'user', reveals: 'items', playback: 'report' },
    schema: { params: IdParameters, body: ProgressBody, response: { 200: ProgressStored } },
    handler: async (request) => {
      const { media_item_id: mediaItemId, position_ticks, duration_ticks, is_paused = false } = request.body
      const report = { mediaItemId, positionTicks: position_ticks, durationTicks: duration_ticks, isPaused: is_paused }
      await recordProgress(services, { ...addressOf(request), ...report })
      return { ok: true, message: 'Progress updated' }
    },
  })

  app.route({
    method: 'GET',
    url: '/:id/progress',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters, response: { 200: SessionProgress } },
    handler: async (request) => {
      const state = await getSessionProgress(services, addressOf(request))
      if (state === undefined) return EMPTY_PROGRESS
      const item = await getItem(services, state.mediaItemId)
      const parts = await listItemParts(services, item.id)
      return progressView(state, { item, parts, markers: await listMarkers(services, { item, parts }) })
    },
  })

  app.route({
    method: 'POST',
    url: '/:id/complete',
    config: { access: 'user', reveals: 'items', playback: 'end' },
    schema: { params: IdParameters, body: CompleteBody, response: { 200: CompletedItemReply } },
    handler: async (request) => {
      const { media_item_id: mediaItemId, reached_end: hasReachedEnd = true } = request.body
      await completeItemInSession(services, { ...addressOf(request), mediaItemId, hasReachedEnd })
      return { message: 'Playback completed', reached_end: hasReachedEnd }
    },
  })

  app.route({
    method: 'DELETE',
    url: '/:id',
    config: { access: 'user', reveals: 'items', playback: 'end' },
    schema: { params: IdParameters, response: { 200: MessageReply } },
    handler: async (request) => {
      await endPlaybackSession(services, addressOf(request))
      return { message: 'Session ended' }
    },
  })
}

/** The user's own sessions. */
export const mySessionRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/sessions',
    config: { access: 'user', reveals: 'items' },
    schema: { response: { 200: SessionList } },
    handler: async (request) => {
      const sessions = await listPlaybackSessions(services, { profileId: requireProfileId(request) })
      return { sessions: sessions.map(sessionView) }
    },
  })
}

function addressOf(request: Pick<FastifyRequest, 'account'> & { params: { id: string } }) {
  return { sessionId: request.params.id, profileId: requireProfileId(request) }
}
