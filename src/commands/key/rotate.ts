import { serverKeyView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { EXIT } from '../_support/exit-codes.ts'

export default class KeyRotate extends BaseCommand {
  static override summary = 'Replace the server’s signing key.'
  static override description =
    'The old key is kept beside the new one as FILE.KID.old and can be restored, so the command does not ask for ' +
    'confirmation. A running server uses the new key in its next reply. Other programs may keep the old key set for ' +
    'an hour.'
  static override examples = ['<%= config.bin %> key:rotate', '<%= config.bin %> key:rotate --quiet && echo rotated']
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.io, EXIT.config]
  static override isIdempotent = false

  async run(): Promise<object> {
    await this.parse(KeyRotate)
    const config = this.readConfig()
    const { publicJwk, rotateServerKey, serverKeyPath } = await import('../../core/platform/keys/index.ts')
    const { systemClock } = await import('../../core/platform/time/index.ts')
    const { key, keptAs } = await rotateServerKey({ config, clock: systemClock })
    const done = `New key ${key.kid} in ${serverKeyPath(config)}.`
    return this.finish({
      result: { ...serverKeyView(key, { jwk: publicJwk(key), file: serverKeyPath(config) }), old_file: keptAs },
      text: keptAs === null ? done : `${done}\nThe old one is kept as ${keptAs}.`,
    })
  }
}
