import { completePairing, endPairing, pollPairing, startPairing } from '../../../core/hub-link/index.ts'
import { toIsoTimestamp } from '../../../core/platform/time/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { signedInAccount } from '../../http/signed-in-account.ts'
import { errorReasonBody, sendErrorAs } from '../../hooks/errors.ts'
import {
  HeartbeatSent,
  CompleteBody,
  DoneReply,
  HubState,
  PairBody,
  Paired,
  PollBody,
  PollResult,
  Unpaired,
} from './hub-link.schemas.ts'
import { hubStateView, openedClaimView } from './hub-link.view.ts'

/** `/api/v1/admin/remote/hub`: the pairing of this server with a hub. */
export const hubLinkRoutes: RoutePlugin = (app, { services }) => {
  const { hubLink, config } = services
  app.setErrorHandler((error, request, reply) => sendErrorAs(errorReasonBody, error, { request, reply }))

  app.route({
    method: 'GET',
    url: '/status',
    config: { access: 'admin', reveals: 'none' },
    schema: { response: { 200: HubState } },
    handler: async () => hubStateView(hubLink.status()),
  })

  app.route({
    method: 'POST',
    url: '/pair',
    config: { access: 'admin', reveals: 'none' },
    schema: { body: PairBody, response: { 200: Paired } },
    handler: async ({ body, socket }) => {
      const serverPort = socket.localPort ?? config.options['server.port']
      return openedClaimView(
        await startPairing(services, { hubUrl: body.hubUrl, serverName: body.serverName, serverPort }),
      )
    },
  })

  app.route({
    method: 'POST',
    url: '/poll',
    config: { access: 'admin', reveals: 'none', carriesSecrets: true },
    schema: { body: PollBody, response: { 200: PollResult } },
    handler: async (request) => {
      const { claimId, hubUrl = config.options['hub.url'] ?? '' } = request.body
      const input = { claimId, hubUrl, accountId: signedInAccount(request).id }
      const enrolment = await pollPairing(services, input)
      hubLink.enrolment.check()
      if (enrolment === undefined) {
        return { success: false, token: null, serverId: null, message: 'Nobody has confirmed the code yet' }
      }
      const { enrolmentJwt: token, serverId } = enrolment
      return { success: true, token, serverId, message: 'This server is paired' }
    },
  })

  app.route({
    method: 'POST',
    url: '/complete',
    config: { access: 'admin', reveals: 'none' },
    schema: { body: CompleteBody, response: { 200: DoneReply } },
    handler: async (request) => {
      const { enrollmentJwt: enrolmentJwt, hubJwksUrl = '', serverId, hubUrl = '' } = request.body
      const accountId = signedInAccount(request).id
      await completePairing(services, { hubUrl, enrolmentJwt, hubJwksUrl, serverId, accountId })
      hubLink.enrolment.check()
      return { success: true as const }
    },
  })

  app.route({
    method: 'POST',
    url: '/unenroll',
    config: { access: 'admin', reveals: 'none' },
    schema: { response: { 200: Unpaired } },
    handler: async () => {
      const { isConfirmed } = await endPairing(services)
      hubLink.enrolment.check()
      return { success: true as const, confirmed: isConfirmed }
    },
  })

  app.route({
    method: 'POST',
    url: '/heartbeat',
    config: { access: 'admin', reveals: 'none' },
    schema: { response: { 200: HeartbeatSent } },
    handler: async () => ({ success: true as const, receivedAt: toIsoTimestamp(await hubLink.sendHeartbeat()) }),
  })
}
