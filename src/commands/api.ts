import { join } from 'node:path'
import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { processEnvironment, type Config } from '../core/platform/config/index.ts'
import { readSecretText } from './_support/arguments/secret-file.ts'
import { BaseCommand } from './_support/base-command.ts'
import { toHttpRequest, exitCodeOfStatus, reachableAddress } from './_support/api-request.ts'
import { commandErrors } from './_support/errors.ts'
import { EXIT } from './_support/exit-codes.ts'

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const

const TIMEOUT_MILLISECONDS = 60_000
const MAXIMUM_BYTES = 64 * 1024 * 1024

export default class Api extends BaseCommand {
  static override summary = 'Send a request to the API of the running server and print its answer.'
  static override description =
    'The path is below /api/v1 unless it begins with a slash. Fields become the query of a GET or DELETE and the ' +
    'JSON body of other requests; true, false, null and whole numbers keep their type. For routes that need a ' +
    'user, the access token is read from PHLIX_API_TOKEN or --token-file; POST auth/login returns an access ' +
    'token.'
  static override examples = [
    '<%= config.bin %> api GET health/network',
    'PHLIX_API_TOKEN=$TOKEN <%= config.bin %> api GET media -f search=clock -f limit=5',
    '<%= config.bin %> api POST auth/login --input - < login.json',
  ]
  static override args = {
    method: Args.string({
      required: true,
      ignoreStdin: true,
      options: [...METHODS],
      description: 'GET, POST, PUT or DELETE',
    }),
    path: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'path of the route, for example media or /healthz',
    }),
  }
  static override flags = {
    field: Flags.string({
      char: 'f',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'KEY=VALUE',
      summary: 'Field of the query or the body; repeatable.',
    }),
    input: Flags.string({
      helpValue: 'FILE',
      summary: 'JSON body from a file; `-` is standard input.',
    }),
    'token-file': Flags.string({ helpValue: 'FILE', summary: 'File with an access token.' }),
    server: Flags.string({
      helpValue: 'ADDRESS',
      summary: 'Address of the server, instead of the one that serves the data directory.',
    }),
  }
  static override exitCodes = [
    EXIT.ok,
    EXIT.failure,
    EXIT.usage,
    EXIT.notFound,
    EXIT.unavailable,
    EXIT.denied,
    EXIT.config,
  ]

  async run(): Promise<object> {
    const { args, flags } = await this.parse(Api)
    if (flags.input !== undefined && flags.field !== undefined) {
      throw commandErrors.usage({ message: '--input and --field exclude each other' })
    }
    const method = METHODS.find((one) => one === args.method) ?? 'GET'
    const config = this.readConfig()
    const tokenFile = flags['token-file']
    const token = tokenFile === undefined ? processEnvironment()['PHLIX_API_TOKEN'] : await readSecretText(tokenFile)
    const { url, body } = toHttpRequest({
      server: flags.server ?? (await addressOf(config)),
      method,
      path: args.path,
      fields: flags.field ?? [],
      input: flags.input === undefined ? undefined : await readSecretText(flags.input),
    })
    const { createOutbound } = await import('../core/platform/outbound/index.ts')
    const outbound = createOutbound({ log: await this.openLog(config) })
    try {
      const { status, body: bytes } = await outbound.send({
        purpose: 'command',
        url,
        trust: 'configured',
        method,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(token !== undefined && token !== '' && { authorization: `Bearer ${token}` }),
        },
        ...(body !== undefined && { body }),
        timeoutMilliseconds: TIMEOUT_MILLISECONDS,
        maximumBytes: MAXIMUM_BYTES,
      })
      const text = Buffer.from(bytes).toString()
      return this.finish({
        result: { status, body: parsed(text) },
        text: text.trimEnd(),
        exit: exitCodeOfStatus(status),
        isPrintedWhenQuiet: true,
      })
    } finally {
      await outbound.close()
    }
  }
}

/** The address of the server of the data directory. @throws AppError `server_not_running` */
async function addressOf({ dataDirectory }: Config): Promise<string> {
  const { readProcessLock } = await import('../core/platform/spawn/index.ts')
  const { holder } = readProcessLock(join(dataDirectory, 'serve.lock'))
  if (holder === undefined) {
    throw commandErrors.server_not_running({
      message: `No server runs on ${dataDirectory}`,
      hint: 'start the server with phlix serve, or name one with --server',
    })
  }
  return reachableAddress(holder.address)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
