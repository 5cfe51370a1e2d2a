import * as Flags from '@oclif/core/flags'
import { setTimeout as pause } from 'node:timers/promises'
import type { CoreServices } from '../../core/core-services.ts'
import type { OpenedClaim, StoredEnrolment } from '../../core/hub-link/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { commandErrors } from '../_support/errors.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'

/** Interval of the polls whether somebody has confirmed the code. */
const POLL_MILLISECONDS = 2000

export default class HubPair extends BaseCommand {
  static override summary = 'Pair this server with a hub, so that its users reach it from anywhere.'
  static override description =
    'Shows a code, which a user of the hub confirms within ten minutes, and waits for that. The code and its QR picture are printed on ' +
    'standard error. A running server begins to report to the hub within two seconds.'
  static override examples = [
    '<%= config.bin %> hub:pair --hub https://hub.example.org',
    '<%= config.bin %> hub:pair --hub https://hub.example.org --name "Living room" --account ada',
  ]
  static override flags = {
    hub: Flags.string({ helpValue: 'URL', summary: 'Origin of the hub; without it hub.url.' }),
    name: Flags.string({
      helpValue: 'TEXT',
      summary: 'Name of this server at the hub; without it the name of the machine.',
    }),
    account: Flags.string({
      helpValue: 'USER',
      summary: 'Account of this server that the owner at the hub acts as; without it the first administrator.',
    }),
  }
  static override exitCodes = [
    EXIT.ok,
    EXIT.failure,
    EXIT.usage,
    EXIT.notFound,
    EXIT.interrupted,
    EXIT.terminated,
    ...DATABASE_EXITS,
  ]
  static override isIdempotent = false

  async run(): Promise<object> {
    const { flags } = await this.parse(HubPair)
    const { hubBaseUrl, serverId } = await this.withServices(async (services, { signal }) => {
      const accountId = await findAccountId(services, flags.account)
      const { startPairing } = await import('../../core/hub-link/index.ts')
      const serverPort = services.config.options['server.port']
      const claim = await startPairing(services, { hubUrl: flags.hub, serverName: flags.name, serverPort }, signal)
      if (isExposed(claim.hubUrl))
        this.warn('The connection to the hub is not encrypted: anybody on the way can use its tokens')
      await this.showCode(claim)
      return waitForOwner(services, { claim, accountId, signal })
    })
    return this.finish({
      result: { hub_url: hubBaseUrl, server_id: serverId },
      text: `This server is paired with ${hubBaseUrl}.`,
    })
  }

  /** On standard error, because standard output is for the result. */
  private async showCode({ claimCode, hubUrl, expiresInSeconds }: OpenedClaim): Promise<void> {
    const { renderUnicodeCompact } = await import('uqr')
    const address = `${hubUrl}/#claim=${claimCode}`
    if (process.stderr.isTTY) this.output.message(renderUnicodeCompact(address))
    this.output.message(`Code: ${claimCode}`)
    this.output.message(`Confirm it at ${address} within ${Math.ceil(expiresInSeconds / 60)} minutes.`)
  }
}

/** Whether the tokens travel over a network without TLS. */
function isExposed(hubUrl: string): boolean {
  const { protocol, hostname } = new URL(hubUrl)
  return protocol === 'http:' && !/^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname)
}

/** @throws AppError `account_not_found`; `usage` for an account that is not active */
async function findAccountId(services: CoreServices, name: string | undefined): Promise<string | null> {
  if (name === undefined) return null
  const { getNamedAccount } = await import('../../core/accounts/index.ts')
  const account = await getNamedAccount(services, name)
  if (account.status === 'active') return account.id
  throw commandErrors.usage({ message: `${account.username} is not active` })
}

async function waitForOwner(
  services: CoreServices,
  { claim, accountId, signal }: { claim: OpenedClaim; accountId: string | null; signal: AbortSignal },
): Promise<StoredEnrolment> {
  const { pollPairing } = await import('../../core/hub-link/index.ts')
  for (;;) {
    const enrolment = await pollPairing(services, { ...claim, accountId }, signal)
    if (enrolment !== undefined) return enrolment
    await pause(POLL_MILLISECONDS, undefined, { signal })
  }
}
