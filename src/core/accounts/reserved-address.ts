import { validationFailure } from './validation-failure.ts'

/** The domain of the addresses of accounts that are made for users of a hub. No real domain can have this name (RFC 6761, 6.4). */
export const HUB_MEMBER_EMAIL_DOMAIN = 'hub.invalid'

/** Whether an address is of that domain. */
export function isReservedAddress(email: unknown): boolean {
  return typeof email === 'string' && email.normalize('NFC').toLowerCase().endsWith(`@${HUB_MEMBER_EMAIL_DOMAIN}`)
}

/**
 * Refuses an address of that domain for people who choose their address themselves: it would look like an account of a user of the hub.
 * @throws AppError `validation_failed`
 */
export function refuseReservedAddress(email: unknown): void {
  if (isReservedAddress(email)) throw validationFailure({ email: 'is reserved for users of the hub' })
}
