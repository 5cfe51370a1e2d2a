import type { Config } from '../../core/platform/config/index.ts'
import { AppError } from '../../core/platform/errors/index.ts'
import { BaseCommand } from './base-command.ts'

/** What the commands that print the configuration have in common. */
export abstract class ConfigCommand extends BaseCommand {
  /** With the settings of the database, where there is one: a database is not made just to find nothing in it. */
  protected async readInForce(): Promise<Config> {
    const config = this.readConfig()
    const { isDatabaseMade } = await import('../../core/platform/database/index.ts')
    if (!isDatabaseMade(config)) return config
    const { withSettings } = await import('../../core/platform/settings/index.ts')
    try {
      return await this.withDatabase(async ({ pool }) => withSettings({ config, db: pool }))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      this.warn(`the settings in the database cannot be read: ${error.message}`)
      return config
    }
  }
}
