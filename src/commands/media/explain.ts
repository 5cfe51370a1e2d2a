import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { BaseCommand } from '../_support/base-command.ts'
import { describeLadder, ladderDocument } from '../_support/output/describe-ladder.ts'
import { DEVICE_PROFILE_NAMES } from '../_support/arguments/device-profiles.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'

export default class MediaExplain extends BaseCommand {
  static override summary = 'Show the qualities in which an item is streamed, and why others are not offered.'
  static override description =
    'Shows the quality ladder of a film or an episode for a device profile, from the stored properties of its file: ' +
    'each rung that is offered, and each that is not, with the reason. No job is created and no file is opened.'
  static override examples = [
    '<%= config.bin %> media:explain 2b1c8f0e-6a53-4c0e-9d0f-1f6a3f1f0c11',
    '<%= config.bin %> media:explain 2b1c8f0e-6a53-4c0e-9d0f-1f6a3f1f0c11 --profile tv-4k --json',
  ]
  static override args = { id: Args.string({ required: true, ignoreStdin: true, description: 'id of the item' }) }
  static override flags = {
    profile: Flags.option({ options: DEVICE_PROFILE_NAMES, default: 'web', summary: 'Device profile.' })(),
    plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(MediaExplain)
    const described = await this.withServices(async (services) => {
      const { getItem } = await import('../../core/catalogue/index.ts')
      const { explainItemLadder, streamingErrors } = await import('../../core/streaming/index.ts')
      const item = await getItem(services, args.id)
      const ladder = await explainItemLadder(services, item, { profile: flags.profile })
      if (ladder === null) throw streamingErrors.not_transcodable({ message: 'no video of the item is known' })
      return { item, ladder }
    })
    return this.finish({
      result: ladderDocument(described),
      text: describeLadder(described, { plain: flags.plain, output: this.output }),
    })
  }
}
