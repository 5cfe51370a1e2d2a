import type { SignedInAccount } from '../../core/accounts/index.ts'

/** A person of a group is a profile: the main one has the id and the name of its account. */
export function toGroupPerson({ profile, username }: SignedInAccount): { id: string; username: string } {
  return { id: profile.id, username: profile.isMain ? username : profile.name }
}
