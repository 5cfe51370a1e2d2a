import { join } from 'node:path'
import type { Config } from '../platform/config/index.ts'

/** The file that the server of a data directory holds while it runs. */
export function serveLockPath({ dataDirectory }: Pick<Config, 'dataDirectory'>): string {
  return join(dataDirectory, 'serve.lock')
}
