import { Writable } from 'node:stream'
import type { Test } from 'tap'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { createMediaTools, type MediaTools } from '../../../src/core/platform/media-tools/index.ts'

/** The media tools of this machine, with a log that is discarded. */
export async function machineTools(t: Test): Promise<{ mediaTools: MediaTools }> {
  const config = loadConfig({ dataDirectory: t.testdirName, environment: {} })
  const destination = new Writable({ write: (_chunk, _encoding, done) => done() })
  return { mediaTools: createMediaTools({ config, log: await createLogger(config, { destination }) }) }
}
