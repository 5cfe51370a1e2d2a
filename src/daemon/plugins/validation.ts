import type { App } from '../http/app-types.ts'
import { checkDeclaredQuery, declaredBody, declaredQuery } from '../http/declared-keys.ts'
import { checkOnFirstUse } from '../http/schema-check.ts'

/**
 * Two validators: bodies are taken as they are, query strings and paths are read as what their schema names. Handlers see the keys that
 * their schema declares, and no others. The guard of signed addresses reads the query before.
 */
export function installValidation(app: App): void {
  app.addHook('onRoute', checkDeclaredQuery)
  app.setValidatorCompiler(({ schema, httpPart }) => checkOnFirstUse(schema, httpPart === 'body' ? 'json' : 'query'))
  app.addHook('preValidation', async (request) => {
    const { querystring, body } = request.routeOptions.schema ?? {}
    request.query = declaredQuery(querystring, request.query)
    if (request.body !== undefined) request.body = declaredBody(body, request.body)
  })
}
