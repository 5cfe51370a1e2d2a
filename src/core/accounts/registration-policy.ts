import { accountErrors } from './errors.ts'

/** Who may register once there is an account. */
export const REGISTRATION_MODES = ['open', 'local', 'invite', 'closed'] as const
export type RegistrationMode = (typeof REGISTRATION_MODES)[number]

/** Where a caller is: on this machine, in a private or link-local network, or anywhere else. */
export type CallerLocality = 'loopback' | 'private' | 'remote'

/** What a registration brings to be let in. */
export type Admission = {
  mode: RegistrationMode
  locality: CallerLocality
  /** The code that `serve` prints while there is no account. */
  setupCode?: string | undefined
  inviteCode?: string | undefined
}

/** What the database says about it. */
export type RegistrationFacts = { hasAccounts: boolean; isSetupCodeRight: boolean; isInviteGood: boolean }

/**
 * Lets a registration in or not. Pure. The first account becomes administrator: it is made from this machine, or with the setup code.
 * Later ones depend on the mode; a good invite is let in whatever the mode, except `closed`.
 * @throws AppError `setup_code_required`, `registration_closed`
 */
export function judgeRegistration(
  { mode, locality, setupCode }: Admission,
  { hasAccounts, isSetupCodeRight, isInviteGood }: RegistrationFacts,
): void {
  if (!hasAccounts) {
    if (locality === 'loopback' || isSetupCodeRight) return
    throw setupCode === undefined
      ? accountErrors.setup_code_required({ message: 'send setup_code; `phlix setup:code` prints it on the server' })
      : accountErrors.setup_code_required({
          message: 'setup_code is not right; `phlix setup:code` prints it on the server',
        })
  }
  const isAdmitted =
    mode === 'open' || (mode === 'local' && locality !== 'remote') || (mode !== 'closed' && isInviteGood)
  if (!isAdmitted) throw accountErrors.registration_closed({ message: REASONS[mode] })
}

const REASONS: Readonly<Record<RegistrationMode, string>> = {
  open: 'every caller may register',
  local: 'accounts are made from the local network only, or with an invite',
  invite: 'accounts are made with an invite only',
  closed: 'accounts are made by an administrator',
}
