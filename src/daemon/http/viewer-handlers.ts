import type { FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { App, RouteContext, RouteEntry } from './app-types.ts'
import { createPageCache } from './page-cache.ts'

/** As many policies as have services at a time. */
const MAX_POLICIES = 8

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
  const entries: RouteEntry[] = []
  const made = new LRUCache<number, { services: object; handlers: Handlers }>({ max: MAX_POLICIES })
  let count = 0

  async function handlersOf(app: App, policyId: number): Promise<Handlers> {
    const limited = await context.services.viewers.servicesOf(policyId)
    const known = made.get(policyId)
    // The services of a policy are made anew after it was displaced.
    if (known?.services === limited) return known.handlers
    const services = { ...limited, viewers: context.services.viewers }
    const own: RouteContext = { ...context, services, pages: createPageCache(services) }
    const handlers = entries.flatMap(([, plugin]) => collectHandlers(app, plugin, own))
    made.set(policyId, { services: limited, handlers })
    return handlers
  }

  return {
    register(scope, entry) {
      entries.push(entry)
      const dispatching = withRoute(scope, (options) => {
        const index = count
        count += 1
        return scope.route(
          revealsItems(options) ? { ...options, handler: dispatch(index, options.handler as Handler) } : options,
        )
      })
      entry[1](dispatching, context)
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

/** Only administrators, who are never limited, and routes without items keep their handlers. */
function revealsItems({ config }: Pick<RouteOptions, 'config'>): boolean {
  return config?.reveals === 'items' && config.access !== 'admin'
}

function collectHandlers(app: App, plugin: RouteEntry[1], context: RouteContext): Handlers {
  const handlers: (Handler | undefined)[] = []
  const collecting = withRoute(app, (options) => {
    handlers.push(revealsItems(options) ? (options.handler as Handler) : undefined)
    return collecting
  })
  plugin(collecting, context)
  return handlers
}

/** The same instance with another way to register a route. Error handlers are set once, at the registration. */
function withRoute(app: App, route: (options: RouteOptions) => unknown): App {
  return Object.create(app, { route: { value: route } }) as App
}
