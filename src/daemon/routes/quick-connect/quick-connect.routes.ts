import type { FastifyRequest } from 'fastify'
import {
  approveDeviceCode,
  cancelDeviceCode,
  denyDeviceCode,
  getWaitingDevice,
  openDeviceCode,
  pollDeviceCode,
  redeemDeviceCode,
} from '../../../core/quick-connect/index.ts'
import { requireUseOfProfile } from '../../../core/accounts/index.ts'
import { getProfile } from '../../../core/profiles/index.ts'
import type { App, RouteContext, RoutePlugin } from '../../http/app-types.ts'
import { readDeviceDescription } from '../../http/request-device.ts'
import { MessageReply } from '../../http/schemas.ts'
import { signedInSession } from '../../http/signed-in-account.ts'
import { SignInReply } from '../accounts/accounts.schemas.ts'
import { readDeviceInput, signedInReply } from '../accounts/sign-in.ts'
import { readProof } from '../profiles/profile-input.ts'
import {
  ApproveBody,
  CodeParameters,
  InitiateBody,
  InitiatedDeviceCode,
  DeviceCodeStatus,
  TokenBody,
  WaitingDeviceReply,
} from './quick-connect.schemas.ts'
import { initiatedView, statusView, waitingView } from './quick-connect.view.ts'

/** Sign-in by a code that a device shows and a signed-in person enters elsewhere. */
export const quickConnectRoutes: RoutePlugin = (app, context) => {
  addDeviceRoutes(app, context)
  addPersonRoutes(app, context)
}

function addDeviceRoutes(app: App, context: RouteContext): void {
  const { services } = context

  app.route({
    method: 'POST',
    url: '/initiate',
    config: { access: 'public', reveals: 'none', surface: 'quick_connect', carriesSecrets: true },
    schema: { body: InitiateBody, response: { 200: InitiatedDeviceCode } },
    handler: async (request) => {
      const { deviceId = '', deviceName = '', deviceType = '', ...body } = request.body
      const said = { device_id: deviceId, device_name: deviceName, device_type: deviceType, ...body }
      const { clientAddress, isAddressKnown } = request
      const device = readDeviceInput(request, said)
      return initiatedView(await openDeviceCode(services, { device, clientAddress, isAddressKnown }))
    },
  })

  app.route({
    method: 'GET',
    url: '/:code/status',
    config: { access: 'public', reveals: 'none', surface: 'quick_connect', isStatusPoll: true },
    schema: { params: CodeParameters, response: { 200: DeviceCodeStatus } },
    handler: async (request) => {
      return statusView(await pollDeviceCode(services, pollOf(request, request.params.code, secretOf(request))))
    },
  })

  app.route({
    method: 'DELETE',
    url: '/:code',
    config: { access: 'public', reveals: 'none', surface: 'quick_connect' },
    schema: { params: CodeParameters, response: { 200: MessageReply } },
    handler: async (request) => {
      await cancelDeviceCode(services, { code: request.params.code, secret: secretOf(request) })
      return { message: 'The device does not wait any more' }
    },
  })

  app.route({
    method: 'POST',
    url: '/:code/token',
    config: { access: 'public', reveals: 'none', surface: 'quick_connect', isStatusPoll: true, carriesSecrets: true },
    schema: { params: CodeParameters, body: TokenBody, response: { 200: SignInReply } },
    handler: async (request) => {
      const poll = pollOf(request, request.params.code, request.body.device_code)
      const { account, token } = await redeemDeviceCode(services, poll)
      return signedInReply(context, account, token)
    },
  })
}

function addPersonRoutes(app: App, { services }: RouteContext): void {
  const entryOf = (request: FastifyRequest, code: string) => {
    const { account, sessionId } = signedInSession(request)
    return { accountId: account.id, sessionId, code, clientAddress: request.clientAddress }
  }

  app.route({
    method: 'GET',
    url: '/:code',
    config: { access: 'user', reveals: 'none' },
    schema: { params: CodeParameters, response: { 200: WaitingDeviceReply } },
    handler: async (request) => waitingView(await getWaitingDevice(services, entryOf(request, request.params.code))),
  })

  app.route({
    method: 'POST',
    url: '/:code/approve',
    config: { access: 'user', reveals: 'none' },
    schema: { params: CodeParameters, body: ApproveBody, response: { 200: MessageReply } },
    handler: async (request, reply) => {
      const { account, sessionId } = signedInSession(request)
      const { profile_id: chosen, ...given } = request.body ?? {}
      const profile = await getProfile(services, { id: chosen ?? account.profile.id, accountId: account.id })
      const proof = await readProof(services, request, reply, given)
      await requireUseOfProfile(services, { account, sessionId, profile, proof })
      await approveDeviceCode(services, { ...entryOf(request, request.params.code), profileId: profile.id })
      return { message: 'The device will be signed in within seconds.' }
    },
  })

  app.route({
    method: 'POST',
    url: '/:code/deny',
    config: { access: 'user', reveals: 'none' },
    schema: { params: CodeParameters, response: { 200: MessageReply } },
    handler: async (request) => {
      await denyDeviceCode(services, entryOf(request, request.params.code))
      return { message: 'The device is not signed in' }
    },
  })
}

/** The secret of the device. Not in the address, which is written into logs. */
function secretOf({ headers }: FastifyRequest): string | undefined {
  const header = headers['x-device-code']
  return typeof header === 'string' ? header : undefined
}

function pollOf(request: FastifyRequest, code: string, secret: string | undefined) {
  const { clientAddress, isAddressKnown } = request
  return { code, secret, deviceId: readDeviceDescription(request, {}).deviceId, clientAddress, isAddressKnown }
}
