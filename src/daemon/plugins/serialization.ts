import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { App } from '../http/app-types.ts'

/** Serializers are compiled when a route answers for the first time: compiling all of them was a third of the start. */
export function installSerialization(app: App): void {
  const compile = SerializerSelector()()
  app.setSerializerCompiler((route) => {
    let serialize: ((value: unknown) => string) | undefined
    return (value: unknown) => (serialize ??= compile({ ...route, httpStatus: route.httpStatus ?? '' }))(value)
  })
}
