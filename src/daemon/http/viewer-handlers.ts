import type { FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { App, RouteContext, RouteEntry } from './app-types.ts'
import { MAX_POLICIES } from '../../core/limited-viewer-services.ts'
import { createListReplyCache } from './list-reply-cache.ts'

/** The room for list replies of one policy. */
const LIST_REPLY_CHARACTERS = 4_000_000

type Handler = (this: App, request: FastifyRequest, reply: FastifyReply) => unknown

/** The handlers of all routes in order of registration, made over the services of one policy. */
type Handlers = readonly (Handler | undefined)[]

/** Registers route plugins so that requests of limited accounts are answered by handlers over the services of their policy. */
export type ViewerHandlers = {
  /** Registers the routes of a plugin. Must be called in the order of the entries. */
  register(scope: App, entry: RouteEntry): void
}

/**
 * A route plugin makes its handlers from the services that it is given. For a limited account the same plugins run again with the services of
 * its policy, and only their handlers are kept. A handler can therefore not reach the services of everybody, and no route needs to know.
 */
export function createViewerHandlers(context: RouteContext): ViewerHandlers {
  const registered: Registered[] = []
  const made = new LRUCache<number, { services: object; handlers: Handlers }>({ max: MAX_POLICIES })
  let count = 0

  async function handlersOf(app: App, policyId: number): Promise<Handlers> {
    const limited = await context.services.viewers.servicesOf(policyId)
    const known = made.get(policyId)
    // The services of a policy are made anew after it was displaced.
    if (known?.services === limited) return known.handlers
    const { viewers, guests } = context.services
    const services = { ...limited, signer: limited.signer.withGrants(), viewers, guests }
    const own: RouteContext = {
      ...context,
      services,
      listReplies: createListReplyCache(services, LIST_REPLY_CHARACTERS),
    }
    const handlers = registered.flatMap((one) => collectHandlers(app, one, own))
    made.set(policyId, { services: limited, handlers })
    return handlers
  }

  return {
    register(scope, [prefix, plugin]) {
      const one: Registered = { plugin, routeCount: 0, hasItems: false }
      let hasHooks = false
      const dispatching = withMethods(scope, {
        route(options) {
          const index = count
          count += 1
          one.routeCount += 1
          if (!revealsItems(options)) return scope.route(options)
          one.hasItems = true
          hasHooks ||= ROUTE_HOOKS.some((hook) => options[hook] !== undefined)
          return scope.route({ ...options, handler: dispatch(index, options.handler as Handler) })
        },
        addHook(...hook) {
          // This one sees only how routes are declared.
          hasHooks ||= hook[0] !== 'onRoute'
          return scope.addHook(...(hook as Parameters<App['addHook']>))
        },
      })
      plugin(dispatching, context)
      // A hook would have the services of everybody.
      if (one.hasItems && hasHooks) throw new Error(`the routes of ${prefix} reveal items: they can have no hooks`)
      registered.push(one)
    },
  }

  function dispatch(index: number, whole: Handler): RouteHandlerMethod {
    return function answer(this: unknown, request, reply) {
      const app = this as App
      const { policyId } = request
      if (policyId === null) return whole.call(app, request, reply)
      return handlersOf(app, policyId).then((handlers) => {
        const handler = handlers[index]
        if (handler === undefined) throw new Error(`no handler for ${request.method} ${request.routeOptions.url}`)
        return handler.call(app, request, reply)
      })
    }
  }
}

/** The hooks that a route can have of its own (Fastify, Lifecycle). */
const ROUTE_HOOKS = [
  'onRequest',
  'preParsing',
  'preValidation',
  'preHandler',
  'preSerialization',
  'onSend',
  'onResponse',
  'onError',
] as const

type Registered = { plugin: RouteEntry[1]; routeCount: number; hasItems: boolean }

/** Only administrators, who are never limited, and routes without items keep their handlers. */
function revealsItems({ config }: Pick<RouteOptions, 'config'>): boolean {
  return config?.reveals === 'items' && config.access !== 'admin'
}

function collectHandlers(app: App, { plugin, routeCount, hasItems }: Registered, context: RouteContext): Handlers {
  if (!hasItems) return Array.from({ length: routeCount }, () => undefined)
  const handlers: (Handler | undefined)[] = []
  const collecting = withMethods(app, {
    route(options) {
      handlers.push(revealsItems(options) ? options.handler : undefined)
      return collecting
    },
    // Set at the registration, for the handlers of all policies.
    setErrorHandler: () => collecting,
  })
  plugin(collecting, context)
  return handlers
}

type Methods = {
  route: (options: RouteOptions) => unknown
  setErrorHandler?: () => unknown
  addHook?: (...hook: unknown[]) => unknown
}

/** The same instance with other methods; all others work on the instance itself. */
function withMethods(app: App, methods: Methods): App {
  return new Proxy(app, {
    get(target, key) {
      if (Object.hasOwn(methods, key)) return methods[key as keyof Methods]
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}
