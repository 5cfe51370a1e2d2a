import { join } from 'node:path'
import type { Config } from '../platform/config/index.ts'

/**
 * Returns the configuration of a hub. Its keys and its embedded database are in the folder `hub` of the data directory. With an external
 * database server, its database is `hub.database`. A hub and a media server on the same machine share only the configuration file.
 */
export function hubConfig(config: Config): Config {
  return {
    ...config,
    dataDirectory: join(config.dataDirectory, 'hub'),
    options: { ...config.options, 'database.name': config.options['hub.database'] },
  }
}
