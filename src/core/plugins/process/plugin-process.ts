import { describeError } from '../../platform/errors/index.ts'
import { residentMemory, type ConnectedProgram } from '../../platform/spawn/index.ts'
import type { ProcessLimits } from './limits.ts'
import { createMessageReader, type Message } from './message-reader.ts'
import { readThrottled } from './throttled-output.ts'

export type PluginProcess = {
  /**
   * Calls a method of the plugin's process.
   * @throws Error with the plugin's message, or when it does not answer in time or ends
   */
  call(method: string, params: object, milliseconds: number): Promise<unknown>
  /** The reason for its end, for people. Never rejects. */
  readonly ended: Promise<string>
  /** Kills it; the reason is that of `ended`. */
  kill(reason: string): void
}

export type PluginProcessInput = {
  program: ConnectedProgram
  limits: ProcessLimits
  /** Answers a request of the plugin. A thrown message is sent to the plugin. */
  answer: (method: string, params: unknown) => Promise<unknown>
  /** The plugin logs a line. */
  onLog: (text: string) => void
}

type OpenCall = {
  method: string
  resolve: (value: unknown) => void
  reject: (error: Error) => void
  timer: NodeJS.Timeout
}

/** Runs the protocol with a started process and enforces its limits: whatever breaks one is killed with a reason. */
export function connectPlugin({ program, limits, answer, onLog }: PluginProcessInput): PluginProcess {
  const calls = new Map<number, OpenCall>()
  const late = new Set<number>()
  let [lastId, invalid, tooLate, openRequests] = [0, 0, 0, 0]
  let killReason: string | undefined
  const timers: NodeJS.Timeout[] = []

  function kill(reason: string): void {
    killReason ??= reason
    program.kill()
  }

  function strikeInvalid(): void {
    invalid += 1
    if (invalid >= limits.strikes) kill(`it sent ${invalid} invalid messages`)
  }

  function post(message: object): void {
    if (program.stdin.writable) program.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  function call(method: string, params: object, milliseconds: number): Promise<unknown> {
    lastId += 1
    const id = lastId
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        calls.delete(id)
        late.add(id)
        tooLate += 1
        reject(new Error(`it did not answer ${method} within ${milliseconds / 1000} s`))
        if (tooLate >= limits.strikes) kill(`it answered ${tooLate} calls too late`)
      }, milliseconds)
      calls.set(id, { method, resolve, reject, timer })
      post({ id, method, params })
    })
  }

  function settle({ id, result, error }: Message): void {
    const open = typeof id === 'number' ? calls.get(id) : undefined
    if (open === undefined) {
      if (typeof id !== 'number' || !late.delete(id)) strikeInvalid()
      return
    }
    calls.delete(id as number)
    clearTimeout(open.timer)
    // A plugin that answers pings may still hang in what it is asked to do.
    if (open.method !== 'ping') tooLate = 0
    if (error === undefined) open.resolve(result)
    else open.reject(new Error(messageOf(error)))
  }

  async function answerRequest(id: unknown, method: string, params: unknown): Promise<void> {
    if (openRequests >= limits.openRequests)
      return post({ id, error: { code: -32_000, message: 'too many open requests' } })
    openRequests += 1
    try {
      post({ id, result: (await answer(method, params)) ?? null })
    } catch (error) {
      post({ id, error: { code: -32_000, message: describeError(error) } })
    } finally {
      openRequests -= 1
    }
  }

  function receive(message: Message): void {
    throttle.countMessage()
    const { id, method, params } = message
    if (method === undefined) settle(message)
    else if (method === 'log') onLog(textOf(params))
    else if (typeof method === 'string' && (typeof id === 'number' || typeof id === 'string')) {
      void answerRequest(id, method, params)
    } else strikeInvalid()
  }

  const read = createMessageReader({ message: receive, invalid: strikeInvalid })
  const throttle = readThrottled(program.stdout, limits, (chunk) => read(chunk))

  timers.push(
    setInterval(() => {
      call('ping', {}, limits.pingMilliseconds).catch((error: unknown) => kill(describeError(error)))
    }, limits.pingIntervalMilliseconds),
    setInterval(() => {
      if (program.pid === undefined || residentMemory(program.pid) <= limits.memoryBytes) return
      kill(`it used more than ${Math.round(limits.memoryBytes / 1024 / 1024)} MiB of memory`)
    }, limits.memoryIntervalMilliseconds),
  )

  const ended = program.ended.then(({ exitCode, signal, error }) => {
    for (const timer of timers) clearInterval(timer)
    const how = error === undefined ? `it ended with ${signal ?? `exit code ${exitCode}`}` : describeError(error)
    const reason = killReason ?? how
    for (const { timer, reject } of calls.values()) {
      clearTimeout(timer)
      reject(new Error(reason))
    }
    calls.clear()
    return reason
  })
  return { call, ended, kill }
}

function messageOf(error: unknown): string {
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : undefined
  return typeof message === 'string' ? message.slice(0, 2000) : 'it answered with an error'
}

function textOf(params: unknown): string {
  const text = typeof params === 'object' && params !== null && 'text' in params ? params.text : undefined
  return typeof text === 'string' ? text.slice(0, 2000) : ''
}
