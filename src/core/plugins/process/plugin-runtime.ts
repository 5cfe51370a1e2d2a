/**
 * The program of a plugin's process. It is passed to Node as text, so that the process needs to read no file besides those of the plugin;
 * therefore it may use nothing from outside of the function. It speaks JSON-RPC 2.0, one object a line, over stdin and stdout.
 */
async function pluginRuntime(): Promise<void> {
  type Message = { id?: number; method?: string; params?: unknown; result?: unknown; error?: { message: string } }
  type Work = (...input: unknown[]) => unknown
  type Methods = Record<string, Work | undefined>
  type Start = { folder: string; entry: string; settings: unknown }
  type Delivery = { method: string; event: { event: string } }
  type Question = { method: string; question: object }
  type Call = { resolve: (value: unknown) => void; reject: (error: Error) => void }

  const { createInterface } = await import('node:readline')
  const { pathToFileURL } = await import('node:url')
  const send = process.stdout.write.bind(process.stdout)
  // What the plugin prints goes to its log.
  process.stdout.write = process.stderr.write.bind(process.stderr)
  const waiting = new Map<number, Call>()
  let lastId = 0
  let plugin: Methods = {}
  let handlers: Record<string, Work | string | undefined> = {}

  const post = (message: Message): void => void send(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const ask = (method: string, params: unknown): Promise<unknown> => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    lastId += 1
    waiting.set(lastId, { resolve, reject })
    post({ id: lastId, method, params })
    return promise
  }
  const container = (settings: unknown): object => ({
    settings,
    log: (text: unknown) => post({ method: 'log', params: { text: String(text).slice(0, 2000) } }),
    http: { request: (request: unknown) => ask('http.request', request) },
    store: {
      get: (key: unknown) => ask('store.get', { key }),
      set: (key: unknown, value: unknown) => ask('store.set', { key, value }),
      delete: (key: unknown) => ask('store.delete', { key }),
      list: () => ask('store.list', {}),
    },
  })

  const methods: Methods = {
    async initialize(params) {
      const { folder, entry, settings } = params as Start
      const module = (await import(pathToFileURL(`${folder}/${entry}`).href)) as Record<string, unknown>
      const found = module['default'] ?? Object.values(module).find((value) => typeof value === 'function')
      if (typeof found !== 'function') throw new Error('the entry exports no class')
      plugin = new (found as new () => Methods)()
      await plugin['onEnable']?.(container(settings))
      handlers = ((await plugin['subscribedEvents']?.()) as typeof handlers | undefined) ?? {}
    },
    async event(params) {
      const { method, event } = params as Delivery
      const handler = handlers[event.event] ?? handlers[`phlix.${event.event}`] ?? method
      await (typeof handler === 'function' ? handler.call(plugin, event) : plugin[handler]?.(event))
    },
    async ask(params) {
      const { method, question } = params as Question
      return plugin[method]?.(question)
    },
    ping: () => null,
    async shutdown() {
      await plugin['onDisable']?.()
      setImmediate(() => process.exit(0))
    },
  }

  async function answer({ id = 0, method = '', params }: Message): Promise<void> {
    try {
      const work = Object.hasOwn(methods, method) ? methods[method] : undefined
      if (work === undefined) throw new Error(`unknown method ${method}`)
      post({ id, result: (await work(params)) ?? null })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      post({ id, error: { message: message.slice(0, 2000) } })
    }
  }

  function settle({ id = 0, result, error }: Message): void {
    const call = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) call?.resolve(result)
    else call?.reject(new Error(error.message))
  }

  createInterface({ input: process.stdin, crlfDelay: Infinity })
    .on('line', (line) => {
      const message = JSON.parse(line) as Message
      if (message.method === undefined) settle(message)
      else void answer(message)
    })
    .on('close', () => process.exit(0))
}

/** The program as an ECMAScript module. */
export const RUNTIME_TEXT = `await (${String(pluginRuntime)})()`
