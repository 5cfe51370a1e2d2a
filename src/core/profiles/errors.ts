import { defineErrors } from '../platform/errors/index.ts'

export const profileErrors = defineErrors({
  profile_not_found: {
    kind: 'not_found',
    title: 'Profile not found',
    doc: 'The account has no profile with this id.',
  },
  profile_invalid: {
    kind: 'invalid',
    code: 'profile.invalid',
    title: 'Invalid profile',
    doc: 'A name is not 3 to 50 characters long, a PIN is not 4 or 6 digits, a rating is unknown, or a picture has no name; `field` names the part.',
  },
  name_taken: {
    kind: 'conflict',
    code: 'profile.name_taken',
    title: 'Name is taken',
    doc: 'Another profile of the account has this name.',
  },
  too_many_profiles: {
    kind: 'conflict',
    code: 'profile.too_many',
    title: 'Too many profiles',
    doc: 'An account has at most 20 profiles.',
  },
  use_switch: {
    kind: 'invalid',
    code: 'profile.use_switch',
    title: 'Use the switch route',
    doc: 'A profile becomes active by `POST /api/v1/profiles/{id}/switch`, not by a change of `is_active`.',
  },
  last_profile: {
    kind: 'conflict',
    code: 'profile.last_profile',
    title: 'The last profile',
    doc: 'An account has at least one profile.',
  },
  in_use: {
    kind: 'conflict',
    code: 'profile.in_use',
    title: 'The profile is in use',
    doc: 'A session cannot delete its own profile: switch to another one first.',
  },
  main_profile: {
    kind: 'conflict',
    code: 'profile.main_profile',
    title: 'Not possible for the main profile',
    doc: 'The main profile is the account itself: it is deleted and limited with the account, and is not for children.',
  },
  no_pin: {
    kind: 'conflict',
    code: 'profile.no_pin',
    title: 'The profile has no PIN',
    doc: 'There is no PIN to be verified.',
  },
  pin_mismatch: {
    kind: 'forbidden',
    code: 'profile.pin_mismatch',
    title: 'The PIN is wrong',
    doc: 'After five wrong PINs a profile accepts none for five minutes, and after twenty for a day; an address can be wrong twenty times in fifteen minutes.',
  },
  password_mismatch: {
    kind: 'forbidden',
    code: 'profile.password_mismatch',
    title: 'The password is wrong',
    doc: 'The password is not that of the account. Failures are counted as those of a sign-in.',
  },
  proof_required: {
    kind: 'forbidden',
    code: 'profile.proof_required',
    title: 'A PIN or the password is needed',
    doc: 'The profile has a PIN, or the profile in use is one for children. Send `pin` (that of the profile) or `password` (that of the account), or verify the PIN first. `proofs` names what is accepted.',
  },
  restricted: {
    kind: 'forbidden',
    code: 'profile.restricted',
    title: 'Not in this profile',
    doc: 'The profile is for children or has limits: it cannot change the account, its profiles, or what belongs to all of them.',
  },
})
