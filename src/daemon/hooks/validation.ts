import type { App } from '../http/app-types.ts'
import { checkDeclaredQuery, declaredBody, declaredQuery } from '../http/declared-keys.ts'
import { compileOnFirstUse } from '../http/compile-on-first-use.ts'

/**
 * Installs two validators: bodies are validated without coercion, query strings and paths with coercion. Handlers receive only the keys
 * that the schema declares. The guard of signed URLs reads the query before that.
 */
export function installValidation(app: App): void {
  app.addHook('onRoute', checkDeclaredQuery)
  app.setValidatorCompiler(({ schema, httpPart }) => compileOnFirstUse(schema, httpPart === 'body' ? 'json' : 'query'))
  app.addHook('preValidation', async (request) => {
    const { querystring, body } = request.routeOptions.schema ?? {}
    request.query = declaredQuery(querystring, request.query)
    if (request.body !== undefined) request.body = declaredBody(body, request.body)
  })
}
