import type { App, RouteEntry, RoutePlugin } from '../../../src/daemon/http/app-types.ts'
import { createRoutes } from '../../../src/daemon/routes/index.ts'

/** A field of a request that names something by its id: a route, and the place and the name of the field. */
export type IdField = { route: string; place: 'body' | 'query' | 'path'; field: string }

type Options = {
  method: string | readonly string[]
  url: string
  config?: { access?: string; reveals?: string }
  schema?: { body?: unknown; querystring?: unknown }
}

const IS_ID = /(?:^|_)(?:id|ids|mbid)$|I[dD]s?$/

/**
 * The routes of the daemon, and a list that their registration fills: the fields for ids of all routes that reveal items, from their schemas.
 */
export function routesWithIdFields(): { routes: RouteEntry[]; fields: () => IdField[] } {
  const found = new Map<string, IdField>()
  const note = (prefix: string, { method, url, config, schema }: Options): void => {
    // What guests ask for is compared with their link, whatever it is.
    if (config?.reveals !== 'items' || config.access === 'admin' || config.access === 'guest') return
    const route = `${[method].flat()[0]} ${prefix}${url}`
    const parameters = [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
    const fields = [
      // The first one is the subject of places.ts.
      ...parameters.slice(1).map((field) => ({ place: 'path' as const, field })),
      ...namesIn(schema?.body).map((field) => ({ place: 'body' as const, field })),
      ...namesIn(schema?.querystring).map((field) => ({ place: 'query' as const, field })),
    ]
    for (const { place, field } of fields)
      if (IS_ID.test(field)) found.set(`${route} ${place} ${field}`, { route, place, field })
  }
  const routes = createRoutes().map(([prefix, plugin]): RouteEntry => [
    prefix,
    noting(plugin, (options) => note(prefix, options)),
  ])
  return { routes, fields: () => [...found.values()] }
}

function noting(plugin: RoutePlugin, note: (options: Options) => void): RoutePlugin {
  return (app, context) => {
    const spied = new Proxy(app, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key)
        if (key !== 'route') return typeof value === 'function' ? (value.bind(target) as unknown) : value
        return (options: Options) => {
          note(options)
          return (target as unknown as { route: (one: Options) => App }).route(options)
        }
      },
    })
    plugin(spied, context)
  }
}

/** The names of the fields of a schema, also of its parts. */
function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'properties' && typeof value === 'object' && value !== null
      ? Object.keys(value).concat(Object.values(value).flatMap(namesIn))
      : namesIn(value),
  )
}
