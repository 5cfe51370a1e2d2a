import { settingView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { settingArgument } from '../_support/arguments/setting-argument.ts'

export default class ConfigUnset extends BaseCommand {
  static override summary = 'Remove an option from the database.'
  static override description = 'A flag, the environment or the file then determines the value, else the default.'
  static override examples = ['<%= config.bin %> config:unset metadata.overwrite_existing']
  static override args = { name: settingArgument }
  static override exitCodes = [EXIT.ok, EXIT.usage, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args } = await this.parse(ConfigUnset)
    const setting = await this.withServices(async (services) => {
      const { changeSettings, findSetting } = await import('../../core/platform/settings/index.ts')
      await changeSettings(services, { [args.name]: null })
      return findSetting(services, args.name)
    })
    return this.finish({
      result: { setting: settingView(setting) },
      text: `${setting.path} is not set in the database.`,
    })
  }
}
