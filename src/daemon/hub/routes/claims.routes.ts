import { confirmClaim, fetchClaim, openClaim, type EnrolmentMaterial } from '../../../core/hub/index.ts'
import { IdParameters } from '../../http/schemas.ts'
import { resolveHubOrigin, signedInUser, type HubRoutePlugin } from '../hub-context.ts'
import { installPairingErrors, requireProtocol } from '../pairing-errors.ts'
import { ClaimBody, ClaimState, EnrolledServerReply, NewClaim, NewClaimBody } from './claims.schemas.ts'

const enrolledView = ({ serverId, enrolmentJwt }: EnrolmentMaterial, hubOrigin: string) => ({
  enrollment_jwt: enrolmentJwt,
  hub_jwks_url: `${hubOrigin}/.well-known/jwks.json`,
  server_id: serverId,
})

/** Pairing: a home server opens a claim, a user confirms its code, and the home server fetches its enrolment. */
export const claimRoutes: HubRoutePlugin = (app, { services, tunnelPort }) => {
  installPairingErrors(app)
  requireProtocol(app)

  app.route({
    method: 'POST',
    url: '/new',
    config: { access: 'public', surface: 'hub_pair' },
    schema: { body: NewClaimBody, response: { 200: NewClaim } },
    handler: async (request) => {
      const { serverName, version, publicKeysJwk: publicKeys, hostnameCandidates = [], proof } = request.body
      const hubOrigin = resolveHubOrigin(services, request)
      const input = { serverName, version, publicKeys, proof, hostnameCandidates, hubOrigin }
      const { code, claimId, expiresInSeconds } = await openClaim(services, input)
      return { claimCode: code, claimId, expiresIn: expiresInSeconds, hubBaseUrl: hubOrigin }
    },
  })

  app.route({
    method: 'POST',
    url: '/claim',
    config: { access: 'user', surface: 'hub_claim' },
    schema: { body: ClaimBody, response: { 200: EnrolledServerReply } },
    handler: async (request) => {
      const hubOrigin = resolveHubOrigin(services, request)
      const { clientAddress, body } = request
      const input = { code: body.claim_code, user: signedInUser(request), hubOrigin, clientAddress }
      return enrolledView(await confirmClaim(services, input), hubOrigin)
    },
  })

  app.route({
    method: 'GET',
    url: '/:id',
    config: { access: 'public', surface: 'hub_poll', isProbe: true },
    schema: { params: IdParameters, response: { 200: ClaimState } },
    handler: async (request) => {
      const hubOrigin = resolveHubOrigin(services, request)
      const material = await fetchClaim(services, { claimId: request.params.id, hubOrigin })
      if (material === undefined) return { status: 'pending' as const }
      const enrolled = enrolledView(material, hubOrigin)
      return { status: 'claimed' as const, ...enrolled, hub_base_url: hubOrigin, tunnel_port: tunnelPort }
    },
  })
}
