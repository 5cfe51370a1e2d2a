import * as Flags from '@oclif/core/flags'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { describeRepeated } from '../_support/output/describe-repeated.ts'

export default class MediaDedupe extends BaseCommand {
  static override summary = 'Remove repeated rows of files, and add the unique key of their paths if it is missing.'
  static override description =
    'A database of Phlix has this key, which permits one row for each file of a library. The command is for databases without it, ' +
    'for example after a dump was loaded without keys. The row that was added first is kept; user data, playback positions, plays ' +
    'and collection entries of the others are transferred to it. It can be interrupted and repeated. Files with the same content ' +
    'under different paths are not repeated rows: library:health --duplicates lists them.'
  static override examples = ['<%= config.bin %> media:dedupe --dry-run', '<%= config.bin %> media:dedupe --json']
  static override flags = {
    'dry-run': Flags.boolean({ char: 'n', summary: 'Only count the repeated rows.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.partial, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { flags } = await this.parse(MediaDedupe)
    const isDryRun = flags['dry-run']
    const outcome = await this.withServices(
      async (services, { signal }) => {
        const { examineRepeatedFiles } = await import('../../core/catalogue/index.ts')
        const { removeRepeatedFiles } = await import('../../core/maintenance/index.ts')
        const found = await examineRepeatedFiles(services)
        if (isDryRun) return { ...found, removedCount: 0, hasKey: !found.isKeyMissing }
        return { ...found, ...(await removeRepeatedFiles(services, signal)) }
      },
      { isSelfEnding: true },
    )
    return this.finish(describeRepeated(outcome, { isDryRun, noun: 'row', key: 'unique key of the paths of files' }))
  }
}
