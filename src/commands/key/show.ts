import { serverKeyView } from '../../core/views/index.ts'
import { BaseCommand } from '../_support/base-command.ts'
import { EXIT } from '../_support/exit-codes.ts'

export default class KeyShow extends BaseCommand {
  static override summary = 'Show the public part of the server’s signing key.'
  static override description =
    'Reads the key file as the server does for /.well-known/jwks.json. Neither a server nor a database is needed. The ' +
    'private part is never shown.'
  static override examples = ['<%= config.bin %> key:show', '<%= config.bin %> key:show --json | jq .jwk']
  static override exitCodes = [EXIT.ok, EXIT.usage, EXIT.io, EXIT.config]

  async run(): Promise<object> {
    await this.parse(KeyShow)
    const config = this.readConfig()
    const { publicJwk, readServerKey, serverKeyPath } = await import('../../core/platform/keys/index.ts')
    const key = await readServerKey({ config })
    const result = serverKeyView(key, { jwk: publicJwk(key), file: serverKeyPath(config) })
    const lines = [`kid      ${key.kid}`, `file     ${result.file}`, `created  ${result.created_at ?? 'not known'}`]
    return this.finish({ result, text: [...lines, `jwk      ${JSON.stringify(result.jwk)}`].join('\n') })
  }
}
