import type { FastifyReply, FastifyRequest } from 'fastify'
import { verifyAndRecordPin, requireProfileProof, switchProfile } from '../../../core/accounts/index.ts'
import {
  createProfile,
  deleteProfile,
  getProfile,
  listProfiles,
  profileErrors,
  setPin,
  updateProfile,
  type Profile,
} from '../../../core/profiles/index.ts'
import type { App, RouteContext, RoutePlugin } from '../../http/app-types.ts'
import { IdParameters, MessageReply } from '../../http/schemas.ts'
import {
  requireFullSessionOfRequest,
  requireProfileId,
  signedInAccount,
  signedInSession,
} from '../../http/signed-in-account.ts'
import { connectionClosedSignal } from '../../http/connection-closed-signal.ts'
import { Switched } from '../accounts/accounts.schemas.ts'
import { pageSignedInReply, signedInReply } from '../accounts/sign-in.ts'
import { isByAccount, ownProfileRow, readFields, readProof } from './profile-input.ts'
import {
  ChangedProfile,
  CreatedProfile,
  DeletionBody,
  NewProfileBody,
  OneProfile,
  PinBody,
  ProfileChangesBody,
  Profiles,
  SwitchBody,
  Verified,
  VerifyBody,
} from './profiles.schemas.ts'

type OfOne = FastifyRequest & { params: { id: string } }
type GivenProof = { current_pin?: string; password?: string }

/** The profiles of the account. A profile of another account is as unknown as one that does not exist. */
export const profileRoutes: RoutePlugin = (app, context) => {
  addReadRoutes(app, context)
  addChangeRoutes(app, context)
  addPinRoutes(app, context)
  addSwitchRoutes(app, context)
}

/** The profile of a path parameter, if it is one of the account. */
function ownProfile({ services }: RouteContext, request: OfOne): Promise<Profile> {
  return getProfile(services, { id: request.params.id, accountId: signedInAccount(request).id })
}

function addReadRoutes(app: App, context: RouteContext): void {
  const { services } = context

  app.route({
    method: 'GET',
    url: '',
    config: { access: 'user', reveals: 'none' },
    schema: { response: { 200: Profiles } },
    handler: async (request) => {
      const profiles = await listProfiles(services, { accountId: signedInAccount(request).id })
      return { profiles: await Promise.all(profiles.map((profile) => ownProfileRow(services, profile, request))) }
    },
  })

  app.route({
    method: 'GET',
    url: '/:id',
    config: { access: 'user', reveals: 'none' },
    schema: { params: IdParameters, response: { 200: OneProfile } },
    handler: async (request) => ({
      profile: await ownProfileRow(services, await ownProfile(context, request), request),
    }),
  })
}

function addChangeRoutes(app: App, context: RouteContext): void {
  const { services } = context

  /** For profiles that ask for their PIN before they are changed. */
  async function requireProofOfChange(request: OfOne, reply: FastifyReply, given: GivenProof): Promise<Profile> {
    const { account, sessionId } = await requireFullSessionOfRequest(services, request)
    const profile = await ownProfile(context, request)
    if (!profile.asksPinForChanges || !profile.hasPin) return profile
    const session = { accountId: account.id, sessionId }
    const proof = await readProof(services, request, reply, { pin: given.current_pin, password: given.password })
    await requireProfileProof(services, { session, profile, proof })
    return profile
  }

  app.route({
    method: 'POST',
    url: '',
    config: { access: 'user', reveals: 'none', surface: 'limit_changes' },
    schema: { body: NewProfileBody, response: { 201: CreatedProfile } },
    handler: async (request, reply) => {
      const { account } = await requireFullSessionOfRequest(services, request)
      const { name, pin } = request.body
      const fields = { ...(await readFields(services, request.body)), name }
      const asked = { accountId: account.id, fields, pin: pin ?? '', isByAccount: isByAccount(request) }
      const profile = await createProfile(services, asked)
      const row = await ownProfileRow(services, profile, request)
      return reply.code(201).send({ profile_id: profile.id, message: `${profile.name} was created`, profile: row })
    },
  })

  app.route({
    method: 'PUT',
    url: '/:id',
    config: { access: 'user', reveals: 'none', surface: 'limit_changes' },
    schema: { params: IdParameters, body: ProfileChangesBody, response: { 200: ChangedProfile } },
    handler: async (request, reply) => {
      const { is_active: isActive, current_pin: currentPin, password, ...body } = request.body
      if (isActive !== undefined) throw profileErrors.use_switch()
      const given = {
        ...(currentPin !== undefined && { current_pin: currentPin }),
        ...(password !== undefined && { password }),
      }
      const { id, accountId } = await requireProofOfChange(request, reply, given)
      const fields = await readFields(services, body)
      const profile = await updateProfile(services, { id, accountId, fields, isByAccount: isByAccount(request) })
      return {
        message: `${profile.name} was changed`,
        profile: await ownProfileRow(services, profile, request),
      }
    },
  })

  app.route({
    method: 'DELETE',
    url: '/:id',
    config: { access: 'user', reveals: 'none', surface: 'limit_changes' },
    schema: { params: IdParameters, body: DeletionBody, response: { 200: MessageReply } },
    handler: async (request, reply) => {
      const { id, accountId, isMain } = await requireProofOfChange(request, reply, request.body ?? {})
      if (id === requireProfileId(request) && !isMain) throw profileErrors.in_use()
      const { name } = await deleteProfile(services, { id, accountId })
      return { message: `${name} was deleted` }
    },
  })
}

