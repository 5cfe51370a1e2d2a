import { Args } from '@oclif/core'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { readInput } from '../_support/password-input.ts'
import { settingArgument, wireSetting } from '../_support/wire-setting.ts'

export default class ConfigSet extends BaseCommand {
  static override summary = 'Set an option in the database.'
  static override description =
    'Only settings may be set so (docs/configuration.md says which). Flags, environment and file come before what is set here. A running ' +
    'server heeds some settings at once and others after a restart; the answer says which.'
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
        'as in the environment: on, off, 20 …; `-` reads it from standard input, which keeps a secret out of the process list',
    }),
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args } = await this.parse(ConfigSet)
    const text = args.value === '-' ? await readInput('value', this.shared) : args.value
    const setting = await this.withServices(async (services) => {
      const { changeSettings, findSetting, parseSetting } = await import('../../core/platform/settings/index.ts')
      await changeSettings(services, { [args.name]: parseSetting(services, { name: args.name, text }) })
      return findSetting(services, args.name)
    })
    const when = setting.scope === 'live' ? 'heeded from now on' : 'heeded by a server that starts from now on'
    return this.finish({ result: wireSetting(setting), text: `${setting.path} is set, ${when}.` })
  }
}
