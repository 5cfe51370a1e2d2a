import * as Args from '@oclif/core/args'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'

export default class TranscodeCancel extends BaseCommand {
  static override summary = 'Cancel a transcode job: end its encoders and delete its files.'
  static override description =
    'Viewers of the job get no more segments and must start again. transcode:list shows the ids.'
  static override examples = ['<%= config.bin %> transcode:cancel 0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11']
  static override args = { id: Args.string({ required: true, ignoreStdin: true, description: 'id of the job' }) }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args } = await this.parse(TranscodeCancel)
    const { id, status } = await this.withMediaServices(async (services) => {
      const { cancelTranscode } = await import('../../core/streaming/index.ts')
      return cancelTranscode(services, args.id)
    })
    return this.finish({ result: { job: { id, status } }, text: `${id} is cancelled.` })
  }
}
