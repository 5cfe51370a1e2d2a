import { readSetupCode } from '../core/accounts/index.ts'
import { listLibraries } from '../core/libraries/index.ts'
import { webPageUrl } from '../core/web-page-url.ts'
import { describeError } from '../core/platform/errors/index.ts'
import type { Services } from '../core/services.ts'

type Dependencies = Pick<Services, 'config' | 'db' | 'log'>

/**
 * Logs the next step of a new server: creating the first account, with an address that creates the administrator from any machine, or
 * adding a library.
 * @param bound the address that the server listens on; `::` and `0.0.0.0` mean all addresses of the machine
 */
export async function logSetupHints(services: Dependencies, bound: { address: string; port: number }): Promise<void> {
  const { db, log } = services
  try {
    const code = await readSetupCode({ db })
    if (code !== undefined) {
      const setupAddress = `${webPageUrl(services, bound)}/#setup=${code}`
      log.notice(
        { setupAddress },
        'there is no account yet: open this address to make the administrator, or run phlix user:create',
      )
    } else if ((await listLibraries({ db })).length === 0) {
      log.notice('there is no library yet: run phlix library:create')
    }
  } catch (error) {
    // These lines are optional: the server starts without them.
    log.warning({ reason: describeError(error) }, 'the next steps could not be read')
  }
}
