import { getAccount, listDevices, revokeDevice, revokeDevices } from '../../../core/accounts/index.ts'
import { deviceView } from '../../../core/views/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters, MessageReply } from '../../http/schemas.ts'
import { requireFullSessionOfRequest, signedInSession } from '../../http/signed-in-account.ts'
import { DeviceList, DeviceParameters, RevokedDevices } from './devices.schemas.ts'

const SIGNED_OUT = 'The device is signed out'

/** The devices on which the user is signed in. A restricted session, which the hub starts, neither sees nor ends them. */
export const ownDeviceRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/devices',
    config: { access: 'user', reveals: 'none' },
    schema: { response: { 200: DeviceList } },
    handler: async (request) => {
      const { account, sessionId } = await requireFullSessionOfRequest(services, request)
      const devices = await listDevices(services, { accountId: account.id })
      return { devices: devices.map((device) => deviceView(device, { isCurrent: device.id === sessionId })) }
    },
  })

  app.route({
    method: 'DELETE',
    url: '/devices/:id',
    config: { access: 'user', reveals: 'none' },
    schema: { params: IdParameters, response: { 200: MessageReply } },
    handler: async (request) => {
      const { account } = await requireFullSessionOfRequest(services, request)
      await revokeDevice(services, { accountId: account.id, id: request.params.id })
      return { message: SIGNED_OUT }
    },
  })

  app.route({
    method: 'DELETE',
    url: '/devices',
    config: { access: 'user', reveals: 'none' },
    schema: { response: { 200: RevokedDevices } },
    handler: async (request) => {
      const { account, sessionId } = await requireFullSessionOfRequest(services, request)
      const revoked = await revokeDevices(services, { accountId: account.id, exceptSessionId: sessionId })
      return { message: 'All other devices are signed out', revoked }
    },
  })
}

/** The devices of any account, for administrators. */
export const adminDeviceRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/:id/devices',
    config: { access: 'admin', reveals: 'none' },
    schema: { params: IdParameters, response: { 200: DeviceList } },
    handler: async (request) => {
      const { id: accountId } = await getAccount(services, { accountId: request.params.id })
      const { sessionId } = signedInSession(request)
      const devices = await listDevices(services, { accountId })
      return { devices: devices.map((device) => deviceView(device, { isCurrent: device.id === sessionId })) }
    },
  })

  app.route({
    method: 'DELETE',
    url: '/:id/devices/:deviceId',
    config: { access: 'admin', reveals: 'none' },
    schema: { params: DeviceParameters, response: { 200: MessageReply } },
    handler: async ({ params }) => {
      const { id: accountId } = await getAccount(services, { accountId: params.id })
      await revokeDevice(services, { accountId, id: params.deviceId })
      return { message: SIGNED_OUT }
    },
  })

  app.route({
    method: 'DELETE',
    url: '/:id/devices',
    config: { access: 'admin', reveals: 'none' },
    schema: { params: IdParameters, response: { 200: RevokedDevices } },
    handler: async (request) => {
      const { id: accountId } = await getAccount(services, { accountId: request.params.id })
      const { sessionId } = signedInSession(request)
      const revoked = await revokeDevices(services, { accountId, exceptSessionId: sessionId })
      return { message: 'The devices are signed out', revoked }
    },
  })
}
