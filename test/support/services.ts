import type { Test } from 'tap'
import { loadConfig, type OptionPath } from '../../src/core/platform/config/index.ts'
import { createLogger } from '../../src/core/platform/logging/index.ts'
import type { MediaTools } from '../../src/core/platform/media-tools/index.ts'
import type { Clock } from '../../src/core/platform/time/index.ts'
import { createSigningServices, type SigningServices } from '../../src/core/services.ts'
import { cheapPasswordHashing } from './cheap-password.ts'
import { migratedDatabase, type TestDatabase } from './database.ts'
import { reachableDirectory } from './directories.ts'
import { sharedDiskThreads } from './disk-threads.ts'
import { sharedReaders } from './readers.ts'

/**
 * Half of the default: the pool uses its connections by turns, and each one of the server reads the catalogue and plans every statement for
 * itself.
 */
const POOL_SIZE = '4'

/** No test asks the router of the machine that it runs on: at this address of the loopback interface nothing answers. */
const NO_GATEWAY = '127.7.255.1'

export type TestServicesInput = {
  clock?: Clock
  flags?: Partial<Record<OptionPath, string>>
  environment?: Record<string, string>
  /** A database that commands of the test share; by default a new one. */
  database?: TestDatabase
  /** A data directory with an embedded database, which is used then. */
  dataDirectory?: string
}

/** The real services with a new database, an empty data directory and cheap hashes of passwords; closed at the end of the test. */
export async function testServices(t: Test, input: TestServicesInput = {}): Promise<SigningServices> {
  const environment =
    input.database?.environment ?? (input.dataDirectory === undefined ? await migratedDatabase(t) : {})
  const config = loadConfig({
    dataDirectory: input.dataDirectory ?? reachableDirectory(t),
    environment: { DB_POOL_SIZE: POOL_SIZE, PHLIX_GATEWAY: NO_GATEWAY, ...environment, ...input.environment },
    flags: input.flags ?? {},
  })
  const log = await createLogger(config, { level: 'critical' })
  const services = await createSigningServices({
    config,
    log,
    ...(input.clock === undefined ? {} : { clock: input.clock }),
  })
  t.teardown(() => services.close())
  removeNiceness(services.mediaTools)
  return Object.freeze({
    ...services,
    diskThreads: sharedDiskThreads(),
    readers: sharedReaders(),
    passwordHashing: cheapPasswordHashing(),
  })
}

/**
 * Changes the media tools, which other services hold too: analyses have the lowest priority in the product, and beside other work on the
 * machine a test would wait for them for many minutes.
 */
function removeNiceness(tools: MediaTools): void {
  const before = { ...tools }
  Object.assign(tools, {
    readPicturesAndFingerprint: (request, options) =>
      before.readPicturesAndFingerprint(request, { ...options, niceness: 0 }),
    decodeAudio: (request, options) => before.decodeAudio(request, { ...options, niceness: 0 }),
    frameMetadata: (request, options) => before.frameMetadata(request, { ...options, niceness: 0 }),
  } satisfies Partial<MediaTools>)
}
