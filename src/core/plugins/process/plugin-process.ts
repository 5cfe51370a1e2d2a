import { Semaphore } from '../../platform/concurrency/index.ts'
import { describeError } from '../../platform/errors/index.ts'
import { readResidentMemory, type ConnectedProgram } from '../../platform/spawn/index.ts'
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
  /** Its resident memory with that of its children. */
  memoryBytes(): number
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

const MAX_ID_CHARACTERS = 64

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
  let [lastId, invalid, tooLate, openRequests, openHttpRequests] = [0, 0, 0, 0, 0]
  let killReason: string | undefined
  const timers: NodeJS.Timeout[] = []
  // A result is in memory until the plugin has read it.
  const answers = new Semaphore({ permits: limits.answersAtOnce })

  function kill(reason: string): void {
    killReason ??= reason
    program.kill()
  }

  function strikeInvalid(): void {
    invalid += 1
    if (invalid >= limits.strikes) kill(`it sent ${invalid} invalid messages`)
  }

  /** @returns when the plugin has taken the message, or has ended */
  function post(message: object): Promise<void> {
    return new Promise((resolve) => {
      if (!program.stdin.writable) return resolve()
      if (program.stdin.writableLength > limits.unreadBytes) {
        kill(`it did not read ${program.stdin.writableLength} bytes`)
        return resolve()
      }
      program.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`, () => resolve())
    })
  }

  function call(method: string, params: object, milliseconds: number): Promise<unknown> {
    lastId += 1
    const id = lastId
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        calls.delete(id)
        late.add(id)
        reject(new Error(`it did not answer ${method} within ${milliseconds / 1000} s`))
        // It waits for a server of others. Pings, which have a limit of their own, show whether it hangs.
        if (openHttpRequests > 0) return
        tooLate += 1
        if (tooLate >= limits.strikes) kill(`it answered ${tooLate} calls too late`)
      }, milliseconds)
      calls.set(id, { method, resolve, reject, timer })
      void post({ id, method, params })
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
    // A plugin that responds to pings may still hang in a call.
    if (open.method !== 'ping') tooLate = 0
    if (error === undefined) open.resolve(result)
    else open.reject(new Error(messageOf(error)))
  }

  async function answerRequest(id: unknown, method: string, params: unknown): Promise<void> {
    if (openRequests >= limits.openRequests) {
      // Answers to such requests would fill the memory as well.
      if (program.stdin.writableNeedDrain) return kill(`it sent more than ${openRequests} requests without reading`)
      return void post({ id, error: { code: -32_000, message: 'too many open requests' } })
    }
    const isHttp = method === 'http.request'
    openRequests += 1
    if (isHttp) openHttpRequests += 1
    await answers.run(async () => {
      if (killReason !== undefined || !program.stdin.writable) return
      try {
        await post({ id, result: (await answer(method, params)) ?? null })
      } catch (error) {
        await post({ id, error: { code: -32_000, message: describeError(error) } })
      }
    })
    openRequests -= 1
    if (isHttp) openHttpRequests -= 1
  }

  function receive(message: Message): void {
    throttle.countMessage()
    const { id, method, params } = message
    if (method === undefined) settle(message)
    else if (method === 'log') onLog(textOf(params))
    else if (typeof method === 'string' && isId(id)) {
      void answerRequest(id, method, params)
    } else strikeInvalid()
  }

  function memoryBytes(): number {
    return program.pid === undefined ? 0 : readResidentMemory(program.pid)
  }

  const read = createMessageReader({ message: receive, invalid: strikeInvalid })
  const throttle = readThrottled(program.stdout, limits, (chunk) => read(chunk))

  timers.push(
    setInterval(() => {
      call('ping', {}, limits.pingMilliseconds).catch((error: unknown) => kill(describeError(error)))
    }, limits.pingIntervalMilliseconds),
    setInterval(() => {
      if (memoryBytes() <= limits.memoryBytes) return
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
  return { call, ended, memoryBytes, kill }
}

/** Text of a plugin for logs, terminals and the database: without control characters, invisible ones and halves of surrogate pairs. */
export function printableText(text: string): string {
  return text.slice(0, 2000).replaceAll(/\p{C}+/gu, ' ')
}

function isId(id: unknown): boolean {
  return typeof id === 'number' || (typeof id === 'string' && id.length <= MAX_ID_CHARACTERS)
}

function messageOf(error: unknown): string {
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : undefined
  return typeof message === 'string' ? printableText(message) : 'it answered with an error'
}

function textOf(params: unknown): string {
  const text = typeof params === 'object' && params !== null && 'text' in params ? params.text : undefined
  return typeof text === 'string' ? printableText(text) : ''
}
