import { passkeyErrors } from './errors.ts'
import type { Passkey } from './passkey.ts'

/** What a client posts to finish a ceremony, not yet looked at. */
export type CeremonyBody = { username?: unknown; credential?: unknown; challenge?: unknown }

/** A registration's answer; binary fields are still base64 of either alphabet. */
export type RegistrationAnswer = {
  attestationObject: string
  clientDataJSON: string
  transports: string[]
  deviceType: Passkey['deviceType']
}

/** A login's answer, likewise. */
export type LoginAnswer = { id: string; clientDataJSON: string; authenticatorData: string; signature: string }

const TRANSPORT = /^[a-z0-9-]{1,32}$/
const MAX_TRANSPORTS = 16

/**
 * The fields of a registration's `credential`, flat as in document 1 or below `response` as browsers have them: some clients post the
 * whole object (document 4, 1.7).
 * @throws AppError `missing_required_fields`
 */
export function readRegistrationAnswer(credential: unknown): RegistrationAnswer {
  const fields = flatten(credential)
  const transports = readTransports(fields['transports'])
  return {
    attestationObject: requireText(fields['attestationObject']),
    clientDataJSON: requireText(fields['clientDataJSON']),
    transports,
    deviceType: readDeviceType(fields['authenticatorAttachment'], transports),
  }
}

/** The fields of a login's `credential`, likewise. @throws AppError `missing_required_fields` */
export function readLoginAnswer(credential: unknown): LoginAnswer {
  const fields = flatten(credential)
  return {
    id: requireText(fields['id'] ?? fields['rawId']),
    clientDataJSON: requireText(fields['clientDataJSON']),
    authenticatorData: requireText(fields['authenticatorData']),
    signature: requireText(fields['signature']),
  }
}

/** A text that has something in it. @throws AppError `missing_required_fields` */
export function requireText(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw passkeyErrors.missing_required_fields()
  return value
}

function flatten(credential: unknown): Partial<Record<string, unknown>> {
  if (!isObject(credential)) return {}
  const { response } = credential
  return isObject(response) ? { ...credential, ...response } : credential
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** New ways may be invented, so words that we do not know are kept; what is no such word is left out. */
function readTransports(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  const words = value.filter((word): word is string => typeof word === 'string' && TRANSPORT.test(word))
  return [...new Set(words)].slice(0, MAX_TRANSPORTS)
}

function readDeviceType(attachment: unknown, transports: readonly string[]): Passkey['deviceType'] {
  if (attachment === 'platform' || attachment === 'cross-platform') return attachment
  return transports.includes('internal') ? 'platform' : 'cross-platform'
}
