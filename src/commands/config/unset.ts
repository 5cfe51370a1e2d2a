import type { Setting } from '../../core/platform/settings/index.ts'
import { settingView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { settingArgument } from '../_support/arguments/setting-argument.ts'

export default class ConfigUnset extends BaseCommand {
  static override summary = 'Remove an option from the database.'
  static override description =
    'The value of a flag, of the environment or of the file counts from then on, else the default. The output says which. Of an option that is not ' +
    'set in the database nothing changes.'
  static override examples = ['<%= config.bin %> config:unset metadata.overwrite_existing']
  static override args = { name: settingArgument }
  static override exitCodes = [EXIT.ok, EXIT.usage, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args } = await this.parse(ConfigUnset)
    const { setting, wasStored } = await this.withServices(async (services) => {
      const { changeSettings, findSetting } = await import('../../core/platform/settings/index.ts')
      const { isStored } = await findSetting(services, args.name)
      await changeSettings(services, { [args.name]: null })
      return { setting: await findSetting(services, args.name), wasStored: isStored }
    })
    return this.finish({
      result: { setting: settingView(setting), changed: wasStored },
      text: describeUnset(setting, { wasStored }),
    })
  }
}

/** The value that applies now, and when: the database has none. */
function describeUnset({ path, option, value, origin, scope }: Setting, { wasStored }: { wasStored: boolean }): string {
  const shown = value === undefined ? 'nothing' : option.secret ? 'a secret' : JSON.stringify(value)
  const source = origin === 'default' ? 'the default' : origin
  if (!wasStored) return `${path} was not set in the database; nothing changed. It is ${shown} (${source}).`
  const when = scope === 'live' ? 'now' : 'after the next start of the server'
  return `Removed ${path} from the database. Effective ${when}: ${shown} (${source}).`
}
