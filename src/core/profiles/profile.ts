/** A person of an account, with a watching state of their own. */
export type Profile = {
  /** UUID. That of the main profile is the id of its account. */
  id: string
  accountId: string
  name: string
  isMain: boolean
  /** Whether it is for a child, who must not leave it without a PIN or password. */
  isKids: boolean
  /** The name of a picture that clients have. */
  avatar: string | null
  hasPin: boolean
  /** Whether a change of the profile needs its PIN. */
  asksPinForChanges: boolean
  mayDownload: boolean
  /** The limits of the profile itself; null: none. */
  policyId: number | null
  /** The limits that apply: those of the account and of the profile together. Null: nothing is hidden. */
  effectivePolicyId: number | null
  createdAt: Date
  updatedAt: Date
}

/** What a session knows about its profile. */
export type SessionProfile = Pick<Profile, 'id' | 'name' | 'isMain' | 'isKids' | 'mayDownload'> & {
  /**
   * Whether the profile is for a child or has limits of its own, of whatever kind: it has no administrator rights, and can change neither the
   * account nor limits. Limits of the account, which only administrators change, do not count.
   */
  isRestricted: boolean
}

/** Builds the main profile of an account in the form that a session has. */
export function buildMainProfile({
  id,
  username,
  mayDownload,
}: {
  id: string
  username: string
  mayDownload: boolean
}): SessionProfile {
  return { id, name: username, isMain: true, isKids: false, mayDownload, isRestricted: false }
}
