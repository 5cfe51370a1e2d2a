import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'

const WaysRow = z.strictObject({ hasPassword: z.boolean(), hasPasskey: z.boolean(), hasLink: z.boolean() })

/** How a person can prove to be the owner of an account. */
export type SignInWays = z.infer<typeof WaysRow>

/** Whether the account can sign in while its provider does not answer. */
export const hasLocalWay = ({ hasPassword, hasPasskey }: SignInWays): boolean => hasPassword || hasPasskey

/** Undefined for an account that was deleted. */
export async function selectSignInWays(connection: Connection, accountId: string): Promise<SignInWays | undefined> {
  const row = await connection.maybeOne(sql.type(WaysRow)`
    select u.has_password,
      exists (select from passkeys p where p.user_id = u.id) as has_passkey,
      exists (select from account_sign_in_links l where l.user_id = u.id) as has_link
    from users u where u.id = ${accountId}`)
  return row ?? undefined
}
