import * as Flags from '@oclif/core/flags'
import type { Config } from '../../core/platform/config/index.ts'
import type { Logger } from '../../core/platform/logging/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { finishInterruptedRestore } from '../_support/finish-restore.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'

export default class HubServe extends BaseCommand {
  static override summary = 'Run a hub in the foreground, through which users reach their servers.'
  static override description =
    'A hub has its own accounts, keys and database: the folder `hub` of the data directory, or the database hub.database on the server of ' +
    'DB_HOST. SIGTERM and SIGINT stop it after requests in progress. docs/hub.md describes reverse proxies with TLS.'
  static override examples = ['<%= config.bin %> hub:serve', '<%= config.bin %> hub:serve --host 127.0.0.1 --port 8800']
  static override flags = {
    host: Flags.string({ helpValue: 'ADDRESS', summary: 'Address to listen on, instead of hub.host.' }),
    port: Flags.string({
      helpValue: 'PORT',
      summary: 'Port to listen on, instead of hub.port; 0 selects any free port.',
    }),
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.tempfail, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { flags } = await this.parse(HubServe)
    const config = this.readConfig({
      ...(flags.host === undefined ? {} : { 'hub.host': flags.host }),
      ...(flags.port === undefined ? {} : { 'hub.port': flags.port }),
    })
    const { createRecentLines } = await import('../../core/platform/logging/index.ts')
    const { hubConfig } = await import('../../core/hub/index.ts')
    const recentLines = createRecentLines()
    const ofHub = hubConfig(config)
    const log = await this.openLog(ofHub, config.options['logging.level'], recentLines)
    await upgradeEngineOf(ofHub, log)
    const { runHub } = await import('../../daemon/hub/serve-hub.ts')
    await runHub({ config: ofHub, log, recentLines, hourlyWork: () => removeOldClusters(ofHub, log) })
    return this.finish({ result: { stopped: true } })
  }
}

/**
 * The upgrade of the embedded database is part of `core/backups`, which `core/hub` does not import. Therefore this command runs it. First it
 * finishes an upgrade that was interrupted while it renamed folders. `parse` does the same, but only for the data directory of the media server.
 */
async function upgradeEngineOf(config: Config, log: Logger): Promise<void> {
  await finishInterruptedRestore(config.dataDirectory)
  const { hubMigrationsFolder, findOlderClusterVersion } = await import('../../core/platform/database/index.ts')
  if (findOlderClusterVersion(config.dataDirectory) === undefined) return
  const { upgradeStoppedEngine } = await import('../../core/backups/index.ts')
  const { systemClock } = await import('../../core/platform/time/index.ts')
  await upgradeStoppedEngine({ config, log, clock: systemClock }, { directory: hubMigrationsFolder('hub') })
}

/** Also records that the hub ran today on the upgraded cluster. The old cluster is removed after 14 such days. */
async function removeOldClusters(config: Config, log: Logger): Promise<void> {
  const { removeReplacedClusters } = await import('../../core/backups/index.ts')
  const { systemClock } = await import('../../core/platform/time/index.ts')
  await removeReplacedClusters({ config, log, clock: systemClock })
}
