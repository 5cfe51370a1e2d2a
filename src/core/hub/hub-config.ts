import { join } from 'node:path'
import type { Config } from '../platform/config/index.ts'

/**
 * The configuration of a hub: its own folder `hub` in the data directory, with its own embedded database and keys, or the database
 * `hub.database` on the configured server. A hub and a media server of the same machine share nothing but the configuration file.
 */
export function hubConfig(config: Config): Config {
  return {
    ...config,
    dataDirectory: join(config.dataDirectory, 'hub'),
    options: { ...config.options, 'database.name': config.options['hub.database'] },
  }
}
