import { isJsonObject } from '../platform/json/index.ts'
import { passkeyErrors } from './errors.ts'
import type { Passkey } from './passkey.ts'

/** The request body that finishes a ceremony, not validated. */
export type CeremonyBody = { username?: unknown; credential?: unknown; challenge?: unknown }

/** The response of a registration; binary fields are base64 of either alphabet. */
export type RegistrationResponse = {
  attestationObject: string
  clientDataJSON: string
  transports: string[]
  deviceType: Passkey['deviceType']
}

/** The response of a login; binary fields are base64 of either alphabet. */
export type LoginResponse = { id: string; clientDataJSON: string; authenticatorData: string; signature: string }

const TRANSPORT = /^[a-z0-9-]{1,32}$/
const MAX_TRANSPORTS = 16

/**
 * Reads the `credential` of a registration. The fields are at the top level or below `response`, because some clients send the whole
 * browser object.
 * @throws AppError `missing_required_fields`
 */
export function readRegistrationResponse(credential: unknown): RegistrationResponse {
  const fields = flatten(credential)
  const transports = readTransports(fields['transports'])
  return {
    attestationObject: requireNonEmptyText(fields['attestationObject']),
    clientDataJSON: requireNonEmptyText(fields['clientDataJSON']),
    transports,
    deviceType: readDeviceType(fields['authenticatorAttachment'], transports),
  }
}

/**
 * Reads the `credential` of a login; the structure is the same.
 * @throws AppError `missing_required_fields`
 */
export function readLoginResponse(credential: unknown): LoginResponse {
  const fields = flatten(credential)
  return {
    id: requireNonEmptyText(fields['id'] ?? fields['rawId']),
    clientDataJSON: requireNonEmptyText(fields['clientDataJSON']),
    authenticatorData: requireNonEmptyText(fields['authenticatorData']),
    signature: requireNonEmptyText(fields['signature']),
  }
}

/**
 * Requires a non-empty text.
 * @throws AppError `missing_required_fields`
 */
export function requireNonEmptyText(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw passkeyErrors.missing_required_fields()
  return value
}

function flatten(credential: unknown): Partial<Record<string, unknown>> {
  if (!isJsonObject(credential)) return {}
  const { response } = credential
  return isJsonObject(response) ? { ...credential, ...response } : credential
}

/** Unknown transports are kept, because new ones may be defined; values of another form are dropped. */
function readTransports(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  const transports = value.filter((entry): entry is string => typeof entry === 'string' && TRANSPORT.test(entry))
  return [...new Set(transports)].slice(0, MAX_TRANSPORTS)
}

function readDeviceType(attachment: unknown, transports: readonly string[]): Passkey['deviceType'] {
  if (attachment === 'platform' || attachment === 'cross-platform') return attachment
  return transports.includes('internal') ? 'platform' : 'cross-platform'
}
