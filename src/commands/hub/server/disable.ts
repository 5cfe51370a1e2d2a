import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { BaseCommand } from '../../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../../_support/exit-codes.ts'

export default class HubServerDisable extends BaseCommand {
  static override summary = 'Refuse a server at the hub, and end its connection.'
  static override description = 'Its tokens are refused until it is enabled again. Its owner and its shares are kept.'
  static override examples = [
    '<%= config.bin %> hub:server:disable 6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
    '<%= config.bin %> hub:server:disable 6f9619ff-8b86-4d01-b42d-00cf4fc964ff --enable',
  ]
  static override args = {
    id: Args.string({ required: true, ignoreStdin: true, description: 'id of hub:server:list' }),
  }
  static override flags = { enable: Flags.boolean({ summary: 'Permit it again.' }) }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(HubServerDisable)
    const name = await this.withHubStore(async (store) => {
      const { disableHubServer } = await import('../../../core/hub/index.ts')
      return disableHubServer(store, { id: args.id, isDisabled: !flags.enable, actor: 'command line' })
    })
    return this.finish({
      result: { id: args.id.toLowerCase(), name, disabled: !flags.enable },
      text: `${name} is ${flags.enable ? 'enabled' : 'disabled'}.`,
    })
  }
}
