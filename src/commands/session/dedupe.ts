import * as Flags from '@oclif/core/flags'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { describeRepeated } from '../_support/output/describe-repeated.ts'

export default class SessionDedupe extends BaseCommand {
  static override summary = 'Remove repeated playback positions, and add their primary key if it is missing.'
  static override description =
    'A database of Phlix has this key, which permits one position for each session and item. The command is for databases without ' +
    'it, for example after a dump was loaded without keys. The newest position is kept. It can be interrupted and repeated.'
  static override examples = ['<%= config.bin %> session:dedupe --dry-run', '<%= config.bin %> session:dedupe --json']
  static override flags = {
    'dry-run': Flags.boolean({ char: 'n', summary: 'Only count the repeated positions.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.partial, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { flags } = await this.parse(SessionDedupe)
    const isDryRun = flags['dry-run']
    const outcome = await this.withServices(async (services) => {
      const { examineRepeatedStates, removeRepeatedStates } = await import('../../core/playback/index.ts')
      const found = await examineRepeatedStates(services)
      if (isDryRun) return { ...found, removedCount: 0, hasKey: !found.isKeyMissing }
      return { ...found, ...(await removeRepeatedStates(services)) }
    })
    return this.finish(describeRepeated(outcome, { isDryRun, noun: 'position', key: 'primary key of the positions' }))
  }
}
