import * as Flags from '@oclif/core/flags'
import { processEnvironment } from '../core/platform/config/index.ts'
import { BaseCommand } from './_support/base-command.ts'
import { DATABASE_EXITS, EXIT } from './_support/exit-codes.ts'

export default class Serve extends BaseCommand {
  static override summary = 'Run the server in the foreground.'
  static override description =
    'Logs are written to standard error: readable lines on a terminal, else one JSON object per line. SIGTERM and ' +
    'SIGINT stop the server within 15 s, after requests in progress; a second signal stops it at once. A restart over ' +
    'HTTP by an administrator starts the same command line again in the same process.'
  static override examples = ['<%= config.bin %> serve', '<%= config.bin %> serve --host 127.0.0.1 --port 8096']
  static override flags = {
    host: Flags.string({ helpValue: 'ADDRESS', summary: 'Address to listen on, instead of server.host.' }),
    port: Flags.string({
      helpValue: 'PORT',
      summary: 'Port to listen on, instead of server.port; 0 selects any free port.',
    }),
    'websocket-port': Flags.string({
      helpValue: 'PORT',
      summary: 'Port for WebSockets, instead of server.websocket_port; 0 selects any free port.',
    }),
  }
  static override exitCodes = [EXIT.ok, EXIT.failure, EXIT.usage, EXIT.tempfail, ...DATABASE_EXITS]

  async run(): Promise<object> {
    const { flags } = await this.parse(Serve)
    const read = () =>
      this.readConfig({
        ...(flags.host === undefined ? {} : { 'server.host': flags.host }),
        ...(flags.port === undefined ? {} : { 'server.port': flags.port }),
        ...(flags['websocket-port'] === undefined ? {} : { 'server.websocket_port': flags['websocket-port'] }),
      })
    const config = read()
    // Kubernetes sets this variable to the address of a service called phlix. It is not a mistake of the user.
    if (flags.port === undefined && /^\d+$/.test(processEnvironment()['PHLIX_PORT'] ?? '')) {
      this.warn('PHLIX_PORT is not read; --port, or server.port in the configuration file, sets the port')
    }
    const { createRecentLines, flushLog } = await import('../core/platform/logging/index.ts')
    const recentLines = createRecentLines()
    const log = await this.openLog(config, config.options['logging.level'], recentLines)
    const { prestartEngine } = await import('../core/platform/database/index.ts')
    const engine = prestartEngine({ config, log })
    // Loading the daemon blocks this thread. The server starts at the same time only if its process exists before.
    await engine.launched()
    const { runDaemon } = await import('../daemon/serve.ts')
    const end = await runDaemon({ config, log, engine, recentLines, checkConfig: () => void read() })
    if (end === 'restart') {
      const { replaceProcess } = await import('../core/platform/spawn/index.ts')
      await flushLog(log)
      replaceProcess()
    }
    return this.finish({ result: { stopped: true } })
  }
}
