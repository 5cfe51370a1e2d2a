import { describeDevice, type DeviceInput } from '../accounts/index.ts'
import type { Database } from '../platform/database/index.ts'
import { pluralize } from '../platform/errors/index.ts'
import { rateLimitKey } from '../platform/rate-limits/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { generateDeviceCode, generateDeviceSecret } from './device-code.ts'
import { quickConnectErrors } from './errors.ts'
import {
  deleteExpiredCodeRows,
  deletePendingOfDevice,
  insertDeviceCode,
  lockClientAddress,
  selectCodeExpiries,
} from './queries.ts'

export const CODE_SECONDS = 600
export const POLL_SECONDS = 5

/** A stranger at many addresses cannot fill the code space: 20^8 codes, and three for each address. */
const MAX_OPEN_OF_ADDRESS = 3

/** More collisions in a row do not happen: with a million open codes one in 25,000 collides. */
const ATTEMPTS = 5

function tooManyCodes(retryAfterSeconds: number): Error {
  const wait =
    retryAfterSeconds < 60
      ? pluralize(retryAfterSeconds, 'second')
      : pluralize(Math.ceil(retryAfterSeconds / 60), 'minute')
  const message = `${MAX_OPEN_OF_ADDRESS} codes of this network wait already. Cancel one of them, or try again in ${wait}.`
  return quickConnectErrors.too_many_codes({ message, retryAfterSeconds })
}

/** The origin of a device's request. */
export type RequestingDevice = { clientAddress: string; isAddressKnown: boolean }

/** A code for people and the secret of its device. The secret is not stored. */
export type OpenedCode = { code: string; secret: string; pollSeconds: number; expiresAt: Date }

/**
 * Opens a code for a device without an account. It replaces the one for which a device with the same id at the same address waits: many devices
 * do not say when a person gives up. Nobody gains by that: three open codes of the address would keep the device out as well.
 * @param input.clientAddress address of the device
 * @param input.isAddressKnown false if it may be that of a proxy, which many devices share
 * @throws AppError `too_many_codes`
 */
export async function openDeviceCode(
  { db, clock }: { db: Database; clock: Clock },
  { device, clientAddress: address, isAddressKnown }: RequestingDevice & { device: DeviceInput },
): Promise<OpenedCode> {
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + CODE_SECONDS * 1000)
  const { secret, digest: secretDigest } = generateDeviceSecret()
  const { id: deviceId, name: deviceName, type: deviceType } = describeDevice(device)
  const clientKey = rateLimitKey(address)
  return db.transaction(async (connection) => {
    await lockClientAddress(connection, clientKey)
    await deleteExpiredCodeRows(connection, now)
    if (deviceId !== null && isAddressKnown) await deletePendingOfDevice(connection, { deviceId, address })
    const [first, ...others] = await selectCodeExpiries(connection, { clientKey, now })
    if (first !== undefined && others.length >= MAX_OPEN_OF_ADDRESS - 1) {
      throw tooManyCodes(Math.max(1, Math.ceil((first.getTime() - now.getTime()) / 1000)))
    }
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const code = generateDeviceCode()
      const row = {
        code,
        secretDigest,
        needsSecret: !isAddressKnown,
        deviceId,
        deviceName,
        deviceType,
        address,
        clientKey,
        pollSeconds: POLL_SECONDS,
      }
      if (await insertDeviceCode(connection, { ...row, now, expiresAt })) {
        return { code, secret, pollSeconds: POLL_SECONDS, expiresAt }
      }
    }
    throw new Error('every generated code is in use')
  })
}
