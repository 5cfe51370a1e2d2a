import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { BaseCommand } from '../_support/base-command.ts'
import { commandErrors } from '../_support/errors.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'

export default class DeviceRevoke extends BaseCommand {
  static override summary = 'Sign a device of a user out, or all of them.'
  static override description =
    'Requests with its tokens are refused immediately; its WebSockets close within 1 s. So do its streams, within ' +
    'about a second. The next sign-in from the device is reported as one from a new device.'
  static override examples = [
    '<%= config.bin %> device:revoke 0b6e1a5e-3f0a-4c62-9d0f-1f6a3f1f0c11 --user ann',
    '<%= config.bin %> device:revoke --user ann --all',
  ]
  static override args = {
    id: Args.string({ ignoreStdin: true, description: 'id of the device, from device:list' }),
  }
  static override flags = {
    user: Flags.string({ required: true, helpValue: 'USER', summary: 'Username or e-mail address.' }),
    all: Flags.boolean({ summary: 'Sign all devices of the user out.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]
  static override isIdempotent = 'not_found' as const

  async run(): Promise<object> {
    const { args, flags } = await this.parse(DeviceRevoke)
    const { id } = args
    if ((id === undefined) !== flags.all) {
      throw commandErrors.usage({
        message: 'Give either the id of a device or --all',
        hint: `phlix device:list ${flags.user} shows the ids`,
      })
    }
    const revoked = await this.withServices(async (services) => {
      const { getNamedAccount, revokeDevice, revokeDevices } = await import('../../core/accounts/index.ts')
      const { id: accountId } = await getNamedAccount(services, flags.user)
      if (id === undefined) return revokeDevices(services, { accountId })
      await revokeDevice(services, { accountId, id })
      return 1
    })
    return this.finish({
      result: { revoked },
      text: revoked === 1 ? 'One device is signed out.' : `${revoked} devices are signed out.`,
    })
  }
}
