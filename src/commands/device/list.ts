import * as Flags from '@oclif/core/flags'
import type { LoginSession } from '../../core/accounts/index.ts'
import { toIsoTimestamp } from '../../core/platform/time/index.ts'
import { deviceView } from '../../core/views/index.ts'
import { optionalUserArgument, readUser, userFlag } from '../_support/arguments/user-argument.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { commandErrors } from '../_support/errors.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { renderTable, type Column } from '../_support/output/table.ts'

const COLUMNS: readonly Column<LoginSession>[] = [
  { title: 'id', text: ({ id }) => id },
  { title: 'name', text: ({ deviceName }) => deviceName },
  { title: 'type', text: ({ deviceType }) => deviceType },
  { title: 'address', text: ({ address }) => address ?? '' },
  { title: 'last used', text: ({ lastUsedAt }) => toIsoTimestamp(lastUsedAt) },
  { title: 'signed in', text: ({ createdAt }) => toIsoTimestamp(createdAt) },
]

export default class DeviceList extends BaseCommand {
  static override summary = 'List the devices on which a user is signed in.'
  static override description = 'Sorted by last use, newest first. session:list lists the sessions of all users.'
  static override examples = ['<%= config.bin %> device:list ann', '<%= config.bin %> device:list --user ann --json']
  static override args = { user: optionalUserArgument }
  static override flags = {
    user: userFlag,
    plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(DeviceList)
    const user = readUser({ argument: args.user, flag: flags.user })
    if (user === undefined) {
      throw commandErrors.usage({
        message: 'Name a user: phlix device:list USER',
        hint: 'phlix session:list lists the sessions of all users',
      })
    }
    const devices = await this.withServices(async (services) => {
      const { getNamedAccount, listDevices } = await import('../../core/accounts/index.ts')
      const { id: accountId } = await getNamedAccount(services, user)
      return listDevices(services, { accountId })
    })
    return this.finish({
      result: { devices: devices.map((device) => deviceView(device, { isCurrent: false })) },
      text:
        devices.length === 0 && !flags.plain
          ? 'No device is signed in'
          : renderTable(COLUMNS, devices, { plain: flags.plain, output: this.output }),
    })
  }
}
