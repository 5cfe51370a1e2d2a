import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import type { CoreServices } from '../../core/core-services.ts'
import { settingView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { readSecretInput } from '../_support/arguments/password-input.ts'
import { settingArgument } from '../_support/arguments/setting-argument.ts'

/** `not_reached`: the provider did not respond. Null: there was nothing to check. */
type KeyCheck = 'accepted' | 'not_reached' | null

export default class ConfigSet extends BaseCommand {
  static override summary = 'Set an option in the database.'
  static override description =
    'Only settings can be set in the database (docs/configuration.md lists them). Flags, the environment and the ' +
    'file have priority over the database. A running server uses some settings immediately and others after a ' +
    'restart; the output says which. A key of TMDB or TVDB is tested first; a key that the provider refuses is ' +
    'not set. accounts.local_sign_in is not switched off while an outage of the provider would lock all administrators out.'
  static override examples = [
    '<%= config.bin %> config:set metadata.overwrite_existing off',
    'pass tmdb | <%= config.bin %> config:set metadata.tmdb.api_key -',
  ]
  static override args = {
    name: settingArgument,
    value: Args.string({
      required: true,
      ignoreStdin: true,
      description:
        'as in the environment: on, off, 20 …; `-` reads it from standard input, so that a secret is not in the process list',
    }),
  }
  static override flags = {
    check: Flags.boolean({ allowNo: true, default: true, summary: 'Test the key of a provider before setting it.' }),
    'accept-sign-in-risk': Flags.boolean({
      summary:
        'Switch accounts.local_sign_in off although no administrator could sign in while the provider does not answer.',
    }),
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(ConfigSet)
    const text = args.value === '-' ? await readSecretInput('value', this.shared) : args.value
    const { setting, keyCheck } = await this.withServices(async (services) => {
      const { changeSettings, findSetting, parseSetting } = await import('../../core/platform/settings/index.ts')
      const value = parseSetting(services, { name: args.name, text })
      const checked = flags.check ? await this.checkKey(services, args.name, value) : null
      const changes = { [args.name]: value }
      const { requireSafeSignInChange } = await import('../../core/require-safe-sign-in-change.ts')
      await requireSafeSignInChange(services, { changes, isRiskAccepted: flags['accept-sign-in-risk'] })
      await changeSettings(services, changes)
      return { setting: await findSetting(services, args.name), keyCheck: checked }
    })
    const when = setting.scope === 'live' ? 'effective now' : 'effective after the next start of the server'
    const isAccepted = keyCheck === 'accepted' ? ' The provider accepts the key.' : ''
    return this.finish({
      result: { setting: settingView(setting), key_check: keyCheck },
      text: `${setting.path} is set, ${when}.${isAccepted}`,
    })
  }

  /**
   * If the provider does not respond, the key cannot be checked and is set anyway.
   * @throws AppError `metadata.key_refused`
   */
  private async checkKey(services: CoreServices, name: string, value: unknown): Promise<KeyCheck> {
    const { checkProviderKeys } = await import('../../core/metadata/index.ts')
    const [check] = await checkProviderKeys(services, { [name]: value })
    if (check === undefined) return null
    if (check.problem === null) return 'accepted'
    this.warn(`The key was not tried: ${check.problem}`)
    return 'not_reached'
  }
}
