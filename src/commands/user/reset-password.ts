import * as Flags from '@oclif/core/flags'
import type { Account } from '../../core/accounts/index.ts'
import type { ApiKey } from '../../core/api-keys/index.ts'
import type { Passkey } from '../../core/passkeys/index.ts'
import type { CoreServices } from '../../core/core-services.ts'
import { apiKeyView, passkeyDetailView, userView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { describeGenerated, passwordFlags, readPassword } from '../_support/arguments/password-input.ts'
import { PASSKEY_COLUMNS } from '../_support/output/passkey-columns.ts'
import { renderTable } from '../_support/output/table.ts'
import { userArgument } from '../_support/arguments/user-argument.ts'

export default class UserResetPassword extends BaseCommand {
  static override summary = 'Set a new password for an account and end its sessions.'
  static override description =
    'Without a password a random one is generated and printed once on standard output; it is not stored in plain ' +
    'text. All sessions of the account end, with their access tokens. Passkeys and API keys are kept and listed, because ' +
    'each of them opens the account without the password. If another person may have used the account, --remove-passkeys ' +
    'and --revoke-api-keys remove what this person may have made.'
  static override examples = [
    '<%= config.bin %> user:reset-password ada',
    '<%= config.bin %> user:reset-password ada@example.org --password-file ./new-password',
  ]
  static override args = { user: userArgument }
  static override flags = {
    'revoke-sessions': Flags.boolean({ summary: 'Has no effect: a reset always ends all sessions.' }),
    'remove-passkeys': Flags.boolean({ summary: 'Remove all passkeys of the account, too.' }),
    'revoke-api-keys': Flags.boolean({ summary: 'Revoke all API keys of the account, too.' }),
    ...passwordFlags,
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]
  static override isIdempotent = false

  async run(): Promise<object> {
    const { args, flags } = await this.parse(UserResetPassword)
    const password = await readPassword(flags, this.shared)
    const { account, generatedPassword, passkeys, keys } = await this.withServices(async (services) => {
      const { resetPassword } = await import('../../core/accounts/index.ts')
      const { createPasswordHashing } = await import('../../core/platform/credentials/index.ts')
      const named = { usernameOrEmail: args.user, ...(password === undefined ? {} : { password }) }
      const reset = await resetPassword({ ...services, passwordHashing: createPasswordHashing() }, named)
      const settled = await settlePasskeys(services, reset.account, flags['remove-passkeys'])
      return { ...reset, passkeys: settled, keys: await settleKeys(services, reset.account, flags['revoke-api-keys']) }
    })
    const done = `New password set for ${account.username}; all sessions ended${this.#describePasskeys(passkeys)}${describeKeys(keys)}`
    const isGenerated = generatedPassword !== undefined
    return this.finish({
      result: {
        user: userView(account),
        ...(isGenerated ? { generated: generatedPassword } : {}),
        sessions_revoked: true,
        passkeys_kept: passkeys.kept.length,
        passkeys_removed: passkeys.removed,
        passkeys: passkeys.kept.map(passkeyDetailView),
        api_keys_revoked: keys.revoked,
        api_keys: keys.kept.map(apiKeyView),
      },
      text: isGenerated ? describeGenerated(done, generatedPassword, this.shared) : done,
      isPrintedWhenQuiet: isGenerated,
    })
  }

  #describePasskeys({ kept, removed }: Passkeys): string {
    if (removed > 0) return `, passkeys removed: ${removed}.`
    if (kept.length === 0) return '.'
    const table = renderTable(PASSKEY_COLUMNS, kept, { plain: false, output: this.output })
    return `.\nPasskeys that still open it (--remove-passkeys removes them):\n${table}`
  }
}

type Keys = { kept: readonly ApiKey[]; revoked: number }

function describeKeys({ kept, revoked }: Keys): string {
  if (revoked > 0) return `\nAPI keys revoked: ${revoked}.`
  if (kept.length === 0) return ''
  const lines = kept.map(({ id, name, hint }) => `${id}  ${name} (${hint}…)`)
  return `\nAPI keys that still open it (--revoke-api-keys revokes them):\n${lines.join('\n')}`
}

async function settleKeys(services: CoreServices, { id: accountId }: Account, isUnwanted: boolean): Promise<Keys> {
  const { listApiKeys, revokeApiKey } = await import('../../core/api-keys/index.ts')
  const keys = await listApiKeys(services, { accountId })
  if (!isUnwanted) return { kept: keys, revoked: 0 }
  for (const { id } of keys) await revokeApiKey(services, { id, accountId })
  return { kept: [], revoked: keys.length }
}

type Passkeys = { kept: readonly Passkey[]; removed: number }

async function settlePasskeys(
  services: CoreServices,
  { id: accountId }: Account,
  isUnwanted: boolean,
): Promise<Passkeys> {
  const { listPasskeys, removeAllPasskeys } = await import('../../core/passkeys/index.ts')
  if (isUnwanted) return { kept: [], removed: await removeAllPasskeys(services, { accountId }) }
  return { kept: await listPasskeys(services, { accountId }), removed: 0 }
}
