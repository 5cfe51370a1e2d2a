import type { FastifyRequest } from 'fastify'
import type { PlaybackSession } from '../../core/playback/index.ts'
import { readDeviceType } from './device-type.ts'

type Device = Pick<PlaybackSession, 'deviceId' | 'deviceName' | 'deviceType'>

const MAX_HEADER_LENGTH = 255

/** The client's description of its device, from the body or else from the headers; null if missing. */
export function readDeviceDescription(
  request: FastifyRequest,
  body: { device_id?: string; device_name?: string; device_type?: string },
): Device {
  const { headers } = request
  return {
    deviceId: body.device_id || textOf(headers['x-device-id'] ?? headers['x-phlix-device-id']),
    deviceName: body.device_name || textOf(headers['x-phlix-device-name']),
    deviceType: body.device_type || textOf(readDeviceType(request)),
  }
}

function textOf(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && header !== '' ? header.slice(0, MAX_HEADER_LENGTH) : null
}
