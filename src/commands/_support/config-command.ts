import type { Config } from '../../core/platform/config/index.ts'
import { AppError } from '../../core/platform/errors/index.ts'
import { BaseCommand } from './base-command.ts'

/** Base of the commands that print the configuration. */
export abstract class ConfigCommand extends BaseCommand {
  /**
   * The configuration including the settings in the database, if one exists. A database is not created for this, because it would have no
   * settings.
   */
  protected async readEffectiveConfig(): Promise<Config> {
    const config = this.readConfig()
    const { hasDatabase } = await import('../../core/platform/database/index.ts')
    if (!hasDatabase(config)) return config
    const { applyDatabaseSettings } = await import('../../core/platform/settings/index.ts')
    try {
      return await this.withDatabase(async ({ pool }) => applyDatabaseSettings({ config, db: pool }))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      this.warn(`the settings in the database cannot be read: ${error.message}`)
      return config
    }
  }
}
