import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'

export default class HubUnpair extends BaseCommand {
  static override summary = 'End the pairing of this server with its hub.'
  static override description =
    'Removes the enrolment also if the hub does not answer; its owner can remove the server at the hub then. Users of the hub cannot reach ' +
    'this server any more; their accounts are kept.'
  static override examples = ['<%= config.bin %> hub:unpair']
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.interrupted, EXIT.terminated, ...DATABASE_EXITS]
  static override isIdempotent = false

  async run(): Promise<object> {
    await this.parse(HubUnpair)
    const { hubUrl, serverId, isConfirmed } = await this.withServices(async (services, { signal }) => {
      const { endPairing } = await import('../../core/hub-link/index.ts')
      return endPairing(services, signal)
    })
    if (!isConfirmed) this.warn(`${hubUrl} did not confirm it: remove the server there`)
    return this.finish({
      result: { hub_url: hubUrl, server_id: serverId, confirmed: isConfirmed },
      text: `This server is not paired with ${hubUrl} any more.`,
    })
  }
}
