import * as Flags from '@oclif/core/flags'
import type { CoreServices } from '../../core/core-services.ts'
import { userView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { commandErrors } from '../_support/errors.ts'
import { checkExclusive } from '../_support/arguments/exclusive-flags.ts'
import { userArgument } from '../_support/arguments/user-argument.ts'

export default class UserLink extends BaseCommand {
  static override summary = 'Link an account to a person of a sign-in plugin or of the OpenID provider.'
  static override description =
    'The password of the account stays valid. The subject is the id of the person at the provider. The provider is the ' +
    'issuer of auth.oidc, `ldap` for the directory of auth.ldap, or the name of an installed plugin. When a link is removed or ' +
    'replaced, all sessions of the account end; its passkeys stay.'
  static override examples = [
    '<%= config.bin %> user:link ada --provider phlix-plugin-password-service --subject ada',
    '<%= config.bin %> user:link ada --provider https://auth.example.org --subject 8f1c',
    '<%= config.bin %> user:link ada --remove',
  ]
  static override args = { user: userArgument }
  static override flags = {
    provider: Flags.string({
      helpValue: 'NAME',
      summary: 'Issuer of the OpenID provider, `ldap`, or name of a plugin.',
      dependsOn: ['subject'],
    }),
    subject: Flags.string({ helpValue: 'ID', summary: 'Id of the person at the provider.', dependsOn: ['provider'] }),
    remove: Flags.boolean({ summary: 'Remove the link of the account.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(UserLink)
    const { provider, subject } = flags
    const link = provider === undefined || subject === undefined ? null : { provider, subject }
    checkExclusive(flags.remove && link !== null, '--remove', '--provider')
    if (!flags.remove && link === null) {
      throw commandErrors.usage({
        message: 'Give --provider and --subject to link the account, or --remove to remove its link',
        hint: `phlix user:show ${args.user} shows the present link`,
      })
    }
    const { account, isChanged } = await this.withServices(async (services) => {
      const { linkAccount } = await import('../../core/accounts/index.ts')
      if (link !== null) await requireProvider(services, link.provider)
      return linkAccount(services, { usernameOrEmail: args.user, link })
    })
    return this.finish({
      result: { user: userView(account), link, changed: isChanged },
      text: describeLink({ username: account.username, link, isChanged }),
    })
  }
}

type Linking = { username: string; link: { provider: string; subject: string } | null; isChanged: boolean }

function describeLink({ username, link, isChanged }: Linking): string {
  if (link !== null)
    return `${username} is ${isChanged ? 'now' : 'already'} linked to ${link.subject} of ${link.provider}.`
  return isChanged
    ? `${username} is linked to no provider any more; all its sessions ended.`
    : `${username} was linked to no provider; nothing changed.`
}

/**
 * Refuses a provider at which nobody can sign in: the link would have no effect.
 * @throws AppError `usage`
 */
async function requireProvider(services: CoreServices, provider: string): Promise<void> {
  const { options } = services.config
  const issuer = options['auth.oidc.issuer']
  const { listPlugins } = await import('../../core/plugins/index.ts')
  const known = [
    ...(issuer === undefined ? [] : [issuer]),
    ...(options['auth.ldap.url'] === undefined ? [] : ['ldap']),
    ...(await listPlugins(services)).map(({ name }) => name),
  ]
  // Providers write their issuer with or without the slash at its end.
  if (known.some((name) => name.replace(/\/$/, '') === provider.replace(/\/$/, ''))) return
  const message =
    known.length === 0 ? 'No sign-in provider is configured' : `The provider is none of ${known.join(', ')}`
  throw commandErrors.usage({ message, hint: 'docs/single-sign-on.md says how providers are configured' })
}
