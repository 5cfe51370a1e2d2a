import type { LoginSession, LinkedIdentity } from '../../core/accounts/index.ts'
import type { ApiKey } from '../../core/api-keys/index.ts'
import type { Passkey } from '../../core/passkeys/index.ts'
import { isoTimestampOrNull, toIsoTimestamp } from '../../core/platform/time/index.ts'
import {
  apiKeyView,
  deviceView,
  limitedAccountView,
  passkeyDetailView,
  profileDetailView,
  scheduleView,
  signInLinkView,
} from '../../core/views/index.ts'
import { userArgument } from '../_support/arguments/user-argument.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { loadLimitedAccount, type LimitedAccount } from '../_support/load-limited-accounts.ts'
import { loadProfiles, type LimitedProfile } from '../_support/load-profiles.ts'
import { describeLimits } from '../_support/output/describe-limits.ts'
import { describeProfile } from '../_support/output/describe-profile.ts'

type Shown = {
  limited: LimitedAccount
  profiles: readonly LimitedProfile[]
  devices: readonly LoginSession[]
  links: readonly LinkedIdentity[]
  passkeys: readonly Passkey[]
  keys: readonly ApiKey[]
}

export default class UserShow extends BaseCommand {
  static override summary = 'Show an account: its limits, profiles, devices, and the ways to sign in to it.'
  static override description =
    'Limits are those of the account and, below, those of each profile itself. Devices, links to sign-in providers, passkeys and API keys are ' +
    'listed with their ids, without secrets. user:export writes all data.'
  static override examples = ['<%= config.bin %> user:show ada', '<%= config.bin %> user:show ada@example.org --json']
  static override args = { user: userArgument }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args } = await this.parse(UserShow)
    const { shown, config } = await this.withServices(async (services) => {
      const [{ getNamedAccount, listDevices, listSignInLinks }, { listPasskeys }, { listApiKeys }] = await Promise.all([
        import('../../core/accounts/index.ts'),
        import('../../core/passkeys/index.ts'),
        import('../../core/api-keys/index.ts'),
      ])
      const account = await getNamedAccount(services, args.user)
      const owner = { accountId: account.id }
      const limited = await loadLimitedAccount(services, account)
      const [profiles, devices, links, passkeys, keys] = await Promise.all([
        loadProfiles(services, owner),
        listDevices(services, owner),
        listSignInLinks(services, owner),
        listPasskeys(services, owner),
        listApiKeys(services, owner),
      ])
      return { shown: { limited, profiles, devices, links, passkeys, keys }, config: services.config }
    })
    return this.finish({
      result: {
        user: {
          ...limitedAccountView(shown.limited.account, shown.limited),
          schedules: shown.limited.schedules.map(scheduleView),
        },
        profiles: shown.profiles.map((one) => profileDetailView(one.profile, one)),
        devices: shown.devices.map((device) => deviceView(device, { isCurrent: false })),
        links: shown.links.map((link) => signInLinkView(link, config)),
        passkeys: shown.passkeys.map(passkeyDetailView),
        api_keys: shown.keys.map(apiKeyView),
      },
      text: describe(shown),
    })
  }
}

function describe({ limited, profiles, devices, links, passkeys, keys }: Shown): string {
  const { account } = limited
  const facts: [string, string][] = [
    ['id', account.id],
    ['username', account.username],
    ['e-mail', account.email],
    ['role', account.isAdmin ? 'administrator' : 'user'],
    ['status', account.status],
    ['sees', describeLimits(limited)],
    ['created', toIsoTimestamp(account.createdAt)],
    ['last login', isoTimestampOrNull(account.lastLoginAt) ?? 'never'],
  ]
  const lists: [string, readonly string[]][] = [
    ['profiles', profiles.map((one) => `${one.profile.name}${kindOf(one)}: ${describeProfile(one)}`)],
    ['devices', devices.map(describeDevice)],
    ['links', links.map(({ provider, subject }) => `${subject} of ${provider}`)],
    [
      'passkeys',
      passkeys.map(
        ({ credentialId, registeredAt }) =>
          `${credentialId.toString('base64')}  registered ${toIsoTimestamp(registeredAt)}`,
      ),
    ],
    ['API keys', keys.map(describeKey)],
  ]
  return [...facts.map(([name, value]) => `${name.padEnd(WIDTH)}${value}`), ...lists.map(describeList)].join('\n')
}

function kindOf({ profile: { isMain, isKids, hasPin } }: LimitedProfile): string {
  const facts = [isMain && 'main', isKids && 'kids', hasPin && 'PIN'].filter((fact) => fact !== false)
  return facts.length === 0 ? '' : ` (${facts.join(', ')})`
}

function describeList([name, rows]: [string, readonly string[]]): string {
  return rows.length === 0 ? `${name.padEnd(WIDTH)}none` : [name, ...rows.map((row) => `  ${row}`)].join('\n')
}

const WIDTH = 12

function describeDevice({ id, deviceName, deviceType, address, createdAt, lastUsedAt }: LoginSession): string {
  const facts = [deviceType, address].filter((fact) => fact !== null).join(', ')
  const times = `signed in ${toIsoTimestamp(createdAt)}, last used ${toIsoTimestamp(lastUsedAt)}`
  return `${id}  ${deviceName} (${facts}), ${times}`
}

function describeKey({ id, name, hint, scopes, expiresAt, lastUsedAt }: ApiKey): string {
  const expires = expiresAt === null ? 'does not expire' : `expires ${toIsoTimestamp(expiresAt)}`
  const used = lastUsedAt === null ? 'never used' : `last used ${toIsoTimestamp(lastUsedAt)}`
  return `${id}  ${name} (${hint}…), ${scopes.join(', ')}, ${expires}, ${used}`
}
