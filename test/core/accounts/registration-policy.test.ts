import t from 'tap'
import {
  authorizeRegistration,
  REGISTRATION_MODES,
  type CallerLocality,
  type RegistrationMode,
} from '../../../src/core/accounts/registration-policy.ts'

const LOCALITIES = ['loopback', 'private', 'remote'] as const satisfies CallerLocality[]
const FACTS = { hasAccounts: true, isSetupCodeValid: false, isInviteUsable: false }

/** The code of the error, or `admitted`. */
function verdict(mode: RegistrationMode, locality: CallerLocality, facts: Partial<typeof FACTS> = {}): unknown {
  try {
    authorizeRegistration({ mode, locality }, { ...FACTS, ...facts })
    return 'admitted'
  } catch (error) {
    return (error as { code: string }).code
  }
}

void t.test('the first account requires this machine or the setup code, in every mode', (t) => {
  for (const mode of REGISTRATION_MODES) {
    t.equal(verdict(mode, 'loopback', { hasAccounts: false }), 'admitted', mode)
    for (const locality of ['private', 'remote'] as const) {
      t.equal(verdict(mode, locality, { hasAccounts: false }), 'setup_code_required', `${mode} ${locality}`)
      t.equal(verdict(mode, locality, { hasAccounts: false, isInviteUsable: true }), 'setup_code_required', mode)
      t.equal(verdict(mode, locality, { hasAccounts: false, isSetupCodeValid: true }), 'admitted', mode)
    }
  }
  t.end()
})

void t.test('later accounts depend on the mode', (t) => {
  const rows = REGISTRATION_MODES.map((mode) => LOCALITIES.map((locality) => verdict(mode, locality)))
  const closed = 'registration_closed'
  t.strictSame(rows, [
    ['admitted', 'admitted', 'admitted'],
    ['admitted', 'admitted', closed],
    [closed, closed, closed],
    [closed, closed, closed],
  ])
  t.end()
})

void t.test('an invite is sufficient in every mode except closed; the setup code is no longer valid', (t) => {
  for (const mode of REGISTRATION_MODES) {
    const invited = verdict(mode, 'remote', { isInviteUsable: true })
    t.equal(invited, mode === 'closed' ? 'registration_closed' : 'admitted', mode)
    t.equal(verdict(mode, 'remote', { isSetupCodeValid: true }), verdict(mode, 'remote'), mode)
  }
  t.end()
})