function addPinRoutes(app: App, context: RouteContext): void {
  const { services } = context

  /** Who changes a PIN shows that it is theirs: by that PIN, by the password, or by having signed in a moment ago. */
  async function changePin(request: OfOne, reply: FastifyReply, { pin, given }: { pin: string; given: GivenProof }) {
    const { account, sessionId } = await requireFullSessionOfRequest(services, request)
    const profile = await ownProfile(context, request)
    if (profile.hasPin) {
      const session = { accountId: account.id, sessionId }
      const proof = await readProof(services, request, reply, { pin: given.current_pin, password: given.password })
      await requireProfileProof(services, { session, profile, proof, isRecentSignInEnough: true })
    }
    const { name, hasPin } = await setPin(services, { id: profile.id, accountId: account.id, pin })
    return { message: hasPin ? `${name} has a PIN` : `${name} has no PIN` }
  }

  app.route({
    method: 'POST',
    url: '/:id/pin',
    config: { access: 'user', reveals: 'none', surface: 'limit_changes' },
    schema: { params: IdParameters, body: PinBody, response: { 200: MessageReply } },
    handler: async (request, reply) => {
      const { pin, ...given } = request.body
      return changePin(request, reply, { pin: pin ?? '', given })
    },
  })

  app.route({
    method: 'DELETE',
    url: '/:id/pin',
    config: { access: 'user', reveals: 'none', surface: 'limit_changes' },
    schema: { params: IdParameters, body: DeletionBody, response: { 200: MessageReply } },
    handler: async (request, reply) => changePin(request, reply, { pin: '', given: request.body ?? {} }),
  })

  app.route({
    method: 'POST',
    url: '/:id/pin/verify',
    config: { access: 'user', reveals: 'none' },
    schema: { params: IdParameters, body: VerifyBody, response: { 200: Verified } },
    handler: async (request, reply) => {
      const { account, sessionId } = signedInSession(request)
      const profile = await ownProfile(context, request)
      const { pin } = request.body
      const attempt = { pin, clientAddress: request.clientAddress, signal: connectionClosedSignal(reply) }
      await verifyAndRecordPin(services, { session: { accountId: account.id, sessionId }, profile, ...attempt })
      return { verified: true as const }
    },
  })
}

function addSwitchRoutes(app: App, context: RouteContext): void {
  const { services } = context

  app.route({
    method: 'POST',
    url: '/:id/switch',
    config: { access: 'user', reveals: 'none', surface: 'profile_switch', carriesSecrets: true },
    schema: { params: IdParameters, body: SwitchBody, response: { 200: Switched } },
    handler: async (request, reply) => {
      const { account, sessionId } = signedInSession(request)
      const proof = await readProof(services, request, reply, request.body ?? {})
      const { token, ...session } = await switchProfile(services, {
        account,
        sessionId,
        profileId: request.params.id,
        proof,
      })
      return token === null ? pageSignedInReply(context, account, session) : signedInReply(context, account, token)
    },
  })
}
