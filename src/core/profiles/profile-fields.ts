import { EVERYTHING, type AccessRule } from '../access/index.ts'
import { profileErrors } from './errors.ts'
import type { Profile } from './profile.ts'

/** The fields of a profile that can be set; absent fields are not changed. */
export type ProfileFields = {
  name?: string | undefined
  isKids?: boolean | undefined
  avatar?: string | null | undefined
  asksPinForChanges?: boolean | undefined
  mayDownload?: boolean | undefined
  /** The limits that change. A function gets the stored limits inside the transaction, so that concurrent changes are not lost. */
  limits?: Partial<AccessRule> | ((before: AccessRule) => Partial<AccessRule>) | undefined
}

/** All fields of a profile: before or after a change, or of a new one. */
export type CompleteFields = Pick<Profile, 'name' | 'isKids' | 'avatar' | 'asksPinForChanges' | 'mayDownload'> & {
  limits: AccessRule
}

export const NEW_PROFILE: CompleteFields = {
  name: '',
  isKids: false,
  avatar: null,
  asksPinForChanges: false,
  mayDownload: true,
  limits: EVERYTHING,
}

/** The age limit of a profile that becomes one for a child, unless the same change sets another one. */
const KIDS_MAX_AGE = 7

const NAME_LENGTH = { min: 3, max: 50 }
const MAX_AVATAR_LENGTH = 50
/** The same as in names of accounts: control characters, formatting characters, private and unassigned ones. */
const HIDDEN_CHARACTERS = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u

/**
 * Merges a change into what there is. Pure.
 * @throws AppError `profile.invalid`
 */
export function mergeFields(
  before: CompleteFields,
  { name, avatar, limits: change = {}, ...given }: ProfileFields,
): CompleteFields {
  const isKids = given.isKids ?? before.isKids
  const isNewlyKids = isKids && !before.isKids
  const limits = typeof change === 'function' ? change(before.limits) : change
  const merged = { ...before.limits, ...limits }
  const hidesNothing = merged.maxAge === null && limits.maxAge === undefined
  return {
    name: name === undefined ? before.name : checkName(name),
    isKids,
    avatar: avatar === undefined ? before.avatar : checkAvatar(avatar),
    asksPinForChanges: given.asksPinForChanges ?? before.asksPinForChanges,
    mayDownload: given.mayDownload ?? (isNewlyKids ? false : before.mayDownload),
    limits: isNewlyKids && hidesNothing ? { ...merged, maxAge: KIDS_MAX_AGE } : merged,
  }
}

function checkName(text: string): string {
  const name = text.normalize('NFC').trim()
  const length = Array.from(name).length
  const isLong = length >= NAME_LENGTH.min && length <= NAME_LENGTH.max
  if (!isLong || HIDDEN_CHARACTERS.test(name) || !name.isWellFormed()) {
    throw profileErrors.profile_invalid({
      message: `a name has ${NAME_LENGTH.min} to ${NAME_LENGTH.max} visible characters`,
      details: { field: 'name' },
    })
  }
  return name
}

function checkAvatar(avatar: string | null): string | null {
  if (avatar === null || avatar === '') return null
  if (avatar.length <= MAX_AVATAR_LENGTH && /^[\w.-]+$/.test(avatar)) return avatar
  throw profileErrors.profile_invalid({
    message: `the name of a picture has up to ${MAX_AVATAR_LENGTH} letters, digits, dots and dashes`,
    details: { field: 'avatar' },
  })
}
