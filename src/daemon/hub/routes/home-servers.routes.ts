import { HEARTBEAT_SECONDS } from '../../../core/hub-protocol/index.ts'
import {
  hubErrors,
  leaveHub,
  readEnrolmentToken,
  recordHeartbeat,
  renewEnrolment,
  replaceServerKeys,
} from '../../../core/hub/index.ts'
import { toIsoTimestamp } from '../../../core/platform/time/index.ts'
import { IdParameters } from '../../http/schemas.ts'
import { resolveHubOrigin, type HubRoutePlugin } from '../hub-context.ts'
import { installPairingErrors, requireProtocol } from '../pairing-errors.ts'
import { DoneReply, Heartbeat, HeartbeatBody, KeysBody, Renewal, RenewalBody } from './home-servers.schemas.ts'

/**
 * The calls of home servers. A heartbeat and the end of a pairing are authenticated by the enrolment token, a renewal and the change of a
 * key by a proof of the key of the server: a stolen token prolongs nothing.
 */
export const homeServerRoutes: HubRoutePlugin = (app, { services, tunnelPort }) => {
  installPairingErrors(app)
  requireProtocol(app)

  /** @throws AppError `UNAUTHENTICATED` also for the token of another server */
  async function authenticate(id: string, authorization: string | undefined): Promise<string> {
    const { serverId } = await services.directory.authenticateServer(authorization)
    if (serverId !== id.toLowerCase()) throw hubErrors.enrolment_refused()
    return serverId
  }

  app.route({
    method: 'POST',
    url: '/:id/heartbeat',
    config: { access: 'public', isProbe: true },
    schema: { params: IdParameters, body: HeartbeatBody, response: { 200: Heartbeat } },
    handler: async ({ params, headers, body, clientAddress }) => {
      const { serverId, generation } = await readEnrolmentToken(services, headers.authorization)
      if (serverId !== params.id.toLowerCase()) throw hubErrors.enrolment_refused()
      const report = {
        serverId,
        version: body.version,
        timestamp: body.timestamp ?? '',
        uptimeSeconds: body.uptimeSeconds ?? 0,
        activeSessions: body.activeSessions ?? 0,
        activeTranscodes: body.activeTranscodes ?? 0,
        hostnameCandidates: body.hostnameCandidates ?? [],
        libraries: (body.libraries ?? []).map(({ library_id, library_name }) => ({ library_id, library_name })),
        capabilities: body.capabilities ?? [],
        intervalSeconds: body.intervalSeconds ?? HEARTBEAT_SECONDS.default,
      }
      const { receivedAt, members } = await recordHeartbeat(services, { generation, clientAddress, report })
      return { success: true as const, receivedAt: toIsoTimestamp(receivedAt), members, tunnel_port: tunnelPort }
    },
  })

  app.route({
    method: 'POST',
    url: '/:id/enrolment',
    config: { access: 'public', surface: 'hub_renew' },
    schema: { params: IdParameters, body: RenewalBody, response: { 200: Renewal } },
    handler: async (request) => {
      const { params, body, clientAddress } = request
      const hubOrigin = resolveHubOrigin(services, request)
      const input = { serverId: params.id, proof: body.proof, hubOrigin, clientAddress }
      return { enrollment_jwt: await renewEnrolment(services, input) }
    },
  })

  app.route({
    method: 'PUT',
    url: '/:id/keys',
    config: { access: 'public', surface: 'hub_renew' },
    schema: { params: IdParameters, body: KeysBody, response: { 200: DoneReply } },
    handler: async (request) => {
      const { params, body, clientAddress } = request
      const { publicKeysJwk: publicKeys, proof } = body
      const hubOrigin = resolveHubOrigin(services, request)
      await replaceServerKeys(services, { serverId: params.id, publicKeys, proof, hubOrigin, clientAddress })
      return { success: true as const }
    },
  })

  app.route({
    method: 'DELETE',
    url: '/:id/enrolment',
    config: { access: 'public', surface: 'hub_renew' },
    schema: { params: IdParameters, response: { 200: DoneReply } },
    handler: async ({ params, headers }) => {
      await leaveHub(services, { serverId: await authenticate(params.id, headers.authorization) })
      return { success: true as const }
    },
  })
}
