import { itemDetailView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { describeItemDetail } from '../_support/output/describe-item.ts'
import { loadShownItem } from '../_support/load-shown-item.ts'
import { itemArgument } from '../_support/arguments/item-argument.ts'

export default class MediaShow extends BaseCommand {
  static override summary = 'Show the stored data of an item: files, streams, pictures and metadata.'
  static override description = 'Reads the catalogue only; `media:inspect` reads a file.'
  static override examples = [
    '<%= config.bin %> media:show 2b1c8f0e-6a53-4c0e-9d0f-1f6a3f1f0c11',
    '<%= config.bin %> media:show 2b1c8f0e-6a53-4c0e-9d0f-1f6a3f1f0c11 --json',
  ]
  static override args = { id: itemArgument }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args } = await this.parse(MediaShow)
    const shown = await this.withServices((services) => loadShownItem(services, args.id))
    return this.finish({ result: { item: itemDetailView(shown) }, text: describeItemDetail(shown) })
  }
}
