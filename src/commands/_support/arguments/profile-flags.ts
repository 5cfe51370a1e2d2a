import * as Flags from '@oclif/core/flags'
import type { AccessChanges } from '../../../core/accounts/index.ts'
import type { Config } from '../../../core/platform/config/index.ts'
import type { Database } from '../../../core/platform/database/index.ts'
import type { ProfileFields } from '../../../core/profiles/index.ts'
import { limitFlags, readLimits } from './access-limits.ts'
import { playLimitFlags } from './play-limit-flags.ts'

/** Flags that describe a profile. */
export const profileFlags = {
  kids: Flags.boolean({
    allowNo: true,
    summary:
      'For a child: age 7, unrated hidden, no downloads unless given otherwise; left only with a PIN or password.',
  }),
  avatar: Flags.string({ helpValue: 'NAME', summary: 'Name of a picture that clients have.' }),
  download: Flags.boolean({ allowNo: true, summary: 'Whether the profile may download.' }),
  'pin-for-changes': Flags.boolean({ allowNo: true, summary: 'Whether people need its PIN to change the profile.' }),
  ...limitFlags,
  ...playLimitFlags,
}

type Given = Parameters<typeof readLimits>[1] & {
  kids?: boolean | undefined
  avatar?: string | undefined
  download?: boolean | undefined
  'pin-for-changes'?: boolean | undefined
}

/**
 * What flags say about a profile.
 * @throws AppError `invalid_access` for an unknown content rating
 */
export async function readProfileFields(
  services: { db: Database; config: Config },
  flags: Given,
): Promise<Omit<ProfileFields, 'limits'> & { limits: AccessChanges }> {
  return {
    isKids: flags.kids,
    avatar: flags.avatar,
    mayDownload: flags.download,
    asksPinForChanges: flags['pin-for-changes'],
    limits: await readLimits(services, flags),
  }
}
