import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { pluralize } from '../../core/platform/errors/index.ts'

const MEBIBYTE = 1024 * 1024

export default class CacheSweep extends BaseCommand {
  static override summary = 'Remove old stream segments and pictures of time lines now.'
  static override description =
    'Removes segments that were not requested for a day, transcode jobs that were not used for a week, and files ' +
    'of killed encoders. Removes more segments if less than hls.min_disk_space_bytes is free. Removes pictures of ' +
    'time lines of deleted items and changed files, and the least recently used ones above trickplay.cache_bytes, and ' +
    'converted films that were not read for a week or exceed downloads.cache_bytes. ' +
    'The daemon does the same at its start and regularly.'
  static override examples = ['<%= config.bin %> cache:sweep', '<%= config.bin %> cache:sweep --json']
  static override exitCodes = [EXIT.ok, EXIT.usage, ...DATABASE_EXITS]

  async run(): Promise<object> {
    await this.parse(CacheSweep)
    const removed = await this.withMediaServices(async (services) => {
      const { sweepStreams } = await import('../../core/streaming/index.ts')
      const { sweepDownloads } = await import('../../core/downloads/index.ts')
      return {
        ...(await sweepStreams(services)),
        trickplay: await services.trickplay.sweep(),
        downloads: await sweepDownloads(services),
      }
    })
    const { segments, bytes, jobs, abandonedEncoders, trickplay, downloads } = removed
    return this.finish({
      result: { segments, bytes, jobs, abandoned_encoders: abandonedEncoders, trickplay, downloads },
      text: `Removed ${pluralize(segments, 'segment')} (${Math.round(bytes / MEBIBYTE)} MiB), ${pluralize(jobs, 'job')}, ${pluralize(downloads.files, 'file')} of converted films and pictures of ${pluralize(trickplay.sets, 'time line')}.`,
    })
  }
}
