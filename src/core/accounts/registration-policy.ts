import { accountErrors } from './errors.ts'

/** The registration modes for all accounts but the first. */
export const REGISTRATION_MODES = ['open', 'local', 'invite', 'closed'] as const
export type RegistrationMode = (typeof REGISTRATION_MODES)[number]

/** Location of a caller: on this machine, in a private or link-local network, or elsewhere. */
export type CallerLocality = 'loopback' | 'private' | 'remote'

/** The facts of a request that decide about a registration. */
export type RegistrationAttempt = {
  mode: RegistrationMode
  locality: CallerLocality
  /** The code that `serve` prints while the server has no account. */
  setupCode?: string | undefined
  inviteCode?: string | undefined
}

/** The facts of the database that decide about a registration. */
export type RegistrationFacts = { hasAccounts: boolean; isSetupCodeValid: boolean; isInviteUsable: boolean }

/**
 * Decides whether a registration is allowed. Pure. The first account, which becomes administrator, requires the loopback interface or the
 * setup code. For later accounts the mode decides; a usable invite is accepted in every mode but `closed`.
 * @throws AppError `setup_code_required`, `registration_closed`
 */
export function authorizeRegistration(
  { mode, locality, setupCode }: RegistrationAttempt,
  { hasAccounts, isSetupCodeValid, isInviteUsable }: RegistrationFacts,
): void {
  if (!hasAccounts) {
    if (locality === 'loopback' || isSetupCodeValid) return
    throw setupCode === undefined
      ? accountErrors.setup_code_required({ message: 'send setup_code; `phlix setup:code` prints it on the server' })
      : accountErrors.setup_code_required({
          message: 'setup_code is wrong; `phlix setup:code` prints it on the server',
        })
  }
  const isAdmitted =
    mode === 'open' || (mode === 'local' && locality !== 'remote') || (mode !== 'closed' && isInviteUsable)
  if (!isAdmitted) throw accountErrors.registration_closed({ message: REASONS[mode] })
}

/**
 * Refuses all steps of a registration while the mode is `closed`, even with an invite.
 * @throws AppError `registration_closed`
 */
export function requireOpenMode(mode: RegistrationMode): void {
  if (mode === 'closed') throw accountErrors.registration_closed({ message: REASONS[mode] })
}

const REASONS: Readonly<Record<RegistrationMode, string>> = {
  open: 'every caller may register',
  local: 'accounts are made from the local network only, or with an invite',
  invite: 'accounts are made with an invite only',
  closed: 'accounts are made by an administrator',
}
