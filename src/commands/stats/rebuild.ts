import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { pluralize } from '../../core/platform/errors/index.ts'

export default class StatsRebuild extends BaseCommand {
  static override summary = 'Recount all plays.'
  static override description =
    'Statistics are exact without this command. It corrects them after the rows of the database were changed directly. Plays that ' +
    'are reported meanwhile are counted afterwards.'
  static override examples = ['<%= config.bin %> stats:rebuild']
  static override exitCodes = [EXIT.ok, EXIT.usage, ...DATABASE_EXITS]

  async run(): Promise<object> {
    await this.parse(StatsRebuild)
    const correctedRows = await this.withServices(async (services) => {
      const { rebuildPlayDays } = await import('../../core/statistics/index.ts')
      return rebuildPlayDays(services)
    })
    return this.finish({
      result: { mended: correctedRows },
      text: correctedRows === 0 ? 'All days were correct.' : `Corrected ${pluralize(correctedRows, 'row')} of days.`,
    })
  }
}
