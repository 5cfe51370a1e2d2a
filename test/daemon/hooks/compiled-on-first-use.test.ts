import { AjvCompiler } from '@fastify/ajv-compiler'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { RouteOptions } from 'fastify'
import t from 'tap'
import type { RouteEntry } from '../../../src/daemon/http/app-types.ts'
import { buildApp } from '../../../src/daemon/app.ts'
import { createRoutes } from '../../../src/daemon/routes/index.ts'
import { testServices } from '../../support/services.ts'

// The daemon compiles a schema at the first request that needs it. No other test would find an invalid schema.
void t.test('every schema of every route compiles', async (t) => {
  const declared: RouteOptions[] = []
  const routes = createRoutes().map(([prefix, plugin]): RouteEntry => [
    prefix,
    (scope, context) => {
      scope.addHook('onRoute', (route) => void declared.push(route))
      return plugin(scope, context)
    },
  ])
  const app = await buildApp(await testServices(t), { routes })
  t.teardown(() => app.close())
  t.ok(declared.length > 200, `${declared.length} routes`)
  const validator = AjvCompiler()({}, { customOptions: {} })
  const serializer = SerializerSelector()()
  for (const { method, url, schema } of declared) {
    const place = `${String(method)} ${url}`
    for (const part of ['body', 'querystring', 'params', 'headers'] as const) {
      if (schema?.[part] !== undefined) t.doesNotThrow(() => validator({ schema: schema[part] }), `${place} ${part}`)
    }
    for (const [httpStatus, answer] of Object.entries((schema?.response ?? {}) as Record<string, unknown>)) {
      t.doesNotThrow(() => serializer({ schema: answer, method: '', url, httpStatus }), `${place} ${httpStatus}`)
    }
  }
})
