import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { createAttachedValue } from '../../../../src/core/platform/cache/index.ts'

type Owner = { name: string }

void t.test('an object has the last value that was set', async (t) => {
  const values = createAttachedValue<Owner, string | undefined>()
  const [one, other] = [{ name: 'one' }, { name: 'other' }]
  t.equal(values.get(one), undefined)
  values.set(one, 'first')
  values.set(other, 'second')
  values.set(one, 'third')
  t.equal(values.get(one), 'third')
  t.equal(values.get(other), 'second')
})

void t.test('each set of values is its own', async (t) => {
  const [texts, numbers] = [createAttachedValue<Owner, string>(), createAttachedValue<Owner, number>()]
  const owner = { name: 'x' }
  texts.set(owner, 'text')
  t.equal(numbers.get(owner), undefined)
  numbers.set(owner, 5)
  t.equal(texts.get(owner), 'text')
})

void t.test('a value is in no copy, no text and no list of keys', async (t) => {
  const values = createAttachedValue<Owner, string>()
  const owner = { name: 'x' }
  values.set(owner, 'secret')
  t.equal(values.get({ ...owner }), undefined)
  t.equal(values.get(structuredClone(owner)), undefined)
  t.equal(JSON.stringify(owner), '{"name":"x"}')
  t.same(Reflect.ownKeys(owner), ['name'])
})

void t.test('a value is released with its object', async (t) => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const values = createAttachedValue<Owner, object>()
  const fill = (): WeakRef<object> => {
    const value = { large: true }
    values.set({ name: 'x' }, value)
    return new WeakRef(value)
  }
  const value = fill()
  // A WeakRef keeps its object until the end of the turn.
  await new Promise((resolve) => setImmediate(resolve))
  collect()
  t.equal(value.deref(), undefined)
})
