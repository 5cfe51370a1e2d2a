import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { replaceControlCharacters } from '../_support/output/table.ts'
import { itemArgument } from '../_support/arguments/item-argument.ts'
import { pluralize } from '../../core/platform/errors/index.ts'

export default class MediaRefresh extends BaseCommand {
  static override summary = 'Request the metadata of one item from the providers again.'
  static override description =
    'Earlier values of the providers are replaced; edited values stay. A series is refreshed with its seasons and ' +
    'episodes; for an episode or a season the series is refreshed. `library:refresh-metadata` does this for a ' +
    'library.'
  static override examples = ['<%= config.bin %> media:refresh 2b1c8f0e-6a53-4c0e-9d0f-1f6a3f1f0c11']
  static override args = { id: itemArgument }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, EXIT.interrupted, EXIT.terminated, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args } = await this.parse(MediaRefresh)
    const { itemId, name, rowsWritten } = await this.withMediaServices(async (services, { signal }) => {
      const { refreshItemAndSyncBoxSet } = await import('../../core/collections/index.ts')
      return refreshItemAndSyncBoxSet(services, { itemId: args.id }, signal)
    })
    return this.finish({
      result: { item_id: itemId, name, refreshed: rowsWritten },
      text: `Refreshed "${replaceControlCharacters(name)}"${rowsWritten > 1 ? ` with ${pluralize(rowsWritten - 1, 'season or episode', { plural: 'seasons and episodes' })}` : ''}`,
    })
  }
}
