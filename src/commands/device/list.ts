import * as Flags from '@oclif/core/flags'
import type { LoginSession } from '../../core/accounts/index.ts'
import { toIsoTimestamp } from '../../core/platform/time/index.ts'
import { deviceView } from '../../core/views/index.ts'
import { optionalUserArgument, readUser, userFlag } from '../_support/arguments/user-argument.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from '../_support/exit-codes.ts'
import { renderTable, type Column } from '../_support/output/table.ts'

const MAX_ROWS = 10_000

const COLUMNS: readonly Column<LoginSession>[] = [
  { title: 'id', text: ({ id }) => id },
  { title: 'account', text: ({ username }) => username },
  { title: 'name', text: ({ deviceName }) => deviceName },
  { title: 'type', text: ({ deviceType }) => deviceType },
  { title: 'address', text: ({ address }) => address ?? '' },
  { title: 'last used', text: ({ lastUsedAt }) => toIsoTimestamp(lastUsedAt) },
  { title: 'signed in', text: ({ createdAt }) => toIsoTimestamp(createdAt) },
]

export default class DeviceList extends BaseCommand {
  static override summary = 'List the devices on which a user is signed in, or those of all users.'
  static override description = 'Sorted by last use, newest first.'
  static override examples = [
    '<%= config.bin %> device:list',
    '<%= config.bin %> device:list ann',
    '<%= config.bin %> device:list --user ann --json',
  ]
  static override args = { user: optionalUserArgument }
  static override flags = {
    user: userFlag,
    plain: Flags.boolean({ summary: 'Tab-separated, without a header.' }),
  }
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.notFound, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(DeviceList)
    const user = readUser({ argument: args.user, flag: flags.user })
    const devices = await this.withServices(async (services) => {
      const { getNamedAccount, listLoginSessions } = await import('../../core/accounts/index.ts')
      const account = user === undefined ? undefined : await getNamedAccount(services, user)
      return listLoginSessions(services, { accountId: account?.id, limit: MAX_ROWS })
    })
    return this.finish({
      result: {
        devices: devices.map((device) => ({ ...deviceView(device, { isCurrent: false }), username: device.username })),
      },
      text:
        devices.length === 0 && !flags.plain
          ? 'No device is signed in'
          : renderTable(COLUMNS, devices, { plain: flags.plain, output: this.output }),
    })
  }
}
